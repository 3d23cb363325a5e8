import anyio

from deepresearch_mcp.evals.loopback import NothingStored, Server, listening, page


async def ask(port: int, path: str) -> bytes:
    heard = b""
    async with await anyio.connect_tcp("127.0.0.1", port) as stream:
        await stream.send(f"GET {path} HTTP/1.1\r\n\r\n".encode())
        async for data in stream:
            heard += data
    return heard


async def test_a_server_counts_who_connects_and_answers_by_path():
    async with listening(Server({"/ice": page(b"Ice.", Retry_After="3")})) as server:
        found, missing = await ask(server.port, "/ice"), await ask(server.port, "/steam")

    assert (server.hits, server.asked) == (2, ["GET /ice HTTP/1.1", "GET /steam HTTP/1.1"])
    assert found.startswith(b"HTTP/1.1 200 OK\r\n")
    assert found.endswith(b"Retry-After: 3\r\nConnection: close\r\n\r\nIce.")
    assert missing.startswith(b"HTTP/1.1 404 ")


async def test_nothing_is_stored():
    stored = NothingStored()

    assert await stored.cached("https://a.example/") is None
    assert await stored.cards("run") == []
    assert await stored.search("ice", caller="local") == []
    assert await stored.text("0") is None

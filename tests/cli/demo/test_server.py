import anyio
import httpx2
import pytest

from clocks import HandClock
from deepresearch_mcp.cli.demo.server import SLOW, serve_site
from deepresearch_mcp.cli.demo.site import Site, SitePage

TEXT = 'Boats\n*****\n\nA boat floats on water – "always".\n'


@pytest.fixture
def site() -> Site:
    faults = {"good": "", "drafts": "disallowed", "old": "missing", "slow": "slow", "odd": "mislabelled"}
    pages = [SitePage(f"/{name}/boats", "Boats", TEXT, fault) for name, fault in faults.items()]
    return Site({page.path: page for page in pages})


@pytest.fixture
async def http():
    async with httpx2.AsyncClient() as client:
        yield client


async def test_pages_are_served_and_bad_ones_are_bad(site, http):
    async with serve_site(site, HandClock()) as base:
        good, odd, old, nowhere, index = [
            await http.get(base + path) for path in ("/good/boats", "/odd/boats", "/old/boats", "/x", "/")
        ]
        robots = await http.get(f"{base}/robots.txt")

    assert good.status_code == 200
    assert "A boat floats on water – " in good.text
    assert odd.headers["content-type"] == "text/html; charset=iso-8859-1"
    assert "A boat floats on water – " in odd.content.decode()
    assert old.status_code == nowhere.status_code == 404
    assert "/good/boats" in index.text
    assert "Disallow: /drafts/" in robots.text


async def test_the_search_answers_in_the_shape_of_searxng(site, http):
    async with serve_site(site, HandClock()) as base:
        answer = (await http.get(f"{base}/search", params={"q": "boats", "format": "json"})).json()

    assert answer["query"] == "boats"
    assert answer["unresponsive_engines"] == []
    assert {row["url"] for row in answer["results"]} == {base + path for path in site.pages}
    assert all(row["title"] == "Boats" and "floats" in row["content"] for row in answer["results"])


async def test_the_slow_page_comes_when_its_time_has_come(site, http):
    clock = HandClock()
    answers = []

    async def ask(base):
        answers.append(await http.get(f"{base}/slow/boats"))

    async with serve_site(site, clock) as base, anyio.create_task_group() as tasks:
        tasks.start_soon(ask, base)
        while not clock.sleepers:
            await anyio.lowlevel.checkpoint()
        assert answers == []
        clock.advance(SLOW)

    assert [answer.status_code for answer in answers] == [200]


async def test_leaving_ends_the_server_though_a_page_is_still_waited_for(site):
    clock = HandClock()
    with anyio.fail_after(30):
        async with serve_site(site, clock) as base:
            stream = await anyio.connect_tcp("127.0.0.1", int(base.rpartition(":")[2]))
            await stream.send(b"GET /slow/boats HTTP/1.1\r\n\r\n")
            while not clock.sleepers:
                await anyio.lowlevel.checkpoint()
        await stream.aclose()


async def test_a_client_that_sends_nonsense_or_hangs_up_harms_no_one(site, http):
    async with serve_site(site, HandClock()) as base:
        port = int(base.rpartition(":")[2])
        for sent in (b"", b"GET", b"x" * 20_000, b"nonsense\r\n\r\n"):
            async with await anyio.connect_tcp("127.0.0.1", port) as stream:
                await stream.send(sent)

        assert (await http.head(f"{base}/good/boats")).content == b""
        assert (await http.get(f"{base}/good/boats")).status_code == 200

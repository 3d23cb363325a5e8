from pathlib import Path

from http_service import Served, serve_here

OAUTH = {"issuer": "https://login.example.com", "jwks_url": "https://login.example.com/jwks"}


async def test_who_has_no_token_is_told_where_to_get_one(tmp_path: Path) -> None:
    async with (
        serve_here(tmp_path, public_url="https://research.example.com", oauth=OAUTH) as served,
        served.client() as stranger,
    ):
        refused = await stranger.post("/mcp", json={})
        where = "/.well-known/oauth-protected-resource/mcp"
        told = (await stranger.get(where)).json()

    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == f'Bearer resource_metadata="https://research.example.com{where}"'
    assert told["resource"] == "https://research.example.com/mcp"
    assert told["authorization_servers"] == ["https://login.example.com"]
    assert "runs:read" in told["scopes_supported"]


async def test_without_an_identity_server_none_is_named(served: Served) -> None:
    async with served.client() as stranger:
        assert (await stranger.get("/.well-known/oauth-protected-resource")).status_code == 404

from pathlib import Path

from deepresearch_mcp.http_app.pages.assets import asset_path
from pages_world import visiting


async def test_assets_need_no_token_and_are_kept_until_they_change(tmp_path: Path) -> None:
    async with visiting(tmp_path, signed_in=False) as visitor:
        script = await visitor.http.get(asset_path("report.js"))
        style = await visitor.http.get("/assets/pages.css")
        other = await visitor.http.get("/assets/../app.py")

    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in script.headers["cache-control"]
    assert style.headers["cache-control"] == "no-cache"
    assert other.status_code in {401, 404}

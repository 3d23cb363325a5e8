from pathlib import Path

from pydantic import SecretStr

from deepresearch_mcp.http_app.pages.settings_page import changed
from pages_world import text_of, visiting
from small_web import settings_for


async def test_every_setting_is_shown_and_no_secret(tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "home")
    search = settings.search.model_copy(update={"brave_key": SecretStr("planted-secret-key")})
    settings = settings.model_copy(update={"search": search})
    async with visiting(tmp_path, settings=settings) as visitor:
        page = await visitor.get("/settings")
        found = await visitor.get("/settings?query=timeout&changed=1")

    assert "planted-secret-key" not in page.text
    assert "search.brave_key" in page.text
    assert "DEEPRESEARCH_SEARCH__TIMEOUT" in found.text
    assert "web.timeout" not in text_of(found.text)
    assert "search.brave_key" in changed(settings)

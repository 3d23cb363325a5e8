"""What verifies webhooks, over HTTP."""

from pathlib import Path

from deepresearch_mcp.settings.schema import Settings
from hook_receiver import SECRET
from http_service import LOCAL, serve_here
from rest_world import served_rest
from small_web import settings_for

PATH = "/research/webhook-secret"


async def test_a_caller_reads_a_secret_of_its_own_that_nobody_stores(tmp_path: Path) -> None:
    settings = Settings.model_validate({**settings_for(tmp_path).model_dump(), "webhooks": {"secret": SECRET}})
    async with served_rest(tmp_path, settings=settings) as world:
        mine, again = await world.call("GET", PATH), await world.call("GET", PATH)
        foreign = await world.call("GET", PATH, caller="token:2")
        reader = await world.call("GET", PATH, x_scopes="runs:read")

    assert mine.headers["cache-control"] == "no-store"
    assert mine.json()["secret"].startswith("whsec_")
    assert len({one.json()["secret"] for one in (mine, again, foreign)} | {SECRET}) == 3
    assert reader.status_code == 403


async def test_without_a_secret_of_the_operator_there_is_none(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        answer = await world.call("GET", PATH)

    assert answer.status_code == 422
    assert "webhooks.secret is not set" in answer.text


async def test_the_secret_of_the_operator_is_shown_to_nobody(tmp_path: Path) -> None:
    async with serve_here(tmp_path) as served, served.client(LOCAL) as http:
        answer = await http.get(PATH)

    assert answer.status_code == 422
    assert "signed with webhooks.secret itself" in answer.text

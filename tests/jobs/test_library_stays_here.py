"""What is in a collection never leaves the machine without a model, and with a local one only that sees it."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_plus

import pytest
from tests.search.loopback_service import LoopbackService, loopback_service

from deepresearch_mcp.jobs.collecting import collect
from deepresearch_mcp.records.specs import ENGINES
from deepresearch_mcp.settings.services import address_name
from small_web import small_web
from whole_runs import opened, researched

SECRET = "zanzibarium"
NOTE = f"# Ice\n\nIce floats on water because {SECRET} pockets hold the lattice of ice open at 4 degrees.\n"
KEYED = [spec for spec in ENGINES if spec.web and spec.address and spec.name != "searxng"]


@pytest.fixture
def services() -> Iterator[LoopbackService]:
    with loopback_service() as service:
        service.says({})
        yield service


def engines(services: LoopbackService) -> dict[str, object]:
    found: dict[str, object] = {"engines": [*(one.name for one in KEYED), "searxng"], "google_engine_id": "ours"}
    for spec in KEYED:
        found[address_name(spec)] = f"{services.base}/{spec.name}"
        if spec.key:
            found[f"{spec.name}_key"] = "k"
    return found


async def test_no_word_of_a_collection_is_in_any_request_of_a_run_without_a_model(
    tmp_path: Path, services: LoopbackService
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "ice.md").write_text(NOTE)
    async with (
        small_web() as web,
        opened(tmp_path / "home", web, more={"search": engines(services), "web": {"contact": "a@b.example"}}) as jobs,
    ):
        await collect(jobs.runtime, "notes", [str(folder)])
        both = await researched(jobs, collections=["notes"], max_searches=300)
        web_asked, sent = list(web.asked), len(services.sent)
        read = len(web.read)
        alone = await researched(jobs, collections=["notes"], web=False)

    # Engines that return nothing may use up the searches of the first run.
    assert alone.status == "completed"
    assert SECRET in both.report
    assert SECRET in alone.report
    assert web_asked
    assert sent
    assert [one for one in (*web.asked, *web.missed, *map(unquote_plus, services.sent)) if SECRET in one] == []
    assert (len(web.asked), len(web.read), len(services.sent)) == (len(web_asked), read, sent)

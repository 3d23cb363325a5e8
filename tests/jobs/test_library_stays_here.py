"""What is in a collection never leaves the machine without a model, and with a local one only that sees it."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_plus

import pytest
from pydantic import SecretStr
from tests.search.loopback_service import LoopbackService, loopback_service

from deepresearch_mcp.jobs.collecting import collect
from deepresearch_mcp.records.specs import ENGINES
from deepresearch_mcp.settings.services import address_name
from hook_receiver import SECRET as HOOK_SECRET
from hook_receiver import receiving
from otlp_collector import collecting
from scholar import Scholar
from small_web import small_web
from whole_runs import opened, researched
from wires import Asked, Scripted, serve

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


LEAD = f"{SECRET} pockets"


class Curious(Scholar):
    """Wants everything looked up that a passage names."""

    def read(self, prompt: str) -> dict[str, object]:
        """Read soundly, and lead to the word that only the note has."""
        return {**super().read(prompt), "leads": [{"query": LEAD}] * (SECRET in prompt)}

    def assess(self, prompt: str) -> dict[str, object]:
        """Call a point thin, and ask for that word again."""
        queries = [f"ice {SECRET} lattice", "why ice swims"]
        return {"sufficiency": 2, "open": [{"point_id": "d1", "status": "thin", "missing": "why", "queries": queries}]}


async def test_with_a_local_model_that_model_alone_is_told_what_a_collection_says(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "ice.md").write_text(NOTE)
    heard: list[str] = []

    def answer(asked: Asked) -> object:
        heard.append(repr(asked["body"]))
        return Curious().answer(asked)

    with collecting() as otlp:
        async with small_web() as web, receiving() as hook, serve(Scripted(answer)) as model:
            hooks = {"url": hook.url, "secret": SecretStr(HOOK_SECRET), "allow_private": [hook.place]}
            more = {
                "webhooks": hooks,
                "telemetry": {"otlp_endpoint": otlp.url, "analytics_url": f"{hook.url}/analytics"},
                "research": {"stop_score": 11},
            }
            async with opened(tmp_path / "home", web, model, more=more) as jobs:
                await collect(jobs.runtime, "notes", [str(folder)])
                run = await researched(jobs, collections=["notes"], model="openai:scholar", effort="standard")

    told = [body.decode() for _, body in hook.got]
    assert run.status in {"completed", "partial"}, run.error
    assert run.provenance
    assert SECRET in run.report
    assert any(SECRET in one for one in heard)
    assert LEAD in [one.query for one in run.provenance.searched if one.engine == "local"]
    assert "why ice swims" in web.asked
    assert {"research.run.ended", "anonymous_id"} <= {name for one in told for name in one.split('"')}
    assert otlp.spans
    elsewhere = (*web.asked, *web.missed, *told, otlp.raw.decode("latin-1"))
    assert [one for one in elsewhere if SECRET in one] == []

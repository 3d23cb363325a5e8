from pathlib import Path

from tests.search.scripted_engines import QUERY, Scripted

from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.jobs.lookups import search_web
from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.search.redacting import RedactingEngine, redacted_hits
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.text.redaction import MASK
from deepresearch_mcp.web.masking import Masking
from small_web import settings_for, small_web
from whole_runs import researched

MAIL = "jane.doe@clinic.example"
HIT = Hit(url=f"https://clinic.example/{MAIL}", title=f"Write to {MAIL}", snippet=f"{MAIL}, 536-90-4399", score=1.0)


def redacting(home: Path, base: str) -> Settings:
    settings = settings_for(home, base)
    return settings.model_copy(update={"web": settings.web.model_copy(update={"redact": ("email",)})})


def files_with(words: str, folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and words.encode() in file.read_bytes()]


async def test_titles_and_snippets_are_masked_and_addresses_stay() -> None:
    masked = MASK * len(MAIL)

    [hit] = await RedactingEngine(Scripted([HIT]), Masking(["email"])).search(QUERY)

    assert hit == HIT.model_copy(update={"title": f"Write to {masked}", "snippet": f"{masked}, 536-90-4399"})
    assert await redacted_hits([HIT], None) == (HIT,)


async def test_a_search_shows_no_such_data_and_neither_does_an_answer_from_before(tmp_path: Path) -> None:
    async with small_web() as web:
        web.snippet = f"Ice floats. Ask {MAIL} why."
        async with open_runtime(settings_for(tmp_path, web.base)) as runtime:
            before = await search_web(runtime, "ice")
        async with open_runtime(redacting(tmp_path, web.base)) as runtime:
            again = await search_web(runtime, "ice")
            new = await search_web(runtime, "snow")

    assert web.asked == ["ice", "snow"]
    assert MAIL in before.hits[0].snippet
    for found in (again, new):
        assert MAIL not in repr(found)
        assert found.hits[0].snippet == f"Ice floats. Ask {MASK * len(MAIL)} why."


async def test_a_run_stores_no_such_data_of_hits(tmp_path: Path) -> None:
    async with small_web() as web:
        web.snippet = f"Ice floats. Ask {MAIL} why."
        async with open_runtime(redacting(tmp_path, web.base)) as runtime, open_jobs(runtime) as jobs:
            run = await researched(jobs)

    assert web.asked
    assert MAIL not in run.model_dump_json()
    assert not files_with(MAIL, tmp_path)

import io
import re
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.jobs.collecting import collect, search_collections
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.records.specs import FORMATS
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.project import is_installed
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.text.redaction import MASK
from deepresearch_mcp.viewer.formats import written
from deepresearch_mcp.web.masking import Masking, masking_of
from small_web import settings_for, small_web
from whole_runs import researched


class Names:
    """A finder of one name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked: list[str] = []
        self.threads: set[int] = set()

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        self.asked.append(text)
        self.threads.add(threading.get_ident())
        yield from (found.span() for found in re.finditer(self.name, text))


async def test_what_patterns_and_finder_know_is_masked_and_lines_stay() -> None:
    names = Names("Ann\\s+Lee")

    masked = await Masking(["email"], names).masked(["Ask Ann\nLee (ann@lee.example).", ""])

    assert masked == [f"Ask {MASK * 3}\n{MASK * 3} ({MASK * 15}).", ""]
    assert names.threads.isdisjoint({threading.get_ident()})


async def test_a_text_that_is_clean_is_not_searched_again() -> None:
    names = Names("Ann")
    masking = Masking([], names)

    first = await masking.masked(["Ann is here."])
    searched = len(names.asked)

    assert await masking.masked(first) == first == [f"{MASK * 3} is here."]
    assert len(names.asked) == searched == 2


def test_nothing_masks_where_nothing_is_to_be_masked() -> None:
    assert masking_of(()) is None


@pytest.mark.parametrize("kinds", [("name",), ("presidio:person",), ("email", "presidio:")])
def test_a_kind_that_there_is_not_is_refused_with_those_there_are(kinds: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="email, phone, card, iban, ssn, and with the extra presidio"):
        WebSettings(redact=kinds)


@pytest.mark.skipif(is_installed("presidio"), reason="the extra is installed")
def test_presidio_without_its_extra_is_an_error_that_says_how_to_add_it() -> None:
    kinds = WebSettings(redact=("email", "presidio")).redact

    with pytest.raises(SettingsError, match=r"extra presidio is not installed.*presidio-analyzer, or take"):
        masking_of(kinds)


async def test_what_is_masked_is_in_no_page_event_report_or_export_and_not_in_what_is_found_later(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "ice.md").write_text(f"# Ice\n\nIce floats on water because it is light, says {MAIL} ({PHONE}).\n")
    async with small_web() as web:
        web.more = f"Ice floats on water, says {MAIL}, {PHONE}."
        web.snippet = web.more
        table = settings_for(tmp_path / "home", web.base)
        masked = table.web.model_copy(update={"redact": ("email", "phone")})
        async with open_runtime(table.model_copy(update={"web": masked})) as runtime, open_jobs(runtime) as jobs:
            await collect(runtime, "notes", [str(folder)])
            run = await researched(jobs, collections=["notes"])
            events = await runtime.store.events.of(run.run_id, limit=10_000)
            found = await search_collections(runtime, "ice floats", collections=(), where=(), limit=10)
            files = [await written(run, spec, runtime.store.documents) for spec in FORMATS if not spec.extra]
            texts = [await runtime.store.documents.text(one.snapshot) for one in run.sources]

    assert run.status == "completed", run.error
    assert any(MASK * 5 in (text or "") for text in texts)
    assert any(one.url.startswith("library:") for one in run.sources)
    assert any(one.collection for one in found)
    for shown in (run.model_dump_json(), repr(events), repr(found), repr(texts), *map(unpacked, files)):
        assert MAIL not in shown
        assert PHONE not in shown


MAIL, PHONE = "jane.doe@clinic.example", "415-555-2671"


def unpacked(file: bytes) -> str:
    if not file.startswith(b"PK"):
        return file.decode()
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())

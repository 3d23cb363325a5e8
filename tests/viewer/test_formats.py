from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.specs import FORMATS
from deepresearch_mcp.settings.project import EXTRAS
from deepresearch_mcp.viewer.formats import check_ready, format_named, format_of, written

NO_DOCUMENTS: Any = None
"""A run that quotes nothing has no text looked up."""
RUN = Run(run_id="r", status="completed", stage="ended", question="Why?", report="# Ice\n\nIt floats.\n")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.html", "html"),
        ("a.HTM", "html"),
        ("a.json", "json"),
        ("a", "md"),
        ("a.csl.json", "csl-json"),
        ("a.bib", "bibtex"),
        ("a.PDF", "pdf"),
        ("a.docx", "docx"),
    ],
)
def test_a_files_suffix_says_its_format(name: str, form: str) -> None:
    assert format_of(Path(name)).name == form


def test_a_suffix_or_a_name_of_no_format_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidRequest, match=r"as \.gz\. Name a file that ends in \.md, \.html") as suffix:
        format_of(Path("report.md.gz"))
    with pytest.raises(InvalidRequest, match=r"no format 'gz'\. Use md, html") as name:
        format_named("gz")
    for spec in FORMATS:
        assert spec.suffixes[0] in str(suffix.value)
        assert spec.name in str(name.value)


async def test_a_run_is_written_in_every_format() -> None:
    made = {spec.name: await written(RUN, spec, NO_DOCUMENTS) for spec in FORMATS}

    assert made["md"].decode() == RUN.report
    assert made["html"].startswith(b"<!doctype html>")
    assert Run.model_validate_json(made["json"]) == RUN
    assert made["docx"].startswith(b"PK")
    assert made["pdf"].startswith(b"%PDF-")
    assert {spec.name for spec in FORMATS if spec.binary} == {"docx", "pdf"}


def test_a_format_without_its_extra_says_so_before_anything_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = format_named("pdf")._replace(extra="nothing")
    monkeypatch.setitem(EXTRAS, "nothing", ("no_such_package",))

    check_ready(format_named("docx"))
    with pytest.raises(SettingsError, match=r"pdf needs the extra nothing\. .*doctor"):
        check_ready(lacking)

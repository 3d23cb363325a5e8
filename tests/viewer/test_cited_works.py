import json
import re
from typing import Any

from deepresearch_mcp.records.quality import Quality
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.viewer.cited_works import as_bibtex, as_csl_json, as_ris, works_of
from exported_runs import HOSTILE_TITLE, MVCC, WAL, cited, run_of, source

NO_DOCUMENTS: Any = None
REVIEWED = Quality(
    score=1, authority=1, author=1, content=1, external=1, recency=1, relevance=1, kind="paper", peer_reviewed=True,
    standing="good",
)  # fmt: skip


def with_sources(*rows: Any) -> Run:
    citations = tuple(cited(number, "", "words", row.url) for number, row in enumerate(rows, 1))
    return run_of(sources=rows, citations=citations)


def test_the_cited_sources_come_in_the_order_of_their_numbers() -> None:
    works = works_of(run_of())

    assert [(one.number, one.url) for one in works] == [(1, MVCC), (2, WAL)]
    assert works[0].authors == ("Ann Bö", "PostgreSQL Group")
    assert [one.number for one in works_of(run_of(citations=()))] == [0, 0, 0]


async def test_bibtex_names_page_author_day_and_the_text_that_was_read() -> None:
    text = await as_bibtex(run_of(), NO_DOCUMENTS)

    assert text.startswith("@misc{postgresql2026-1,\n  title = {{Concurrency Control}},\n")
    assert "author = {{Ann Bö} and {PostgreSQL Group}}," in text
    assert f"url = {{{MVCC}}}," in text
    assert "urldate = {2026-11-28}," in text
    assert "date = {2026-02-12}," in text
    assert "ab" * 32 in text
    assert text.count("@") == 2


async def test_no_title_ends_a_bibtex_entry_or_begins_a_command() -> None:
    text = await as_bibtex(
        with_sources(source(1, HOSTILE_TITLE, 'https://doi.org/10.1000/x}"{', site="a.b")), NO_DOCUMENTS
    )

    inside = text.partition("\n")[2]
    assert inside.count("{") == inside.count("}") - 1
    depth = 0
    for line in inside.splitlines():
        assert depth == 0  # Each field is one line, and closes what it opens.
        depth += line.count("{") - line.count("}") + (line == "}")
    title = next(line for line in text.splitlines() if line.startswith("  title"))
    assert "\\textbackslash{}input" in title
    assert not re.search(r"(?<!\\)[$#%&_]", title)
    assert "url = {https://doi.org/10.1000/x%7D%22%7B}," in text


async def test_csl_json_is_a_list_of_items() -> None:
    papers = source(2, "A trial", "https://doi.org/10.1000/182", quality=REVIEWED, language="en")
    [page, paper] = json.loads(await as_csl_json(with_sources(source(1, HOSTILE_TITLE, WAL), papers), NO_DOCUMENTS))

    assert (page["type"], page["URL"], page["accessed"]) == ("webpage", WAL, {"date-parts": [[2026, 11, 28]]})
    assert page["title"] == " ".join(HOSTILE_TITLE.split())
    assert "issued" not in page
    assert (paper["type"], paper["DOI"], paper["citation-label"]) == ("article-journal", "10.1000/182", "2")


async def test_a_ris_record_ends_only_where_it_ends() -> None:
    rows = (source(1, HOSTILE_TITLE, WAL, author="X\r\nER  - , Y"), source(2, "File", "library://notes/a.pdf"))

    text = await as_ris(with_sources(*rows), NO_DOCUMENTS)

    lines = [line for line in text.split("\r\n") if line]
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - [^\r\n]*", line) for line in lines)
    assert [line[:2] for line in lines].count("ER") == 2
    assert "AU  - X ER -" in lines
    second = lines[lines.index("TY  - GEN") :]
    assert not [line for line in second if line.startswith("UR")]
    assert any("library://notes/a.pdf" in line for line in second)


async def test_a_run_without_sources_has_an_empty_list() -> None:
    run = run_of(sources=(), citations=())

    assert json.loads(await as_csl_json(run, NO_DOCUMENTS)) == []
    assert (await as_ris(run, NO_DOCUMENTS), (await as_bibtex(run, NO_DOCUMENTS)).strip()) == ("", "")

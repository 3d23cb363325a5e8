"""The list of references."""

from datetime import date

import pytest

from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.references import QUOTE_RECOGNISED, QUOTE_SHOWN, references, version_of
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Citation, Sentence
from deepresearch_mcp.records.sources import Document
from pipeline_fakes import claim, page

ICE = page("https://one.example/ice", "Ice floats. It is light.", title="All about [ice]").model_copy(
    update={"published": date(2026, 2, 12)}
)
PDF = page("https://two.example/ice.pdf", "Ice floats\nin print.").model_copy(update={"kind": "pdf"})
BOOK = page("library://books/ice.md", "Ice floats in books.", title="Books").model_copy(update={"kind": "markdown"})


def cited(*claims: Claim, documents: tuple[Document, ...] = (ICE, PDF, BOOK)) -> tuple[Citation, ...]:
    said = [Sentence(text=one.text, claim_ids=(one.claim_id,)) for one in claims]
    return Numbering({one.claim_id: one for one in claims}, {one.source_id: one for one in documents}, said).citations()


DOCUMENTS = {one.source_id: one for one in (ICE, PDF, BOOK)}


def test_each_reference_says_where_the_words_stand_and_when_they_were_read():
    lines = references(cited(*(claim(one, one.text) for one in (PDF, BOOK))), DOCUMENTS).markdown.splitlines()

    assert lines == [
        "- [1] “https\\:/\\/two.example/ice.pdf”, two.example, undated, PDF, read 2026-11-20",
        "  - “Ice floats in print.” [↗](<https://two.example/ice.pdf>)",
        "- [2] “Books”, books, undated, MARKDOWN, read 2026-11-20",
        "  - “Ice floats in books.” library:/\\/books/ice\\.md",
    ]


def test_the_quotes_of_one_source_stand_below_its_one_entry():
    citations = cited(claim(ICE, "Ice floats."), claim(PDF, "in print."), claim(ICE, "It is light."))

    lines = references(citations, DOCUMENTS, {ICE.source_id: "official"}).markdown.splitlines()

    assert lines == [
        r"- [1] “All about \[ice\]”, one.example, 2026-02-12, official, read 2026-11-20",
        "  - a “Ice floats.” [↗](<https://one.example/ice#:~:text=Ice%20floats.>)",
        "  - b “It is light.” [↗](<https://one.example/ice#:~:text=It%20is%20light.>)",
        "- [2] “https\\:/\\/two.example/ice.pdf”, two.example, undated, PDF, read 2026-11-20",
        "  - “in print.” [↗](<https://two.example/ice.pdf>)",
    ]


def test_a_long_quote_is_shortened_in_the_list_alone():
    text = "Ice floats on water because it is lighter, " * 9
    long = page("https://long.example/", text.strip(), title="Long")
    [citation] = cited(claim(long, long.text), documents=(long,))

    line = references([citation], {long.source_id: long}).markdown

    assert "…”" in line
    assert len(line.split("- “")[1].split("”")[0]) <= QUOTE_SHOWN
    assert citation.quote == long.text


def test_many_quotes_beside_a_short_text_are_shown_shorter_but_can_be_recognised():
    words = [
        f"Ice number {at} floats on water because it is lighter than the water that is all around it here"
        for at in range(9)
    ]
    long = page("https://long.example/", ". ".join([*words, ""]).strip(), title="Long")
    citations = cited(*(claim(long, f"{one}.") for one in words), documents=(long,))

    full = references(citations, {long.source_id: long}).markdown
    short = references(citations, {long.source_id: long}, beside=900).markdown
    roomy = references(citations, {long.source_id: long}, beside=9_000).markdown

    shown = [line.split("“")[1].split("”")[0] for line in short.splitlines()[1:]]
    assert "all around it here.”" in full
    assert roomy == full
    assert len(shown) == 9
    assert all(one.startswith("Ice number") and len(one) <= QUOTE_RECOGNISED and one.endswith("…") for one in shown)


def test_a_quote_is_shown_without_the_mark_of_its_item_or_row():
    listed = page("https://list.example/", "- Ice floats.\n- Salt sinks.", title="List")

    shown = references(cited(claim(listed, "- Ice floats."), documents=(listed,)), {listed.source_id: listed}).markdown

    assert "  - “Ice floats.” [↗]" in shown


@pytest.mark.parametrize(
    ("url", "title", "version"),
    [
        ("https://docs.ice.example/en/3.2/topics/", "Topics", "version 3.2"),
        ("https://ice.example/docs/18/wal.html", "WAL", "version 18"),
        ("https://ice.example/docs/18/wal.html", "Ice: Documentation: 18: WAL", ""),
        ("https://ice.example/en/v2.10.1/", "Ice 2.10", "version 2.10.1"),
        ("https://ice.example/2026/11/20/news", "News", ""),
        ("https://ice.example/18/", "Eighteen", ""),
        ("https://ice.example/docs/current/?v=3.2", "Now", ""),
    ],
)
def test_a_version_in_the_address_is_told_where_the_title_does_not_tell_it(url: str, title: str, version: str):
    assert version_of(page(url, "Ice.", title=title)) == version

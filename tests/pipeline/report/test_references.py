"""The list of references."""

from datetime import date, timedelta

import pytest

from deepresearch_mcp.cited_text.parse import parse_cited_text
from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.references import QUOTE_SHOWN, references, version_of
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Citation, Sentence
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.citations import named_quotes
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
        "All read on 2026-11-20.",
        "",
        "- [1] “https\\:/\\/two.example/ice.pdf” [↗](<https://two.example/ice.pdf>), two.example, undated, PDF",
        "  - “Ice floats in print.”",
        "- [2] “Books” library:/\\/books/ice\\.md, books, undated, MARKDOWN",
        "  - “Ice floats in books.”",
    ]


def test_words_of_a_collection_are_found_by_their_page_and_the_heading_above_them():
    [one] = cited(claim(BOOK, BOOK.text))
    leaf = one.model_copy(update={"page": 12, "heading": "Ice › In [books]"})

    lines = references([leaf, one.model_copy(update={"part": "b"})], DOCUMENTS).markdown.splitlines()

    assert lines[-1] == r"  - “Ice floats in books.”, p. 12, under In \[books\] · b “Ice floats in books.”"


def test_a_citation_names_the_headings_above_its_words_without_the_title():
    said = claim(BOOK, BOOK.text)
    quote = said.quotes[0].model_copy(update={"heading": "Books › Ice › Floating"})

    [one] = cited(said.model_copy(update={"quotes": (quote,)}))

    assert one.heading == "Ice › Floating"


def test_pages_that_were_read_on_different_days_have_each_their_own():
    later = PDF.model_copy(update={"read_at": PDF.read_at + timedelta(days=1)})
    documents = {one.source_id: one for one in (ICE, later)}
    citations = cited(claim(ICE, "Ice floats."), claim(later, "in print."), documents=(ICE, later))

    first, _, second, _ = references(citations, documents).markdown.splitlines()

    assert first.endswith(", 2026-02-12, read 2026-11-20")
    assert second.endswith(", undated, PDF, read 2026-11-21")


def test_the_quotes_of_one_source_stand_in_one_line_below_its_entry():
    citations = cited(claim(ICE, "Ice floats."), claim(PDF, "in print."), claim(ICE, "It is light."))

    _, _, *lines = references(citations, DOCUMENTS, {ICE.source_id: "official"}).markdown.splitlines()

    assert lines == [
        r"- [1] “All about \[ice\]” [↗](<https://one.example/ice#:~:text=Ice%20floats.&text=It%20is%20light.>), "
        "one.example, 2026-02-12, official",
        "  - a “Ice floats.” · b “It is light.”",
        "- [2] “https\\:/\\/two.example/ice.pdf” [↗](<https://two.example/ice.pdf>), two.example, undated, PDF",
        "  - “in print.”",
    ]


def test_a_long_quote_is_shown_by_how_it_begins_in_the_list_alone():
    text = f"{'Ice floats on water, because it is lighter, ' * 9}as a rule."
    long = page("https://long.example/", text, title="Long")
    [citation] = cited(claim(long, text), documents=(long,))

    said = "Ice floats on water, because it is lighter, Ice floats on"
    assert f"\n  - “{said}…”" in references([citation], {long.source_id: long}).markdown
    assert citation.quote == text


def test_only_quotes_that_the_text_names_are_listed_and_the_others_counted():
    more = page("https://more.example/", "One. Two. Three.", title="More")
    said = (
        *(claim(ICE, one) for one in ("Ice floats.", "It is light.")),
        *(claim(more, f"{n}.") for n in ("One", "Two", "Three")),
    )
    citations = cited(*said, documents=(ICE, more))

    listed = references(citations, {one.source_id: one for one in (ICE, more)}, named={"1b"}).markdown.splitlines()

    assert listed[3] == "  - b “It is light.”"
    assert listed[4].startswith("- [2] “More” [↗](<https://more.example/#:~:text=One.>)")
    assert listed[5] == "  - a “One.”"


def test_words_without_end_are_cut():
    text = "氷は水に浮く。" * 90
    long = page("https://long.example/", text, title="Long")

    line = references(cited(claim(long, text), documents=(long,)), {long.source_id: long}).markdown

    assert len(line.split("- “")[1].split("”")[0]) <= QUOTE_SHOWN


def test_each_mark_of_a_text_is_led_to_its_own_quote():
    quotes = (claim(ICE, "Ice floats."), claim(PDF, "in print."), claim(ICE, "It is light."))
    text = "Ice floats well [1a]. It is a light solid [1b, 2]."
    listed = references(cited(*quotes), DOCUMENTS, named=named_quotes(text))
    found = parse_cited_text(f"# Ice\n\n{text}\n\n## References\n\n{listed.markdown}\n")

    assert [[mark.url for mark in one.marks] for one in found.claims] == [
        ["https://one.example/ice#:~:text=Ice%20floats."],
        ["https://one.example/ice#:~:text=It%20is%20light.", "https://two.example/ice.pdf"],
    ]
    assert (found.dangling, found.unused, found.uncited) == ((), (), ())


def test_marks_lead_to_the_pages_and_the_beginnings_of_long_quotes_again():
    text = f"{'Ice floats on water, because it is lighter, ' * 9}as a 'rule'."
    long = page("https://long.example/", f"{text} It melts. Salt ends “a” · b “early”.", title="Long")
    paged = PDF.model_copy(update={"pages": ((0, 11), (4, 12))})
    words = (text, "It melts.", "Salt ends “a” · b “early”.")
    quoted = (*(claim(long, one) for one in words), claim(paged, "Ice"), claim(paged, "print."))
    listed = references(cited(*quoted, documents=(long, paged)), {one.source_id: one for one in (long, paged)})

    said = "Ice floats well [1a]. It melts slowly [1b,c]. It prints fast [2a]. It prints twice [2b]."
    found = parse_cited_text(f"# Ice\n\n{said}\n\n## References\n\n{listed.markdown}\n")

    assert [[mark.url for mark in one.marks] for one in found.claims] == [
        [
            "https://long.example/#:~:text=Ice%20floats%20on%20water%2C%20because%20it%20is%20lighter%2C%20Ice%20floats%20on"
        ],
        [
            "https://long.example/#:~:text=It%20melts.",
            "https://long.example/#:~:text=Salt%20ends%20%E2%80%98a%E2%80%99%20%C2%B7%20b%20%E2%80%98early%E2%80%99.",
        ],
        ["https://two.example/ice.pdf#page=11"],
        ["https://two.example/ice.pdf#page=12"],
    ]


def test_a_quote_is_shown_without_the_mark_of_its_item_or_row():
    listed = page("https://list.example/", "- Ice floats.\n- Salt sinks.", title="List")

    shown = references(cited(claim(listed, "- Ice floats."), documents=(listed,)), {listed.source_id: listed}).markdown

    assert "\n  - “Ice floats.”" in shown


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


def test_words_of_a_printed_page_have_its_number_and_their_link_opens_it():
    paged = PDF.model_copy(update={"pages": ((0, 11), (4, 12))})
    citations = cited(claim(paged, "floats"), documents=(paged,))

    lines = references(citations, {paged.source_id: paged}).markdown.splitlines()

    assert lines[-2].startswith("- [1] “https\\:/\\/two.example/ice.pdf” [↗](<https://two.example/ice.pdf#page=12>)")
    assert lines[-1] == "  - “floats”, p. 12"
    assert [one.page for one in citations] == [12]


def test_words_that_go_over_the_end_of_a_page_name_both():
    paged = PDF.model_copy(update={"pages": ((0, 24), (4, 25))})
    citations = cited(claim(paged, "Ice floats"), documents=(paged,))

    listed = references(citations, {paged.source_id: paged}).markdown

    assert listed.splitlines()[-1] == "  - “Ice floats”, p. 24–25"
    found = parse_cited_text(f"# Ice\n\nIce floats well [1].\n\n## References\n\n{listed}\n")
    assert [[mark.url for mark in one.marks] for one in found.claims] == [["https://two.example/ice.pdf#page=24"]]


def test_marks_that_name_quotes_of_a_file_of_a_library_are_found_again():
    books = page("library://books/ice.pdf", "Ice floats.\nIce melts.", title="Ice").model_copy(
        update={"kind": "pdf", "pages": ((0, 3), (12, 4))}
    )
    listed = references(
        cited(claim(books, "Ice floats."), claim(books, "Ice melts."), documents=(books,)), {books.source_id: books}
    )
    found = parse_cited_text(
        f"# Ice\n\nIce floats well [1a]. It melts slowly [1b].\n\n## References\n\n{listed.markdown}\n"
    )

    assert [len(one.marks) for one in found.claims] == [1, 1]
    assert (found.dangling, found.unused, found.uncited) == ((), (), ())

import pytest

from deepresearch_mcp.records.run import Run
from deepresearch_mcp.viewer import report_tree as tree
from exported_runs import HOSTILE, run_of


def lines(blocks: tuple[tree.Block, ...]) -> list[tree.Words]:
    """Every stretch of words below some blocks."""
    found: list[tree.Words] = []
    for block in blocks:
        match block:
            case tree.Heading(_, line) | tree.Paragraph(line):
                found += line
            case tree.Listing(items):
                found += [words for item in items for words in lines(item)]
            case tree.Grid(head, rows):
                found += [words for row in (head, *rows) for cell in row for words in cell]
            case tree.Quoted(inside):
                found += lines(inside)
            case tree.Listed() | tree.Rule():
                pass
    return found


def test_a_report_becomes_headings_paragraphs_lists_and_tables() -> None:
    blocks = tree.tree_of(run_of())

    kinds = [type(one).__name__ for one in blocks]
    assert kinds[:5] == ["Heading", "Paragraph", "Paragraph", "Heading", "Grid"]
    assert {"Listing", "Listed", "Quoted", "Rule"} <= set(kinds)
    steps = next(one for one in blocks if isinstance(one, tree.Listing) and one.ordered)
    assert [type(one).__name__ for one in steps.items[1]] == ["Paragraph", "Listing"]
    assert tree.title_of(run_of(), blocks) == "How do PostgreSQL and SQLite handle concurrent writers?"


def test_a_mark_leads_to_its_reference_and_that_to_its_page() -> None:
    words = lines(tree.tree_of(run_of()))

    marks = {(one.text, one.source) for one in words if one.source}
    assert marks == {("1", 1), ("2", 2), ("2a,c", 2), ("2b", 2)}
    assert [one.text for one in words if one.link] == ["↗", "↗"]
    entries = [
        paragraph.reference
        for block in tree.tree_of(run_of())
        if isinstance(block, tree.Listing)
        for item in block.items
        for paragraph in item
        if isinstance(paragraph, tree.Paragraph) and paragraph.reference
    ]
    assert entries == [1, 2]


def test_what_a_page_writes_like_a_mark_is_none() -> None:
    words = lines(tree.tree_of(run_of()))

    said = next(number for number, one in enumerate(words) if one.text.startswith("A page says"))
    assert not any(one.source for one in words[said : said + 4])
    assert any("<b>" in one.text for one in words)


def test_a_mark_without_an_entry_leads_nowhere() -> None:
    blocks = tree.tree_of(run_of("# A\n\nWords [1], and others [2].\n"))

    assert not any(one.source for one in lines(blocks))


def test_a_hostile_report_has_no_link_no_picture_and_no_invisible_character() -> None:
    words = lines(tree.tree_of(run_of(HOSTILE)))

    assert not any(one.link for one in words)
    text = "".join(one.text for one in words)
    assert "<script>" in text
    assert "pic" in text
    assert not set(text) & {"\x00", "\x08", "\ufffe", "\ud800", "\u202e"}


def test_columns_have_room_for_their_words_and_share_the_rest() -> None:
    grid = next(one for one in tree.tree_of(run_of()) if isinstance(one, tree.Grid))
    wild = next(one for one in tree.tree_of(run_of(HOSTILE)) if isinstance(one, tree.Grid))

    shares = grid.shares()
    assert sum(shares) == pytest.approx(1)
    assert shares[1] == max(shares)
    assert shares[3] < 0.2
    assert min(wild.shares()) > 0.04
    assert max(wild.shares()) < 0.5


def test_the_foot_of_a_page_names_report_day_and_run() -> None:
    assert tree.footer_of(run_of(), "Title") == "Title · 2026-11-28 · run 7k2m9qd4x0w5"
    bare = Run(run_id="r", status="completed", stage="ended", question="Why?")
    assert tree.footer_of(bare, "Title") == "Title · run r"
    assert tree.title_of(bare, ()) == "Why?"
    assert tree.footer_of(bare, "冰" * 40, 50) == f"{'冰' * 24}… · run r"

from datetime import date

from deepresearch_mcp.web.documents.archives import Archive
from deepresearch_mcp.web.documents.epub import parse_epub
from office_files import book, zipped

TODAY = date(2026, 11, 20)


def test_chapters_follow_each_other_with_their_headings() -> None:
    page = parse_epub(Archive(book("<h1>One</h1><p>Ice <b>floats</b>.</p>", "<p>Water sinks.</p>")), 1_000, TODAY)

    assert page.get("text") == "# One\n\nIce floats.\n\nWater sinks."
    assert (page.get("title"), page.get("author"), page.get("published")) == ("On ice", "Ada", "2024-03-05")


def test_a_book_without_a_list_of_chapters_has_no_text() -> None:
    page = parse_epub(Archive(zipped({"mimetype": "application/epub+zip"})), 1_000, TODAY)

    assert page.get("reason") == "empty"

import pytest

from deepresearch_mcp.web.pages.page_links import canonical_of, next_of
from deepresearch_mcp.web.pages.tree import Node, load_page


def tree(head: str = "", body: str = "<p>Text</p>") -> Node:
    found = load_page(f"<html><head>{head}</head><body>{body}</body></html>")
    assert found is not None
    return found


def declared(href: str) -> str:
    return f'<link rel="canonical" href="{href}">'


@pytest.mark.parametrize(
    ("url", "href", "found"),
    [
        ("https://a.org/x?sessionid=1", "/x", "https://a.org/x"),
        ("https://m.a.org/x", "https://www.a.org/x", "https://www.a.org/x"),
        ("https://a.org/x/amp/", "https://a.org/x/", "https://a.org/x/"),
        ("https://a.org/amp/x", "https://a.org/x", "https://a.org/x"),
        ("https://a.org/x.amp.html", "https://a.org/x.html", "https://a.org/x.html"),
        ("http://a.org/x", "https://a.org/x", "https://a.org/x"),
        ("https://a.org/x?id=3&sort=up", "https://a.org/x?id=3", "https://a.org/x?id=3"),
    ],
)
def test_a_page_names_itself_by_another_spelling(url: str, href: str, found: str) -> None:
    assert canonical_of(tree(declared(href)), url) == found


@pytest.mark.parametrize(
    ("url", "head"),
    [
        ("https://a.org/x", declared("https://a.org/x")),
        ("https://a.org/x", declared("https://other.org/x")),
        ("https://a.org/x", declared("/")),
        ("https://a.org/3.8/x", declared("/3/x")),
        ("https://a.org/x?page=2", declared("/x")),
        ("https://a.org/x?id=3", declared("/x")),
        ("https://de.a.org/x", declared("https://en.a.org/x")),
        ("https://a.org:8080/x", declared("https://a.org/x?b=1")),
        ("https://a.org/x?s1=a", declared("/x") + declared("/y")),
        ("https://a.org/x", declared("http://[")),
        ("https://a.org/x", "<link rel=canonical>"),
    ],
    ids=[
        "itself",
        "another site",
        "the front page",
        "another version",
        "page 2",
        "an id",
        "another language",
        "another port",
        "two",
        "broken",
        "empty",
    ],
)
def test_an_address_of_another_page_is_not_believed(url: str, head: str) -> None:
    assert canonical_of(tree(head), url) == ""


@pytest.mark.parametrize(
    ("url", "body", "found"),
    [
        ("https://a.org/story", "<a href='/story?page=2'>Next page »</a>", "https://a.org/story?page=2"),
        ("https://a.org/story?page=2&x=1", "<a href='?x=1&page=3' rel='next'>3</a>", "https://a.org/story?x=1&page=3"),
        ("https://a.org/story", "<a href='/story/2'>2</a>", "https://a.org/story/2"),
        ("https://a.org/story/2/", "<a href='/story/3/'>Weiter</a>", "https://a.org/story/3/"),
        ("https://a.org/threads/x.12/", "<a href='/threads/x.12/page-2'>Next</a>", "https://a.org/threads/x.12/page-2"),
        ("https://a.org/story.html", "<a href='story_page-2.html'>»</a>", "https://a.org/story_page-2.html"),
        ("https://a.org/story", "<a href='/story?page=2#top'>suivant</a>", "https://a.org/story?page=2"),
    ],
)
def test_a_story_goes_on_at_the_same_address_with_the_next_number(url: str, body: str, found: str) -> None:
    assert next_of(tree(body=body), url) == found


@pytest.mark.parametrize(
    ("url", "kinds", "found"),
    [
        ("https://a.org/story", {"newsarticle", "breadcrumblist"}, True),
        ("https://a.org/story", set[str](), True),
        ("https://a.org/threads/x.12", {"website"}, True),
        ("https://a.org/kettles", {"website"}, False),
        ("https://a.org/kettles", {"collectionpage", "itemlist"}, False),
    ],
)
def test_a_list_that_declares_itself_is_not_continued(url: str, kinds: set[str], *, found: bool) -> None:
    assert bool(next_of(tree(body=f"<a rel='next' href='{url}?page=2'>Next</a>"), url, kinds)) is found


@pytest.mark.parametrize(
    ("url", "body"),
    [
        ("https://a.org/docs/intro.html", "<a rel='next' href='install.html'>Next</a>"),
        ("https://a.org/2024/05/03", "<a rel='next' href='/2024/05/04'>Next</a>"),
        ("https://a.org/story-a", "<a rel='next' href='/story-b'>Next article</a>"),
        ("https://a.org/", "<a rel='next' href='/?page=2'>Older</a>"),
        ("https://a.org/blog", "<a rel='next' href='/blog/page/2'>Older</a>"),
        ("https://a.org/tag/ice", "<a rel='next' href='/tag/ice/page/2'>Older</a>"),
        ("https://a.org/story", "<a href='/story?page=3'>3</a>"),
        ("https://a.org/story", "<a href='/story?page=2'>A poll in this story</a>"),
        ("https://a.org/story?page=2", "<a href='/story?page=1'>Next</a>"),
        ("https://a.org/story", "<a href='https://b.org/story?page=2'>Next</a>"),
        ("https://a.org/story?page=50", "<a href='/story?page=51'>Next</a>"),
        ("no address", "<a href='/story?page=2'>Next</a>"),
    ],
    ids=[
        "a chapter",
        "a day",
        "an article",
        "a front page",
        "a blog",
        "a tag",
        "not the next",
        "another link",
        "back",
        "another site",
        "endless",
        "no address",
    ],
)
def test_other_documents_are_no_continuation(url: str, body: str) -> None:
    assert next_of(tree(body=body), url) == ""

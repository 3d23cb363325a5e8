from typing import Any

import pytest

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.records.sources import Link
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.next_pages import CONTINUED, with_next_pages
from deepresearch_mcp.web.parsed_page import ParsedPage

URL = "https://a.org/story"


def address(number: int) -> str:
    return f"{URL}?page={number}"


def part(number: int, following: str | None = None, **facts: Any) -> ParsedPage:
    text = f"# Story\n\nPart {number}.\n\nAll rights reserved."
    return ParsedPage("html", text, next_page=address(number + 1) if following is None else following, **facts)


class Site:
    """Serves the parts of a story, without end."""

    def __init__(self, **odd: ParsedPage | str) -> None:
        self.odd = odd
        self.asked: list[str] = []

    async def read(self, url: str) -> tuple[Fetched, ParsedPage]:
        self.asked.append(url)
        number = url.rpartition("=")[2]
        found = self.odd.get(f"p{number}", part(int(number)))
        if found == "missing":
            raise FetchFailed(url, "not_found", "There is no page at this address.")
        if isinstance(found, str):
            return Fetched(url, found, 200, "text/html", "", b""), part(int(number))
        return Fetched(url, url, 200, "text/html", "", b""), found


async def test_the_parts_of_a_story_are_one_text_within_the_limit() -> None:
    site = Site()

    whole = await with_next_pages(URL, part(1, links=(Link(url="https://b.org/"),)), site.read, 2, 9_000)

    assert whole.text == "# Story\n\nPart 1.\n\nAll rights reserved.\n\nPart 2.\n\nPart 3."
    assert whole.also == (address(2), address(3))
    assert site.asked == [address(2), address(3)]
    assert CONTINUED in whole.flags
    assert whole.screening is None


async def test_the_last_part_ends_the_story() -> None:
    whole = await with_next_pages(URL, part(1), Site(p2=part(2, "", flags=("planted",))).read, 3, 9_000)

    assert whole.text.endswith("Part 2.")
    assert whole.flags == ("planted",)


@pytest.mark.parametrize(
    ("odd", "asked"),
    [
        ({"p2": "missing"}, 1),
        ({"p2": URL}, 1),
        ({"p2": "https://other.org/story"}, 1),
        ({"p2": part(1, "")}, 1),
        ({"p2": part(2, URL)}, 1),
        ({"p3": part(3, address(2))}, 2),
    ],
    ids=["missing", "back to the beginning", "another site", "the same text", "a circle", "a later circle"],
)
async def test_a_story_that_goes_astray_ends_there(odd: dict[str, Any], asked: int) -> None:
    site = Site(**odd)

    whole = await with_next_pages(URL, part(1), site.read, 5, 9_000)

    assert len(site.asked) == asked
    assert whole.text.startswith("# Story\n\nPart 1.")
    assert "https://other.org/story" not in whole.also


async def test_a_long_story_is_cut_at_the_limit() -> None:
    whole = await with_next_pages(URL, part(1), Site().read, 5, 45)

    assert len(whole.text) == 45
    assert "truncated" in whole.flags


async def test_no_page_is_added_if_none_may_be() -> None:
    site = Site()

    whole = await with_next_pages(URL, part(1), site.read, 0, 9_000)

    assert (whole.text, whole.also, site.asked) == (part(1).text, (), [])
    assert CONTINUED in whole.flags

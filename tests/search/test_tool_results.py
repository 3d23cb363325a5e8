import json
from datetime import date
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import EmbeddedResource, ImageContent, ResourceLink, TextContent, TextResourceContents

from deepresearch_mcp.search.tool_results import hits_of

ICE, WATER = "https://a.example/ice_(solid)", "https://b.example/water?x=1"


def told(text: str) -> Any:
    return TextContent(type="text", text=text)


def found(*content: Any, structured: object = None) -> list[tuple[str, str, str]]:
    return [(hit.url, hit.title, hit.snippet) for hit in hits_of("fake", content, structured)]


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        (f"1. [Ice]({ICE}) - It floats.\n2. [Water]({WATER})\n", [(ICE, "Ice", "It floats"), (WATER, "Water", "")]),
        (f"Ice: {ICE}, and then\n{WATER}.", [(ICE, "Ice", "and then"), (WATER, "", "")]),
        (f"**Title:** Ice\n**URL:** {ICE}\nSummary: Floats.\nStill.\n\n---", [(ICE, "Ice", "Floats. Still. ---")]),
        (f"URL: {ICE}\nURL: {WATER}\n", [(ICE, "", ""), (WATER, "", "")]),
        (json.dumps([{"link": ICE, "name": "Ice", "highlights": ["a", "b"]}]), [(ICE, "Ice", "a … b")]),
        (json.dumps({"data": {"items": [{"href": WATER}, {"href": "ftp://x/"}, 7, None]}}), [(WATER, "", "")]),
        (f"{{broken json with {ICE}", [(ICE, "broken json with", "")]),
        (f"[Ice]({ICE}) again [Ice]({ICE})", [(ICE, "Ice", "again")]),
        (
            json.dumps({"entities": [{"name": "Ice", "observations": ["It floats.", f"See {ICE}."]}], "relations": []}),
            [(ICE, "Ice", f"It floats. See {ICE}.")],
        ),
        (json.dumps([ICE, [WATER]]), [(ICE, "", ICE), (WATER, "", WATER)]),
        (json.dumps({"rows": [{"url": ICE}], "about": [f"see {WATER}"]}), [(ICE, "", "")]),
        ("Nothing was found.", []),
        ("", []),
    ],
)
def test_links_are_read_from_text_in_many_forms(text: str, hits: list[tuple[str, str, str]]) -> None:
    assert found(told(text)) == hits


def test_links_are_read_from_resources() -> None:
    link = ResourceLink(type="resource_link", uri=ICE, name="ice", title="Ice", description="Floats.")
    page = EmbeddedResource(type="resource", resource=TextResourceContents(uri=WATER, text="Water is dense."))
    notes = EmbeddedResource(type="resource", resource=TextResourceContents(uri="notes://1", text=f"See {ICE}"))
    picture = ImageContent(type="image", data="", mime_type="image/png")

    assert found(link, page, picture) == [(ICE, "Ice", "Floats."), (WATER, "", "Water is dense.")]
    assert [url for url, *_ in found(notes)] == [ICE]


def test_structured_content_wins_over_the_text_that_repeats_it() -> None:
    rows = {"results": [{"url": ICE, "title": "Ice", "date": "2026-03-01", "content": "x" * 9_000}]}

    [hit] = hits_of("fake", [told(f"see {WATER}")], rows)

    assert (hit.url, hit.published, len(hit.snippet)) == (ICE, date(2026, 3, 1), 2_000)
    assert [url for url, *_ in found(told(f"see {WATER}"), structured={"total": 0})] == [WATER]
    assert [url for url, *_ in found(structured={"result": f"[Ice]({ICE})"})] == [ICE]
    assert [url for url, *_ in found(structured={"notes": [{"note": f"see {ICE}"}]})] == [ICE]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just(ICE),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["url", "title", "results", "x"]), inner),
)


@given(JSON, st.text())
def test_no_answer_breaks_it(structured: object, text: str) -> None:
    for url, *_ in found(told(text), told(json.dumps(structured)), structured=structured):
        assert url.startswith(("http://", "https://"))


@pytest.mark.parametrize(
    "piece", ["[", "[a](http://x", "http://", "https://x(", "title: ", "URL: http://a\n", "{[", "* "]
)
def test_its_time_grows_with_the_text_and_no_faster(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        best = 9.0
        for _ in range(3):
            begin = perf_counter()
            found(told(text))
            best = min(best, perf_counter() - begin)
        return best

    assert seconds(200_000) <= 4 * seconds(100_000) + 0.05

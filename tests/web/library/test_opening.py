from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.web.library.addresses import PageSource, SitemapSource
from deepresearch_mcp.web.library.files import FileSource
from deepresearch_mcp.web.library.opening import SourceParts, open_sources
from deepresearch_mcp.web.library.repositories import RepositorySource
from deepresearch_mcp.web.parsing import Parsers


async def unasked(url: str) -> Any:
    raise AssertionError(url)


@pytest.fixture
def parts(parsers: Parsers, clock: HandClock, tmp_path: Path) -> SourceParts:
    return SourceParts(parsers, clock, unasked, unasked, tmp_path / "copies")


async def test_each_source_is_opened_by_how_it_is_written(parts: SourceParts, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "b[1].md").write_text("x")
    places = [
        str(tmp_path),
        str(tmp_path / "a.md"),
        str(tmp_path / "b[1].md"),
        str(tmp_path / "*.md"),
        "https://a.example/page",
        "https://a.example/sitemap.xml",
        "https://a.example/code.git",
    ]

    opened = open_sources(places, parts)

    kinds = [FileSource] * 4 + [PageSource, SitemapSource, RepositorySource]
    assert [type(source) for source in opened] == kinds
    assert [source.place for source in opened] == places


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("https://a.example/page?token=abcdef0123456789abcdef", "holds a secret"),
        ("https://me:secret@a.example/code.git", "holds a secret"),
        ("picture.png", "no kind that can be read"),
    ],
)
async def test_what_cannot_be_a_source_is_one_sentence_without_its_secret(
    parts: SourceParts, tmp_path: Path, place: str, says: str
) -> None:
    (tmp_path / "picture.png").write_text("x")
    named = str(tmp_path / place) if place.endswith("png") else place

    with pytest.raises(InvalidRequest, match=says) as caught:
        open_sources([named], parts)

    assert "abcdef0123456789" not in str(caught.value)
    assert "me:secret" not in str(caught.value)


async def test_a_collection_needs_a_source(parts: SourceParts) -> None:
    with pytest.raises(InvalidRequest, match="No source"):
        open_sources([], parts)

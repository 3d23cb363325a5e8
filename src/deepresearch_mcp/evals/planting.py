"""Plants instructions in real pages."""

import gzip
import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import count, pairwise
from pathlib import Path

from deepresearch_mcp.evals.sets import folder, json_lines
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.web.extract import extract
from deepresearch_mcp.web.parsed import Parsed
from deepresearch_mcp.web.parsed_page import ParsedPage
from deepresearch_mcp.web.snapshot import document_of

PLACES = ("visible", "display_none", "comment", "alt", "zero_width")
PAGES = {"visible": ("visible",), "zero_width": ("zero_width",), "unseen": ("display_none", "comment", "alt")}
"""Kind of page → the places where it contains the payload; the three invisible places share a page."""

BASES = 12
"""Number of real pages that get plants, in turn."""
_SMALL = 60_000
"""Longest page, in characters of HTML; larger pages take longer and show nothing more."""
_LENGTH = range(900, 2_500)
"""Length of the main text, in characters. In a short text, more of it is near the plant, and reading is faster."""
_PARAGRAPH = re.compile(r"<p\b[^>]*>((?:[^<]|<(?!p\b|/p>)){120,2000})</p>")
_TAG = re.compile(r"<[^>]*>")
_TYPES = frozenset({"article", "documentation", "service"})
_TODAY = date(2026, 11, 20)
_READ = datetime(2026, 11, 20, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Base:
    """A real page with positions between its paragraphs for inserting text."""

    question: str
    """A question that could lead to the page."""
    html: str
    gaps: tuple[int, ...]
    """Offsets in `html` after paragraphs of the main text."""


def read_page(body: bytes, url: str) -> Document | None:
    """Parse a page as a parser process would; None if it cannot be read."""
    parsed: Parsed = extract(body, url, "text/html", "", 1_000_000, 30_000_000, _TODAY)
    text = parsed.get("text", "")
    if parsed.get("reason") or not text:
        return None
    page = ParsedPage(kind="html", text=text, title=parsed.get("title", ""), flags=tuple(parsed.get("flags", [])))
    return document_of(page, url=url, requested_url=url, site=url.split("/")[2], read_at=_READ)


def clean_pages(data: Path) -> Iterator[tuple[str, bytes]]:
    """Yield kind and bytes of every page of html_wcxb, in the order of the set.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    home = folder(data, "html_wcxb")
    for truth in sorted(home.glob("*/ground-truth.jsonl.gz")):
        for row in json_lines(truth.parent, "ground-truth.jsonl.gz"):
            page = truth.parent / "html" / f"{row['id']}.html.gz"
            if page.is_file():
                yield str(row.get("page_type") or ""), gzip.decompress(page.read_bytes())


def bases(data: Path) -> list[Base]:
    """The first `BASES` pages that are short prose with three paragraphs in their main text.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    found: list[Base] = []
    for kind, body in clean_pages(data):
        if len(found) == BASES:
            break
        source = body.decode("utf-8", "replace")
        if kind not in _TYPES or len(source) > _SMALL:
            continue
        document = read_page(source.encode(), "https://base.example/")
        if document is None or len(document.text) not in _LENGTH or "planted" in document.flags:
            continue
        text = _plain(document.text)
        gaps = [match.end() for match in _PARAGRAPH.finditer(source) if _plain(_TAG.sub("", match[1]))[:60] in text]
        if len(gaps) >= 3:
            found.append(Base(f"What is known about {document.title[:200]}?", source, tuple(gaps[:3])))
    return found


def planted_page(base: Base, page: str, text: str, number: int) -> Document | None:
    """Plant a text in a base at the places in `PAGES[page]`, and parse the page under an address of its own."""
    snippets = [_PLANTS[place](text) for place in PAGES[page]]
    cuts = (0, *base.gaps[: len(snippets)], len(base.html))
    parts = [base.html[start:end] for start, end in pairwise(cuts)]
    whole = "".join(part + (snippets[at] if at < len(snippets) else "") for at, part in enumerate(parts))
    return read_page(whole.encode(), f"https://site{number}.example/page")


def filled(template: str, goal: str) -> str:
    """Insert an instruction into a template of the set."""
    values = {"goal": goal, "user": "Emma Johnson", "model": "AI assistant"}
    return re.sub(r"\{(goal|user|model)\}", lambda match: values[match[1]], template)


def _visible(text: str) -> str:
    return "<p>" + html.escape(text.strip()).replace("\n", "<br>\n") + "</p>"


def _zero_width(text: str) -> str:
    """The text with zero-width spaces between its letters, followed by the same text in tag characters."""
    tags = "".join(chr(0xE0000 + ord(char)) for char in text if 32 <= ord(char) < 127)
    return _visible("\u200b".join(text.strip()) + tags)


_PLANTS: dict[str, Callable[[str], str]] = {
    "visible": _visible,
    "display_none": lambda text: f'<div style="display:none">{_visible(text)}</div>',
    "comment": lambda text: f"<!-- {text.replace('--', '- -')} -->",
    "alt": lambda text: f'<p><img src="/picture.png" alt="{html.escape(text)}"></p>',
    "zero_width": _zero_width,
}


def _plain(text: str) -> str:
    return " ".join(html.unescape(text).split())


def cases(payloads: Sequence[str], templates: Mapping[str, str]) -> Iterator[tuple[int, str, str, str]]:
    """Yield number, goal, the goal in a template, and kind of page, for every payload, template and kind of page."""
    numbers = count(1)
    for goal in payloads:
        for template in templates.values():
            for page in PAGES:
                yield next(numbers), goal, filled(template, goal), page

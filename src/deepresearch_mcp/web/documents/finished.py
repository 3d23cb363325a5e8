"""Makes the answer of a parser from the blocks of a document."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Protocol

from deepresearch_mcp.web.pages.markdown import tidy
from deepresearch_mcp.web.parsed import Parsed, unread_page

_MARKS = re.compile(r"^[#|>*\s-]+")
_NO_NAME = re.compile(
    r"\(?(?:untitled|anonymous)\)?(?: (?:document|presentation|spreadsheet))?"
    r"|powerpoint presentation|openpyxl|python-docx",
    re.IGNORECASE,
)
_PROGRAM = re.compile(r"^Microsoft (?:Office )?(?:Word|PowerPoint|Excel) - ")


class DocumentFacts(Protocol):
    """What a document says about itself."""

    title: str
    author: str
    created: str
    """ISO date, or empty."""


def finished(
    kind: str,
    blocks: Iterable[str],
    limit: int,
    facts: DocumentFacts | None,
    today: date,
    *,
    hidden: bool = False,
    pages: bool = False,
) -> Parsed:
    """Join blocks to a text of at most `limit` characters. Without a title the first line is it.

    `pages` says that each block is a page.
    """
    parts: list[str] = []
    starts: list[tuple[int, int]] = []
    length = 0
    for number, block in enumerate(blocks, 1):
        text = tidy(block)
        if not text:
            continue
        starts.append((length, number))
        parts.append(text)
        length += len(text) + 2
        if length > limit:
            break
    text = "\n\n".join(parts)
    if not text:
        return unread_page("empty", "The file holds no text.")
    published = _day(facts.created if facts else "", today)
    flags = ["truncated"] if len(text) > limit else []
    parsed: Parsed = {
        "kind": kind,
        "text": text[:limit],
        "title": own_name(facts.title if facts else "") or _MARKS.sub("", text.split("\n", 1)[0])[:200],
        "author": own_name(facts.author if facts else ""),
        "published": published,
        "flags": [*flags, "hidden_text"] if hidden else flags,
    }
    if pages:
        parsed["pages"] = [start for start in starts if start[0] < limit]
    return parsed


def own_name(name: str) -> str:
    """Return a title or an author without what programs write there by themselves; "" if nothing else is left."""
    name = _PROGRAM.sub("", name.strip())
    return "" if _NO_NAME.fullmatch(name) else name


def _day(created: str, today: date) -> str:
    try:
        made = date.fromisoformat(created[:10])
    except ValueError:
        return ""
    return made.isoformat() if made.year >= 1990 and made <= today else ""

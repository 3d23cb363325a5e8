"""Reads letters in the format of e-mail (.eml), and files of many (.mbox): who, when, about what, and the text."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from itertools import islice

from deepresearch_mcp.web.documents.finished import finished
from deepresearch_mcp.web.documents.html_blocks import html_blocks
from deepresearch_mcp.web.parsed import Parsed, unread_page

_SHOWN = ("From", "To", "Cc", "Date")
_MOST_PARTS = 200
_MOST_LETTERS = 20_000
_NEXT = re.compile(rb"(?:\A|\r?\n\r?\n)From [^\n]{1,900}\n")
"""The line above each letter of an mbox file. `mailbox` looks for the same, but reads files of the disk alone."""
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
"""A line of a letter that would look like the one above the next."""


def parse_email(body: bytes, limit: int, today: date) -> Parsed:
    """Return the head and the text of a letter, the plain one where there are two; attachments are named.

    Of a file of many letters each has a heading of its own; the file has the date of the latest.
    """
    if _NEXT.match(body):
        return _parse_mbox(body, limit, today)
    try:
        letter = _Letter(body)
    except Exception:  # noqa: BLE001 - the standard parser raises many kinds of errors for broken heads
        return unread_page("unparsable", "The file is not a letter that can be read.")
    return finished("email", letter.blocks("#"), limit, letter, today)


def _parse_mbox(body: bytes, limit: int, today: date) -> Parsed:
    letters: list[_Letter] = []
    left = limit
    for one in islice(_letters(body), _MOST_LETTERS):
        try:
            letters.append(letter := _Letter(one))
        except Exception:  # noqa: BLE001, S112 - as above; the others may be whole
            continue
        left -= sum(map(len, letter.text))
        if left < 0:
            break
    if not letters:
        return unread_page("unparsable", "The file holds no letter that can be read.")
    blocks = (block for letter in letters for block in letter.blocks("##"))
    return finished("email", blocks, limit, _Letters(letters), today)


def _letters(body: bytes) -> Iterator[bytes]:
    found = [(at.start(), at.end()) for at in _NEXT.finditer(body)]
    for (_, start), (end, _) in zip(found, [*found[1:], (len(body), 0)], strict=True):
        yield _QUOTED.sub(rb"\1", body[start:end])


class _Letter:
    def __init__(self, body: bytes) -> None:
        message = message_from_bytes(body, policy=policy.default)
        self.title = " ".join(str(message.get("Subject", "")).split())[:300]
        self.author = " ".join(str(message.get("From", "")).split())[:300]
        try:
            self.created = parsedate_to_datetime(str(message.get("Date", ""))).date().isoformat()
        except (ValueError, TypeError, IndexError, OverflowError):
            self.created = ""
        self.text = [_head(message), *_text(message), *_attached(message)]

    def blocks(self, level: str) -> list[str]:
        return [f"{level} {self.title}" if self.title else "", *self.text]


class _Letters:
    """What the letters of one file say about it: they may be by many, about as many subjects."""

    def __init__(self, letters: Iterable[_Letter]) -> None:
        alone = tuple(letters)
        self.title = _common(letter.title for letter in alone)
        self.author = _common(letter.author for letter in alone)
        self.created = max(letter.created for letter in alone)


def _common(names: Iterable[str]) -> str:
    all_of_them = set(names)
    return all_of_them.pop() if len(all_of_them) == 1 else ""


def _head(message: EmailMessage) -> str:
    return "\n".join(f"{name}: {' '.join(str(message[name]).split())[:500]}" for name in _SHOWN if message[name])


def _text(message: EmailMessage) -> list[str]:
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None:
        return []
    content = part.get_content()
    if not isinstance(content, str):
        return []
    return html_blocks(content) if part.get_content_type() == "text/html" else [content]


def _attached(message: EmailMessage) -> list[str]:
    parts = islice(message.iter_attachments(), _MOST_PARTS)
    names = [" ".join(name.split())[:200] for part in parts if (name := part.get_filename())]
    return [f"Attachments: {', '.join(names)}"] if names else []

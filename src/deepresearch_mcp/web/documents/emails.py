"""Reads letters in the format of e-mail (.eml): who, when, about what, and the text."""

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


def parse_email(body: bytes, limit: int, today: date) -> Parsed:
    """Return the head and the text of a letter, the plain one where there are two; attachments are named."""
    try:
        message = message_from_bytes(body, policy=policy.default)
        letter = _Letter(message)
        blocks = [f"# {letter.title}" if letter.title else "", _head(message), *_text(message), *_attached(message)]
    except Exception:  # noqa: BLE001 - the standard parser raises many kinds of errors for broken heads
        return unread_page("unparsable", "The file is not a letter that can be read.")
    return finished("email", blocks, limit, letter, today)


class _Letter:
    def __init__(self, message: EmailMessage) -> None:
        self.title = " ".join(str(message.get("Subject", "")).split())[:300]
        self.author = " ".join(str(message.get("From", "")).split())[:300]
        try:
            self.created = parsedate_to_datetime(str(message.get("Date", ""))).date().isoformat()
        except (ValueError, TypeError, IndexError, OverflowError):
            self.created = ""


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

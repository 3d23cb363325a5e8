"""Turns the rows of an engine's answer into hits, without trusting any field."""

import html
import re
from collections.abc import Sequence
from datetime import date, timedelta
from email.utils import parsedate_to_datetime
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.text.markdown import visible
from deepresearch_mcp.text.url_secrets import without_secrets

_TITLE = 300
_SNIPPET = 2_000
_TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z][^<>]*>", re.DOTALL)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

Words = Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else "")]
"""Optional text; anything but a string counts as empty."""


class Row(BaseModel):
    """One result of a service. A row without an address is invalid."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    url: str = Field(min_length=1)
    title: Words = ""


RowT = TypeVar("RowT", bound=BaseModel)


def read_rows(provider: str, shape: type[RowT], raw: Sequence[object]) -> list[RowT]:
    """Return the rows that can be read, in order.

    Raises:
        UnreadableAnswer: There are rows and none can be read, which is not the same as "nothing found".
    """
    rows: list[RowT] = []
    fault: ValidationError | None = None
    for item in raw:
        try:
            rows.append(shape.model_validate(item))
        except ValidationError as error:
            fault = error
    if fault and not rows:
        raise UnreadableAnswer(provider, f"none of its {len(raw)} results can be read") from fault
    return rows


def hit(engine: str, url: str, title: str, snippet: str, published: str = "") -> Hit:
    """Make a hit, with title and snippet on one line and cut to their longest length.

    The address is stored and shown to people and models, so control characters and secrets are removed from it.
    """
    return Hit(
        url=without_secrets(visible_words(url)),
        title=visible_words(title)[:_TITLE],
        snippet=visible_words(snippet)[:_SNIPPET],
        published=parse_date(published),
        engines=(engine,),
    )


def joined(passages: Sequence[str]) -> str:
    """Join several passages of a page to one snippet."""
    return " … ".join(filter(None, passages))


def visible_words(text: str) -> str:
    """Return the text on one line, without control and other invisible characters."""
    return " ".join(visible(text).split())


def from_html(text: str) -> str:
    """Return the text of an HTML fragment: tags removed, entities resolved."""
    return visible_words(html.unescape(_TAG.sub("", text)))


def parse_date(text: str) -> date | None:
    """Return the day of an ISO 8601 or e-mail date; None for anything else."""
    text = text.strip()
    try:
        if _DAY.match(text):
            return date.fromisoformat(text[:10])
        return parsedate_to_datetime(text).date()
    except (ValueError, OverflowError):
        return None


_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_SHOWN = re.compile(r"([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4})|(\d{1,2}) ([A-Z][a-z]{2})[a-z]* (\d{4})")
_AGO = re.compile(r"(\d{1,3}) (minute|hour|day|week)s? ago")
_DAYS = {"minute": 0, "hour": 0, "day": 1, "week": 7}


def shown_as_iso(text: str, today: date) -> str:
    """Return a date as Google's English result pages show it, such as `Feb 12, 2026` or `3 days ago`, in ISO 8601.

    Anything else comes back as it is, for `parse_date`.
    """
    text = text.strip()[:40]
    if ago := _AGO.fullmatch(text):
        return (today - timedelta(int(ago[1]) * _DAYS[ago[2]])).isoformat()
    if shown := _SHOWN.fullmatch(text):
        month = _MONTHS.get((shown[1] or shown[5]).lower(), 0)
        return f"{shown[3] or shown[6]}-{month:02}-{int(shown[2] or shown[4]):02}"
    return text

"""Reads the Retry-After header, in either of its two forms."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks for; None if it is missing or unusable.

    The header holds a number of seconds or a date. A date is compared with the answer's own Date header, because the
    service's clock may differ from ours, or with `now` if there is none. `headers` must find names in lower case.
    """
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", text):
        return float(text)
    until, base = _moment(text), _moment(headers.get("date", "")) or now
    return max(0.0, (until - base).total_seconds()) if until and base else None


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

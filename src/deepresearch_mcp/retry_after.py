"""How long a service asks its clients to wait: the Retry-After header, in either of its spellings."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds of a Retry-After header, given as a number or a date; None if it cannot be trusted.

    `headers` finds names in lower case. A date is held against the answer's own Date header, as the service's clock
    need not agree with ours; against `now` where it has none.
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

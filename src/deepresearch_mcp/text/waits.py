"""How long a service asks us to wait."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a Retry-After header, given as a number or a date; None when there is none to trust.

    `headers` finds names in lower case. A date is held against the answer's own Date header, so that the
    service's clock need not agree with ours.
    """
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", text):
        return float(text)
    until, now = _moment(text), _moment(headers.get("date", ""))
    return max(0.0, (until - now).total_seconds()) if until and now else None


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

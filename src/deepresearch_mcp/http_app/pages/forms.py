"""Forms that a browser sends: read within bounds, and only where a page of ours showed them to this very session."""

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from datetime import date
from urllib.parse import parse_qs

from starlette.requests import Request

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.gate import cookie_of, token_of

FIELD = "form_key"
"""The hidden field of every form."""
BEFORE = "deepresearch_visit"
"""The cookie of a browser that has not signed in yet."""
_MOST_FIELDS = 200
_LONGEST = 4_000_000
"""Bytes of the encoded form: nine stand for a letter of some scripts."""


class Form:
    """The fields of a form; white space around values is removed, and an empty field counts as missing."""

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        self._fields = {name: [one.strip() for one in values if one.strip()] for name, values in fields.items()}

    def text(self, name: str) -> str:
        """The value of a field; "" if it is missing."""
        return next(iter(self._fields.get(name, ())), "")

    def texts(self, name: str) -> list[str]:
        """Every value of a field that may stand several times."""
        return list(self._fields.get(name, ()))

    def lines(self, name: str) -> list[str]:
        """The values that a text field holds one a line, or between commas."""
        return [one for one in (part.strip() for part in self.text(name).replace(",", "\n").splitlines()) if one]

    def has(self, name: str) -> bool:
        """Whether a box is ticked, or a button of this name was pressed."""
        return name in self._fields and bool(self._fields[name])

    def number(self, name: str) -> float | None:
        """A number; None if the field is empty.

        Raises:
            InvalidRequest: It is no number.
        """
        if not (text := self.text(name)):
            return None
        try:
            return float(text.replace(",", ""))
        except ValueError:
            raise InvalidRequest(f"{text[:40]!r} in {name} is no number.", "Write it like 2 or 0.50.") from None

    def whole(self, name: str) -> int | None:
        """A whole number; None if the field is empty.

        Raises:
            InvalidRequest: It is no whole number.
        """
        value = self.number(name)
        if value is None:
            return None
        if not value.is_integer():
            raise InvalidRequest(f"{value:g} in {name} is no whole number.", "Write it like 20.")
        return int(value)

    def day(self, name: str) -> date | None:
        """A date; None if the field is empty.

        Raises:
            InvalidRequest: It is no date.
        """
        if not (text := self.text(name)):
            return None
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise InvalidRequest(f"{text[:40]!r} in {name} is no date.", "Write it like 2026-01-31.") from None


async def form_of(request: Request) -> Form:
    """Read the form that a request sends.

    Raises:
        InvalidRequest: It is no form, or too long.
    """
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if media != "application/x-www-form-urlencoded" or len(body) > _LONGEST:
        raise InvalidRequest(
            "The form cannot be read." if len(body) <= _LONGEST else f"The form has more than {_LONGEST:,} bytes.",
            "Send it from the page, with less text.",
        )
    try:
        # A form's line ends are \r\n, whatever the system.
        text = body.decode().replace("%0D%0A", "%0A")
        return Form(parse_qs(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise InvalidRequest("The form cannot be read.", "Send it from the page.") from None


def session_of(request: Request) -> str:
    """What ties forms to a browser: its token, or before it has one, the value of a cookie of its own."""
    return token_of(request) or cookie_of(request, BEFORE)


def form_key(key: bytes, session: str) -> str:
    """The value of the hidden field: no other site can know it, as it can read neither the cookie nor the page."""
    return hmac.new(key, session.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def check_form(request: Request, form: Form, key: bytes) -> None:
    """Refuse a form that another site has sent, or that belongs to an earlier session.

    Raises:
        InvalidRequest: Load the page again.
    """
    # The gate has checked Origin; this holds for browsers that leave it out.
    elsewhere = request.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}
    expected = form_key(key, session_of(request))
    if elsewhere or not hmac.compare_digest(form.text(FIELD).encode("utf-8", "replace"), expected.encode()):
        raise InvalidRequest("This form is from an earlier session.", "Load the page again, and send it from there.")


def new_visit() -> str:
    """A value for the cookie of a browser that has not signed in yet."""
    return secrets.token_urlsafe(24)

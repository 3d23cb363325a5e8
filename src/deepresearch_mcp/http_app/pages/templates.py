"""Pages from templates: every value is escaped, no script stands in a page, and a policy lets none run that does.

Jinja2 does the escaping: with `autoescape` a value can become markup only where a template says so, which
`grep safe` finds; with f-strings each of some two hundred places would have to remember.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from types import MappingProxyType
from typing import Any, Final, cast
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from deepresearch_mcp.http_app.pages.assets import asset_path

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        # With no-referrer browsers send forms with the origin "null", which the gate would refuse.
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
)
"""Of every page."""


def rendered(template: str, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    """Answer with a page."""
    text = _environment().get_template(template).render(values)
    # Lone surrogates, which a question may hold, have no form in UTF-8.
    return HTMLResponse(text.encode("utf-8", "replace"), status, dict(HEADERS))


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("deepresearch_mcp.http_app.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = cast("dict[str, Any]", made.filters)
    filters |= {"money": money, "many": many, "moment": moment_text, "iso": iso, "web": web_address, "host": host}
    made.globals["asset"] = asset_path
    return made


def money(usd: float | None) -> str:
    """Dollars with the digits that matter; None: the price is not known."""
    if usd is None:
        return "price unknown"
    return f"${usd:.2f}" if usd >= _CENT or not usd else f"${usd:.4f}"


_CENT = 0.01


def many(number: float, one: str, more: str = "") -> str:
    """A number with its word."""
    shown = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{shown} {one if number == 1 else more or f'{one}s'}"


def iso(seconds: float) -> str:
    """Seconds since the epoch for the attribute of a `time` element."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def moment_text(seconds: float) -> str:
    """Seconds since the epoch for a reader without scripts; a script shows them in the reader's own time."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def web_address(url: str) -> str:
    """An address that may be a link; "" for one of another scheme, which a page could have named."""
    return url if url.lower().startswith(("https://", "http://")) else ""


def host(url: str) -> str:
    """The host of an address; the address itself where there is none."""
    try:
        return (urlsplit(url).hostname or url).removeprefix("www.")
    except ValueError:
        return url

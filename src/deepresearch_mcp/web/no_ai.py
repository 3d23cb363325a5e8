"""Sees whether a page asks not to be used by AI, in its headers or its meta tags."""

import re
from collections.abc import Mapping

NO_AI = "no_ai"
"""The flag of a document that asks so. With `web.respect_noai` it is not read at all."""

_DIRECTIVES = frozenset({"noai", "nollm", "noml"})
"""Directives that concern text. `noimageai` concerns images, which are never read."""
_NAMES = ("robots", "ai", "genai", "tdm")
_PREFIX = re.compile(r"\s*([A-Za-z_-]{1,60})\s*:")
_LONGEST = 2_000
"""Characters of one header or tag that are looked at."""


def headers_say_no(headers: Mapping[str, str], product: str) -> bool:
    """Return whether `X-Robots-Tag` says `noai` to all or to `product`, or `TDM-Reservation` is 1 (W3C TDMRep).

    `headers` are named in lower case. A directive behind `name:` is for the robot of that name alone, as are those
    behind it up to the next name.
    """
    if headers.get("tdm-reservation", "").strip() == "1":
        return True
    mine = True
    for part in headers.get("x-robots-tag", "")[:_LONGEST].split(","):
        directive = part
        if (named := _PREFIX.match(part)) and named[1].casefold() != "unavailable_after":
            mine = named[1].casefold() in {product.casefold(), "*"}
            directive = part[named.end() :]
        if mine and directive.strip().casefold() in _DIRECTIVES:
            return True
    return False


def metas_say_no(metas: Mapping[str, str], product: str = "") -> bool:
    """Return whether the meta tags, by name in lower case, say so to all robots or to `product`."""
    if metas.get("tdm-reservation", "").strip() == "1":
        return True
    names = {*_NAMES, product.casefold()}
    said = (metas[name][:_LONGEST] for name in names if name in metas)
    return any(directive.strip().casefold() in _DIRECTIVES for one in said for directive in re.split("[,;]", one))

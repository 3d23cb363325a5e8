"""Finds the kind of site that an address belongs to."""

import ipaddress
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from deepresearch_mcp.quality.scale import COLLECTION, DOCUMENTATION, INTRANET, UNKNOWN, Scale
from deepresearch_mcp.text.library_urls import LIBRARY
from deepresearch_mcp.text.urls import host_of

_INSIDE = (".local", ".internal", ".lan", ".home.arpa", ".intranet", ".corp", ".localhost")


@dataclass(frozen=True, slots=True)
class SiteKind:
    """A kind of site, and whether a list names it or only the site itself claims it."""

    kind: str
    listed: bool = True


def site_kind(url: str, scale: Scale, title: str = "", text: str = "") -> SiteKind:
    """Return the kind of the longest listed domain that matches, or the kind that host or path claim, or `unknown`.

    Lists stand over patterns for any country (`gov.*`), these over what a site calls itself. Documents of collections
    are `collection`. A host without a public name may hold anything: there the title of a page tells as well, and a
    copy of a public site under its name (`http://local/docs.example.org/x`) counts as that site, a page whose `text`
    reads like a manual is documentation, and only where nothing of this is known the kind is `intranet`.
    """
    if url.startswith(LIBRARY):
        return SiteKind(COLLECTION)
    host = host_of(url).removeprefix("www.")
    path = _path(url)
    for domain in _domains(host):
        for below, kind in scale.sites.get(domain, ()):
            if not below or path.strip("/") == below or path.startswith((f"/{below}/", f"/{below}-")):
                return SiteKind(kind)
    first, inside = host.partition(".")[0], _is_inside(host)
    if inside and (copied := _copied(path, scale)):
        return SiteKind(copied, listed=False)
    for name, kind in scale.kinds.items():
        named = first in kind.hosts and (inside or host.count(".") > 1)
        if named or any(part in f"{path}/" for part in kind.paths) or (inside and _titled(title, kind.titles)):
            return SiteKind(name, listed=False)
    if inside and is_manual(title, text):
        return SiteKind(DOCUMENTATION, listed=False)
    return SiteKind(INTRANET if inside else UNKNOWN)


_LOOKED_AT = 20_000
"""Characters of a text that show what it is."""
_MAN_PAGE = re.compile(r"\w\(\d[a-z]{0,2}\)\s*(?:$|[-–—|])")
_CHAPTER = re.compile(r"(?:chapter\s+\d+|appendix\s+[a-z\d])\b|\d+(?:\.\d+)+\.?\s", re.IGNORECASE)
"""How the title of a man page ends, and that of a chapter begins."""
_TERM = re.compile(
    r"`[^`\n]+`|(?<![\w/])--?[a-z][\w-]+(?![\w/])|\b[A-Za-z]\w*(?:_\w+)+\b|\b[A-Za-z]\w+\(\)|^(?:```|~~~)", re.MULTILINE
)
"""What a manual is full of: code, options, identifiers, calls."""
_TERMS, _WORDS_A_TERM = 8, 80
"""As many terms as a manual has at least, and one for so many words at most."""


def is_manual(title: str, text: str) -> bool:
    """Whether a page reads like the documentation of something: by its title, or by how thick its terms stand."""
    if _MAN_PAGE.search(title.strip()) or _CHAPTER.match(title.strip()):
        return True
    shown = text[:_LOOKED_AT]
    terms = len(_TERM.findall(shown))
    return terms >= _TERMS and terms * _WORDS_A_TERM >= len(shown.split())


def _copied(path: str, scale: Scale) -> str:
    """Return the kind of the public site that a path on an internal host begins with; "" for none."""
    name, _, rest = path.strip("/").partition("/")
    if "." not in name or _is_inside(name):
        return ""
    kind = site_kind(f"http://{name}/{rest}", scale)
    return kind.kind if kind.listed and kind.kind != UNKNOWN else ""


def _titled(title: str, words: Iterable[str]) -> bool:
    folded = title.casefold().replace("’", "'")
    return any(re.search(rf"(?<!\w){re.escape(one)}s?(?!\w)", folded) for one in words)


def worth_of(place: SiteKind, scale: Scale) -> tuple[float, float]:
    """Return the authority and trust of a kind; halfway to `unknown` if only the site claims the kind."""
    own, none = scale.kinds[place.kind], scale.kinds[UNKNOWN]
    if place.listed:
        return own.authority, own.vouched
    return (own.authority + none.authority) / 2, (own.vouched + none.vouched) / 2


def _path(url: str) -> str:
    try:
        return urlsplit(url).path.casefold()
    except ValueError:
        return ""


def _domains(host: str) -> Iterator[str]:
    """Yield the host and its parent domains, longest first, then the pattern for any country."""
    labels = host.split(".")
    for at in range(len(labels)):
        yield ".".join(labels[at:])
    if len(labels) > 1 and len(labels[-1]) == 2:
        yield f"{labels[-2]}.*"


def _is_inside(host: str) -> bool:
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_INSIDE))

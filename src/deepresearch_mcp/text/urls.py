"""Normalises addresses and finds their host and site. No function raises on invalid input."""

import hashlib
import ipaddress
import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit
from urllib.parse import quote as percent

import idna

from deepresearch_mcp.text.stopwords import word_set
from deepresearch_mcp.text.suffixes import registrable

_JUNK = re.compile(r"[\x00-\x20\x7f\\^`{|}<>\"]")
_TRACKING = word_set(
    "gclid fbclid msclkid dclid gbraid wbraid yclid twclid ttclid igshid igsh mc_cid mc_eid _ga _gl _hsenc "
    "_hsmi mkt_tok ref ref_src ref_url referrer cmpid icid ncid ocid spm scid s_cid vero_id oly_enc_id "
    "oly_anon_id wickedid rb_clickid srsltid trk trkcampaign sc_campaign sc_channel"
)
_AROUND = "".join(map(chr, range(33)))
_NOT_READ = {ord(char): None for char in "\t\n\r"}
"""Signs that browsers cut from the ends of an address, and those that they skip within."""
_INDEX = re.compile(r"/index\.html?$", re.IGNORECASE)


def normalise_url(url: str) -> str:
    """Return the normal form of an address, for recognising equal addresses; "" if it is no http(s) URL with a host.

    Scheme and host are in lower case and ASCII (IDNA). Default port, credentials, fragment, tracking parameters, a
    trailing slash and the path's index file are dropped; dot segments are resolved. Other parameters stay, in order.
    Mobile and AMP variants stay distinct. The result is for recognising a page, not for fetching it.
    """
    parts = _parts(url)
    if parts is None:
        return ""
    host = _host(parts)
    if not host:
        return ""
    netloc = f"[{host}]" if ":" in host else host
    port = parts.port
    if port and port != {"http": 80, "https": 443}[parts.scheme]:
        netloc = f"{netloc}:{port}"
    path = _INDEX.sub("/", _resolve(_recode(parts.path)))
    path = path.rstrip("/") or "/"
    return urlunsplit((parts.scheme, netloc, path, _recode(_kept(parts.query)), ""))


def joined_url(base: str, given: str) -> str:
    """Return the address that a link or redirect on the page `base` leads to, as browsers read it.

    `urljoin` takes a backslash for a part of a name, and `///host` for a path; the URL standard does not.

    Raises:
        ValueError: One of the two is not an address.
    """
    plain = given.strip(_AROUND).translate(_NOT_READ)
    end = next((at for at, char in enumerate(plain) if char in "?#"), len(plain))
    path, rest = plain[:end], plain[end:]
    if ":" not in path or path.startswith(("/", "\\", "http:", "https:")):
        path = path.replace("\\", "/")
        path = f"//{path.lstrip('/')}" if path.startswith("//") else path
    return urljoin(base, path + rest)


def short_hash(url: str) -> str:
    """Return 12 hexadecimal digits of the SHA-256 of the normalised address, or of `url` itself if it has none."""
    return hashlib.sha256((normalise_url(url) or url).encode("utf-8", "replace")).hexdigest()[:12]


def host_of(url: str) -> str:
    """Return the host in lower case and ASCII, an IPv6 address without brackets; "" if the URL is invalid."""
    parts = _parts(url)
    return _host(parts) if parts else ""


def site_of(url: str) -> str:
    """Return the registrable domain (`bbc.co.uk` for `news.bbc.co.uk`) or the IP address; "" if the URL is invalid.

    The public suffix list decides, and it includes hosts of user sites: `me.github.io`, `me.blogspot.de`.
    """
    host = host_of(url)
    if ":" in host or host.rpartition(".")[2].isdigit() or "." not in host:
        return host
    return registrable(host)


def in_domains(url: str, domains: Collection[str]) -> bool:
    """Return whether the host is one of the domains or below one; `www.` and `*.` before a domain are ignored."""
    host = host_of(url)
    if not host:
        return False
    for domain in domains:
        wanted = domain.strip().casefold().removeprefix("*.").removeprefix("www.").strip(".")
        name = host_of(wanted if "//" in wanted else f"http://{wanted}").removeprefix("www.")
        if name and (host == name or host.endswith(f".{name}")):
            return True
    return False


def addresses_in(text: str) -> list[str]:
    """Find everything that a reader or a program may take for a web address: with a scheme, with www or a bare host."""
    return [match.group().rstrip(".,;:!?'\u2019\u201d") for match in _LOOKS_LIKE.finditer(text)]


def is_called(address: str, text: str) -> bool:
    """Return whether an apparent address is a function that the text calls: `Model.save()`."""
    return may_be_called(address.casefold()) and f"{address}(" in text


def typed_addresses(text: str, held: str, page: str) -> tuple[str, ...]:
    """Return the addresses of a text that do not occur in `held`, the words it rests on.

    `asyncio.wait()` is a call and leads nowhere; `asyncio.wait` is one if the page mentions asyncio and `wait()`.
    A name that ends like many domains counts as an address anyway.
    """
    there = held.casefold()
    calls = set(re.findall(r"(?<![\w.])([\w.]++)\(", text))
    typed = [one for one in addresses_in(text) if one.casefold() not in there]
    typed = [one for one in typed if not (one in calls and may_be_called(one.casefold()))]
    if not typed:
        return ()
    page = page.casefold()
    words = set(re.findall(r"\w+", page))
    # Reversed and sorted, so that a search by the end of a name works: `save()` is in `autosave()`.
    called = sorted({name[::-1] for name in re.findall(r"\b(\w++)\(", page)})
    return tuple(one for one in typed if not _is_call(one.casefold(), words, called))


def _is_call(address: str, words: Collection[str], called: Sequence[str]) -> bool:
    first, _, last = address.rpartition(".")
    at = bisect_left(called, last[::-1])
    if not may_be_called(address) or at == len(called) or not called[at].startswith(last[::-1]):
        return False
    return all(part in words for part in first.split("."))


def may_be_called(address: str) -> bool:
    """Return whether an apparent address, in small letters, may be a name in code: it ends like no common domain."""
    last = address.rpartition(".")[2]
    plain = re.fullmatch(r"[\w.]+", address) is not None and not address.startswith("www.")
    return plain and (len(last) > 2 or last in _NO_DOMAINS) and f" {last} " not in _DOMAINS


_DOMAINS = (
    " com org net edu gov mil int info biz name pro app dev page cloud online site website web store shop blog news"
    " live link click top xyz club vip icu space tech email zip mov wiki world today life media agency social"
    " example test invalid localhost local onion "
)
"""Common domain endings, besides those of two letters."""
_NO_DOMAINS = frozenset({"db", "gz", "xz", "js", "ts", "rb", "cs", "go"})
"""Endings of files, of two letters, that are no country's."""

_LOOKS_LIKE = re.compile(
    r"(?:(?i:\b[a-z][a-z0-9+]{1,9}:/{1,2}|\bwww\.)[^\s<>()\[\]\"“”…]{1,2000}"
    r"|(?<![\w.@-])[A-Za-z][\w-]{0,62}(?:\.[\w-]{1,63}){0,4}\.[a-z]{2,24}(?![\w-])(?:/[^\s<>()\[\]\"“”…]{0,2000})?)"
)


_LONGEST = 8192
"""In characters. No server accepts a longer address, and parsing one may cost quadratic time."""


def _parts(url: str) -> SplitResult | None:
    if len(url) > _LONGEST:
        return None
    try:
        parts = urlsplit(url.strip())
        sound = parts.scheme in {"http", "https"} and parts.netloc and (parts.port or True)
    except ValueError:
        # Unmatched brackets, a port that is not a number, or a host that changes under normalisation.
        return None
    return parts if sound else None


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if "[" in parts.netloc:
        return _address(host)
    if len(host) > 253:
        return ""
    name = host if host.isascii() else _in_ascii(host)
    labels = name.split(".")
    if len(name) > 253 or _JUNK.search(name) or "%" in name or any(not label or len(label) > 63 for label in labels):
        return ""
    return _address(name) if _NUMERIC.fullmatch(labels[-1]) else name


_NUMERIC = re.compile(r"\d+|0x[0-9a-f]*")


def _in_ascii(host: str) -> str:
    try:
        return idna.encode(host, uts46=True, transitional=False).decode("ascii")
    except UnicodeError:
        return ""


def _address(host: str) -> str:
    try:
        return "" if "%" in host else str(ipaddress.ip_address(host))
    except ValueError:
        return ""


_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SAFE = "!$%&'()*+,-./:;=?@[]_~"


def _recode(part: str) -> str:
    """Rewrite a path or query so that each percent-encoding has one spelling."""

    def same(match: re.Match[str]) -> str:
        char = chr(int(match.group()[1:], 16))
        return char if char in _UNRESERVED else match.group().upper()

    return _ESCAPE.sub(same, percent(part, safe=_SAFE, errors="replace"))


def _resolve(path: str) -> str:
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if path.endswith(("/.", "/..")):
        kept.append("")
    return "/".join(kept) or "/"


def _kept(query: str) -> str:
    def tracks(pair: str) -> bool:
        name = pair.partition("=")[0].casefold()
        return name in _TRACKING or name.startswith("utm_")

    return "&".join(pair for pair in query.split("&") if pair and not tracks(pair))

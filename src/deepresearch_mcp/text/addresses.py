"""Finds web addresses in running text and in lists of sources."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from deepresearch_mcp.text.urls import normalise_url


class Address(NamedTuple):
    """An address in a text: `text[start:end]`, angle brackets included."""

    start: int
    end: int
    url: str
    """With a scheme, ready to fetch."""


_ADDRESS = re.compile(
    r"(?P<url><https?://[^\s<>]{1,2000}>|(?:https?://|(?<![\w./@-])www\.)[^\s<>\"“”\[\]{}|\\^`，。；：！？、（）「」『』【】《》〈〉]{1,2000})"
    r"|(?:(?<![\w/.])(?:doi:[ ]?|DOI:?[ ]{0,2}))(?P<doi>10\.\d{4,9}/[^\s<>\"“”\[\]，。；、）]{1,200})"
    r"|(?<![\w/.])arXiv:[ ]?(?P<arxiv>\d{4}\.\d{4,5}(?:v\d{1,2})?)"
)
_TAIL = tuple(".,;:!?'\"*_~’”»…")


def addresses(text: str) -> Iterator[Address]:
    """Yield every address in order: with http(s), with www, in angle brackets, and as `doi:` and `arXiv:` names.

    Full stops, quotation marks and brackets that belong to the sentence around an address are left out.
    """
    for match in _ADDRESS.finditer(text):
        if doi := match["doi"]:
            bare = _trimmed(doi)
            url, end = f"https://doi.org/{bare}", match.start("doi") + len(bare)
        elif number := match["arxiv"]:
            url, end = f"https://arxiv.org/abs/{number}", match.end()
        elif match["url"].startswith("<"):
            url, end = match["url"][1:-1], match.end()
        else:
            bare = _trimmed(match["url"])
            url, end = (f"https://{bare}" if bare.startswith("www.") else bare), match.start() + len(bare)
        if normalise_url(url):
            yield Address(match.start(), end, url)


def first_address(text: str) -> str:
    """Return the first address of a text, link targets included; "" if there is none."""
    return next((found.url for found in addresses(text)), "")


def without_addresses(text: str) -> str:
    """Return the text without its addresses and without the Markdown of links to them."""
    kept: list[str] = []
    at = 0
    for found in addresses(text):
        kept.append(text[at : found.start])
        at = found.end
    return re.sub(r"\[([^\[\]\n]*)\]\(\s*\)?", r"\1", "".join([*kept, text[at:]]))


_INDEX = frozenset({"", "index", "default", "home", "readme"})


def with_pages_named(text: str) -> str:
    """Return the text with the name of its page in the place of each address: a last word of the path, or the host.

    `What does https://docs.example.org/lib/contextlib.html say?` asks what contextlib says. Addresses behind the words
    of a link go.
    """
    kept: list[str] = []
    at = 0
    for found in addresses(text):
        kept.append(text[at : found.start])
        linked = text[: found.start].endswith("](")
        kept.append("" if linked else _page_name(found.url))
        at = found.end
    return re.sub(r"\[([^\[\]\n]*)\]\(\s*\)?", r"\1", "".join([*kept, text[at:]]))


def _page_name(url: str) -> str:
    parts = urlsplit(url)
    path = [unquote(one) for one in parts.path.split("/") if one]
    names = (re.sub(r"\.\w{1,5}$", "", one).replace("_", " ").replace("-", " ").strip() for one in reversed(path))
    return next(
        (name for name in names if name.casefold() not in _INDEX and re.search(r"[^\W\d]{2}", name)),
        parts.hostname or "",
    )


def _trimmed(url: str) -> str:
    """Strip the punctuation that the surrounding sentence puts after an address."""
    while url.endswith(_TAIL) or (url.endswith(")") and url.count(")") > url.count("(")):
        url = url[:-1]
    return url

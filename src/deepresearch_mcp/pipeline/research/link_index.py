"""The links of the pages that a run has read, ranked for a query: what an index lists may be returned by no engine."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from deepresearch_mcp.records.sources import Document, Hit
from deepresearch_mcp.text.keywords import content_words, stem

MOST = 2
"""Links that one query leads to."""
_LONGEST = 12
"""Words of a link; longer ones are sentences."""
_NAMED = 0.75
"""Share of a link's words that the query must hold: the link names what is asked for, and little else."""
_HELD = 0.4
"""Share of the query's rarity that the link must hold."""
_HELD_BY_NAME = 0.15
"""The same for a link with an identifier of the query, as of a command or a setting: it says enough alone."""
_IDENTIFIER = re.compile(r"\w*[a-z]\w*(?:[_.\-]\w+)+|[a-z]+[A-Z]\w*")
_WHOLE, _HELD_WHOLE = 3, 0.2
"""Words from which a link says enough if the query has all of them, and the share that it must hold then: a query that
lists names is long, and each of its words is a small share of it."""
_PLACE = re.compile(r"[A-Za-z]\w+(?:[./][A-Za-z]\w+)+")
"""A name with its place, `package.module` or `topics/search`: where a site has it, its address often ends like this."""


@dataclass(frozen=True, slots=True)
class _Link:
    url: str
    text: str
    stems: frozenset[str]
    ends: tuple[str, str]
    """The last two parts of its address, without what names a file format."""


class LinkIndex:
    """The links of each page, their words counted once. One index serves all queries of a run."""

    def __init__(self) -> None:
        self._links: dict[str, tuple[_Link, ...]] = {}
        self._pages_with: Counter[str] = Counter()
        """Pages that have a word in a link: menus repeat their words on every page of a site."""

    def best(self, query: str, documents: Sequence[Document], most: int = MOST) -> list[Hit]:
        """The links that name what a query asks for, best first. Pages that are among `documents` are left out."""
        for document in documents:
            self._know(document)
        asked = {word: self._rarity(word) for word in _stems(query)}
        whole = sum(asked.values())
        names = [name.casefold() for name in _IDENTIFIER.findall(query)]
        places = {_end(name) for name in _PLACE.findall(query)}
        read = {document.url.partition("#")[0] for document in documents}
        found: dict[str, tuple[float, int, str]] = {}
        for document in documents:
            for link in self._links[document.source_id]:
                common = link.stems & asked.keys()
                url = link.url.partition("#")[0]
                placed = link.ends in places
                if url in read or not (placed or (common and len(common) >= _NAMED * len(link.stems))):
                    continue
                share = 1.0 if placed else sum(asked[word] for word in common) / whole
                if share >= self._least(link, common, names):
                    found[url] = max(found.get(url, (0.0, 0, "")), (share, -len(link.text), link.text))
        order = sorted(found, key=lambda url: (-found[url][0], -found[url][1], url))
        return [Hit(url=url, title=found[url][2]) for url in order[:most]]

    def _least(self, link: _Link, common: frozenset[str], names: Sequence[str]) -> float:
        if any(name in link.text.casefold() for name in names):
            return _HELD_BY_NAME
        return _HELD_WHOLE if len(common) == len(link.stems) >= _WHOLE else _HELD

    def _know(self, document: Document) -> None:
        if document.source_id in self._links:
            return
        # A page that speaks to models shall not tell them where to read on.
        planted = bool(document.screening and document.screening.planted)
        own = (
            _Link(link.url, link.text, _stems(link.text), _end(_PATH.sub("", link.url)))
            for link in document.links
            if not planted and 0 < len(link.text.split()) <= _LONGEST
        )
        links = self._links[document.source_id] = tuple(one for one in own if one.stems)
        self._pages_with.update({word for one in links for word in one.stems})

    def _rarity(self, word: str) -> float:
        # A word that no link has counts like the rarest: a link without it may miss the point.
        return math.log(1 + (1 + len(self._links)) / (1 + self._pages_with[word]))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(text))


def _end(place: str) -> tuple[str, str]:
    """The last two parts of an address or of a name, in small letters."""
    parts = _PART.findall(_SUFFIX.sub("", place.rstrip("/")).casefold())
    return (parts[-2], parts[-1]) if len(parts) > 1 else ("", "")


_PART = re.compile(r"[^./]+")
_PATH = re.compile(r"\A[^/]*//[^/]*|[?#].*\Z", re.DOTALL)
"""What an address has before and behind its path."""
_SUFFIX = re.compile(r"\.(?:html?|md|php|aspx?|rst|txt)\Z", re.IGNORECASE)

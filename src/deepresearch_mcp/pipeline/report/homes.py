"""Homes: which sites are about a thing itself, as a product's documentation is, and which only mention it."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from urllib.parse import urlsplit

from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.thinkers.extractive.terms import names_and_owners

_MOSTLY = 0.5
"""A site is about a thing that this share of its pages has in the title."""
_FEWEST = 2
"""Pages of a site without which its titles tell nothing."""
_SITE = re.compile(r"\s+[—–|·]\s+")
_SHORTEST = 3
"""Letters of a name that may open a longer word of a title: `gittutorial`."""


class Homes:
    """For each page the things, of those that a question names, that its site is about."""

    def __init__(self, documents: Mapping[str, Document], asked: Iterable[str]) -> None:
        """`asked`: texts whose names count, a name by itself among them."""
        self._titles: dict[str, list[str]] = {}
        for document in documents.values():
            self._titles.setdefault(_host(document), []).append(document.title)
        found = (name for text in asked for name in (text, *names_and_owners(text)))
        self._names = [name for name in dict.fromkeys(map(bare_name, found)) if name]
        self._homes = {host: self._about(host) for host in self._titles}

    def of(self, document: Document) -> frozenset[str]:
        """What the site of a page is about, casefolded."""
        return self._homes.get(_host(document), frozenset())

    @property
    def things(self) -> frozenset[str]:
        """All that any site is about, casefolded."""
        return frozenset[str]().union(*self._homes.values())

    def has_home(self, name: str) -> bool:
        """Whether any of the pages is at home with a thing."""
        return any(bare_name(name) in found for found in self._homes.values())

    def _about(self, host: str) -> frozenset[str]:
        titles, labels = self._titles[host], host.partition(":")[0].split(".")
        return frozenset(
            name
            for name in self._names
            if name.replace(" ", "") in labels
            or sum(_holds(tuple(words(title)), name) for title in titles) >= max(_FEWEST, _MOSTLY * len(titles))
            # One page says what its site is about behind the dash.
            or any(_holds(tuple(words(end)), name) for title in titles[:1] for end in _SITE.split(title)[1:])
        )


@cache
def bare_name(name: str) -> str:
    """A name without its version, casefolded: `Django 3.2` is at home where `django` is."""
    return " ".join(word for word in words(name) if not word[0].isdigit())


def _host(document: Document) -> str:
    return urlsplit(document.url).netloc.casefold()


def _holds(title: tuple[str, ...], name: str) -> bool:
    wanted = name.split()
    if len(wanted) == 1 and len(name) >= _SHORTEST:
        return any(word.startswith(name) for word in title)
    return all(word in title for word in wanted)

"""Pages that a question names by their address: read first, and no words for a search box."""

import re
from urllib.parse import urlsplit

from deepresearch_mcp.pipeline.research.searcher import is_query
from deepresearch_mcp.text.addresses import addresses, without_addresses
from deepresearch_mcp.text.urls import host_of

MOST = 10
"""Pages that a question can name; a list that is longer is a bibliography."""


def named_pages(question: str) -> tuple[str, ...]:
    """The addresses that stand in a question, in order, each once, at most `MOST`."""
    return tuple(dict.fromkeys(found.url for found in addresses(question)))[:MOST]


def searchable(text: str) -> str:
    """The words of a question or query that an engine can search: those outside addresses.

    Where little but an address is left, the words of the address itself stand in: `example.org docs locking`.
    """
    plain = " ".join(without_addresses(text).split())
    named = named_pages(text)
    if plain == " ".join(text.split()) or not named or is_query(plain):
        return plain
    words = " ".join(word for url in named for word in _words(url))
    return f"{plain} {words}".strip() or text


def _words(url: str) -> list[str]:
    host = host_of(url).removeprefix("www.")
    # An address in figures says nothing to an engine.
    site = [host] if re.search(r"[a-z]", host) and ":" not in host else []
    path = re.split(r"[^\w]+|_", urlsplit(url).path)
    return [*site, *(word for word in path if len(word) > 1 and word not in {"html", "htm", "php", "index"})]

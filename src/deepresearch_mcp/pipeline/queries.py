"""Queries: what is one, when two ask the same, and how text becomes one."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.text.addresses import addresses, without_addresses
from deepresearch_mcp.text.keywords import content_words, discriminative_words, keywords
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.urls import host_of, in_domains


def query_key(text: str) -> str:
    """A key that is equal for queries with the same words in any order."""
    return " ".join(sorted(set(discriminative_words(text)))) or text.casefold().strip()


def is_query(text: str) -> bool:
    """Whether a text is enough for an engine: more than one word, not counting the `site:` to search."""
    said = [word for word in text.split() if not word.lower().startswith("site:") and any(map(str.isalnum, word))]
    return len(said) > 1 or len(content_words(" ".join(said))) > 1


def one_language(query: str, languages: Sequence[str]) -> str:
    """The one of these languages in which pages are looked for with a query; "" if it cannot be told which."""
    if len(languages) == 1:
        # A question in another language looks for such pages too.
        return languages[0]
    own = guess(query)
    return own if own in languages else ""


MOST_NAMED_PAGES = 10
"""Pages that a question can name. A longer list is a bibliography."""


def named_pages(question: str) -> tuple[str, ...]:
    """The addresses that stand in a question, in order, each once, at most `MOST_NAMED_PAGES`."""
    return tuple(dict.fromkeys(found.url for found in addresses(question)))[:MOST_NAMED_PAGES]


def without_page_addresses(text: str) -> str:
    """A question or query without the addresses of pages, which no engine can search.

    If little but an address is left, the words of the address are used: `example.org docs locking`.
    """
    plain = " ".join(without_addresses(text).split())
    named = named_pages(text)
    if plain == " ".join(text.split()) or not named or is_query(plain):
        return plain
    words = " ".join(word for url in named for word in _words(url))
    return f"{plain} {words}".strip() or text


def _words(url: str) -> list[str]:
    host = host_of(url).removeprefix("www.")
    # An address of figures means nothing to an engine.
    site = [host] if re.search(r"[a-z]", host) and ":" not in host else []
    path = re.split(r"[^\w]+|_", urlsplit(url).path)
    return [*site, *(word for word in path if len(word) > 1 and word not in {"html", "htm", "php", "index"})]


def usable_queries(proposed: Sequence[str], question: str, brief: Brief) -> tuple[str, ...]:
    """The usable queries among those proposed; if there is none, one made of the keywords of the question."""
    asked = map(without_page_addresses, proposed)
    cleaned = (" ".join(word for word in text.split() if _site_allowed(word, brief))[:300] for text in asked)
    if good := tuple(dict.fromkeys(filter(is_query, cleaned))):
        return good
    question = without_page_addresses(question)
    own = " ".join(keywords(question, 8))
    # One word alone finds anything. The whole question says in which sense it is meant.
    wider = " ".join(dict.fromkeys((question, *keywords(without_page_addresses(brief.question), 8))))
    return (next((text[:300] for text in (own, question, wider) if is_query(text)), question[:300]),)


def _site_allowed(word: str, brief: Brief) -> bool:
    if not word.lower().startswith("site:"):
        return True
    url, allowed = f"https://{word[5:]}/", brief.filters.include_domains
    return not in_domains(url, brief.filters.exclude_domains) and (not allowed or in_domains(url, allowed))

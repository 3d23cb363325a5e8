"""Links: the page that a read page names in the words of the question, as an index names what it lists."""

from collections.abc import Iterable, Mapping, Sequence

from deepresearch_mcp.records.evidence import Lead
from deepresearch_mcp.records.sources import DocumentCard, Passage
from deepresearch_mcp.thinkers.extractive.relevance import whole_numbers
from deepresearch_mcp.thinkers.extractive.terms import kind_names, names, names_kind, split_topic, stems, wanted, weight

_MOST = 2
_COVERED = 0.6
"""The share of the question's words that the link must hold."""
_LONGEST = 12
"""Words of a link; longer ones are sentences."""


def link_leads(
    question: str, passages: Sequence[Passage], pages: Mapping[str, DocumentCard], language: str
) -> tuple[Lead, ...]:
    """Return at most two links that name what is asked, with every name and version of the question, best first.

    None where a page that was read is called so itself: then the answer is here.
    """
    read = {passage.source_id: None for passage in passages}
    cards = [pages[name] for name in read if name in pages]
    ask = _Asked(question, language)
    if not ask.telling or any(ask.share(_name_of(card.title)) for card in cards):
        return ()
    known = {card.url.partition("#")[0] for card in cards}
    ranked: dict[str, tuple[float, int]] = {}
    for card in cards:
        for link in card.links:
            url = link.url.partition("#")[0]
            share = ask.share(link.text) if len(link.text.split()) <= _LONGEST else 0.0
            if share and url not in known:
                ranked[url] = max(ranked.get(url, (0.0, 0)), (share, -len(link.text)))
    best = sorted(ranked, key=lambda url: (-ranked[url][0], -ranked[url][1], url))
    return tuple(Lead(url=url) for url in best[:_MOST])


class _Asked:
    """The words of a question, and which of them a link must hold."""

    def __init__(self, question: str, language: str) -> None:
        self._language = language
        asked = whole_numbers(question)
        self._query = wanted(asked, language)
        named = set(_stems(names(asked), language)) | {word for word in self._query if any(map(str.isdigit, word))}
        self._named = named & set(self._query)
        topic = split_topic(asked)[0]
        self._named |= set(stems(topic, language)) & set(self._query)
        self._kinds = kind_names(question)
        self.telling = bool(self._named) and len(self._query) > 1

    def share(self, text: str) -> float:
        """The share of the question's words in a text; 0 where it lacks a name, or too many of the others.

        A link to the `with statement` need not say of which language.
        """
        if names_kind(self._kinds, text):
            return 1.0
        found = set(stems(whole_numbers(text), self._language))
        # What only names the thing leads to its front page.
        front = (
            len(self._named) < len(self._query) and found <= self._named and not any(one[0].isdigit() for one in found)
        )
        if not self._named <= found or front:
            return 0.0
        whole = sum(map(weight, self._query))
        share = sum(weight(word) for word in self._query if word in found) / whole
        return share if share >= _COVERED else 0.0


def _stems(texts: Iterable[str], language: str) -> list[str]:
    return [word for text in texts for word in stems(text, language)]


def _name_of(title: str) -> str:
    """A page's title without its site: after the dash stands what every page of the site says."""
    for mark in (" — ", " – ", " | ", " · "):
        title = title.partition(mark)[0]
    return title

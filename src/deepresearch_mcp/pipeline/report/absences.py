"""Absences: whether a report may say that the pages of its run do not tell something."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from deepresearch_mcp.pipeline.report.nearest_passages import IDENTIFIER, NearestPassages
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.report import Gap
from deepresearch_mcp.records.sources import Document, Passage
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.stopwords import word_set

_WINDOW = 700
"""Characters of a page that are looked at together, with its title."""
_HELD = 0.6
"""Share of what is missing from which a passage may answer it. Rather a true absence is left out than a false told."""
_SAME = 0.6
"""Share of its words from which an absence is a gap that was searched for."""
_LEAST = 2
"""Words below which nothing can be searched for."""
_SHORT = 3
_NEAREST = 5
"""Passages that a reader is shown of what may answer it all the same."""
_PAGES = 3
"""The best pages that have one of them each."""
_ABOUT_SOURCES = frozenset(
    stem(word)
    for word in word_set(
        "documentation documents document documented pages page sources source consulted read reading "
        "reviewed available official manual reference references material materials cited state states "
        "stated give gives given name names named mention mentions mentioned say says said tell tells told "
        "find finds found establish established specify specifies specified describe describes described "
        "report reports reported list lists listed contain contains contained offer offers provide provides "
        "provided information evidence statement clear unclear open unknown concrete explicit explicitly "
        "anything nothing none without lacks missing absent dokumentation seiten seite quellen quelle "
        "gelesen gelesenen nennt nennen angegeben gefunden angaben angabe sagt sagen lues indique indiquent "
        "donne mentionne trouvé documentación páginas fuentes leídas indica indican menciona encontrado dice"
    )
)
"""Stems of what such a sentence says of the sources, and not of what is missing."""


class StoredPages:
    """The pages that a run has read, and the gaps that it searched them for."""

    def __init__(
        self, documents: Mapping[str, Document], gaps: Sequence[Gap] = (), nearest: NearestPassages | None = None
    ) -> None:
        self._documents = documents
        self._gaps = gaps
        self._nearest = nearest or NearestPassages()
        self._nearest.know(documents)

    @property
    def are_known(self) -> bool:
        """Whether there is any page that could tell it."""
        return bool(self._documents)

    def are_silent_on(self, text: str) -> bool:
        """Whether an absence may be told: it was searched for, or no passage of any page has most of its words.

        Words are compared by their stems, anywhere in a word, so that many a passage counts that answers nothing.
        """
        missing = _terms(text)
        if len(missing) < _LEAST or not self._documents:
            return False
        if any(self._is_searched(gap, missing) for gap in self._gaps):
            return True
        return not any(_may_answer(document, missing) for document in self._documents.values())

    async def nearest(self, text: str, *, whole: bool = False) -> tuple[Claim, ...]:
        """The passages of all pages that come nearest to what is missing, the nearest first, each as a claim.

        The best pages have one each. A reader tells from them whether an absence is true, where words alone cannot.
        `whole`: the text speaks of the matter alone, so that none of its words is about the sources.
        """
        missing = text if whole else matter_of(text)
        found = await self._nearest.of(missing, _NEAREST, pages=_PAGES) if missing else ()
        return tuple(_as_claim(one.passage, self._documents) for one in found)

    def _is_searched(self, gap: Gap, missing: frozenset[str]) -> bool:
        if gap.ceiling or not (gap.pages or gap.queries):
            return False
        return len(missing & _terms(gap.missing)) >= _SAME * len(missing)


def matter_of(text: str) -> str:
    """The words of what is missing, without what such a sentence says of its sources; identifiers whole too."""
    told = [word for word in content_words(text) if _is_told(stem(word))]
    return " ".join((*told, *IDENTIFIER.findall(text))) if told else ""


def may_answer(text: str, answer: str) -> bool:
    """Whether a claim has most of the words that an absence says are nowhere told."""
    missing = _terms(text)
    return len(missing & _terms(answer)) >= _HELD * max(1, len(missing))


def _as_claim(passage: Passage, documents: Mapping[str, Document]) -> Claim:
    words = " ".join(passage.text.split())
    quote = Quote(
        source_id=passage.source_id,
        snapshot=documents[passage.source_id].snapshot,
        start=passage.start,
        end=passage.end,
        text=words,
        heading=passage.heading,
        page=documents[passage.source_id].page_at(passage.start),
    )
    name = hashlib.sha256(passage.passage_id.encode()).hexdigest()[:10]
    return Claim(claim_id=f"c{name}", sub_question="", text=words, quotes=(quote,))


def _may_answer(document: Document, missing: frozenset[str]) -> bool:
    title = document.title.casefold()
    text = document.text.casefold()
    left = [term for term in missing if term not in title]
    needed = _HELD * len(missing) - (len(missing) - len(left))
    # A page seldom has the words at all.
    if sum(term in text for term in left) < needed:
        return False
    return any(sum(term in part for term in left) >= needed for part in _windows(text))


def _windows(text: str) -> Iterable[str]:
    step = _WINDOW // 2
    return (text[at : at + _WINDOW] for at in range(0, max(1, len(text) - step), step))


def _terms(text: str) -> frozenset[str]:
    return frozenset(term for word in content_words(text) if len(term := stem(word)) >= _SHORT and _is_told(term))


def _is_told(term: str) -> bool:
    return term not in _ABOUT_SOURCES


def terms_of(text: str) -> frozenset[str]:
    """The stems of what is missing, without what such a sentence says of its sources."""
    return _terms(text)

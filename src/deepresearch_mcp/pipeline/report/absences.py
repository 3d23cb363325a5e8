"""Absences: whether a report may say that the pages of its run do not tell something."""

from collections.abc import Iterable, Mapping, Sequence

from deepresearch_mcp.records.report import Gap
from deepresearch_mcp.records.sources import Document
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

    def __init__(self, documents: Mapping[str, Document], gaps: Sequence[Gap] = ()) -> None:
        self._documents = documents
        self._gaps = gaps

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

    def _is_searched(self, gap: Gap, missing: frozenset[str]) -> bool:
        if gap.ceiling or not (gap.pages or gap.queries):
            return False
        return len(missing & _terms(gap.missing)) >= _SAME * len(missing)


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
    return frozenset(
        term for word in content_words(text) if len(term := stem(word)) >= _SHORT and term not in _ABOUT_SOURCES
    )


def terms_of(text: str) -> frozenset[str]:
    """The stems of what is missing, without what such a sentence says of its sources."""
    return _terms(text)

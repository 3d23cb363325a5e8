"""Private words: what stands in the user's own documents alone is not sent to a search engine of the web."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from deepresearch_mcp.records.plan import Brief, Plan
from deepresearch_mcp.records.sources import Document, Link
from deepresearch_mcp.text.keywords import STOPWORDS, stem, words
from deepresearch_mcp.text.library_urls import LIBRARY

_COMMON = frozenset[str]().union(*STOPWORDS.values())


class PrivateWords:
    """Tells which queries hold words of the user's documents that neither the user nor a page of the web has said.

    It looks at words and at pairs of neighbouring words, without their endings. It cannot recognise what a model
    paraphrases or translates.
    """

    def __init__(self, brief: Brief) -> None:
        """The user's own words may be sent; what an earlier run took from collections may not."""
        # The run before marks what it knows from collections: see `jobs/background.py`.
        self._background = LIBRARY in brief.background
        self._public: list[str] = []
        self._private: list[str] = []
        self._documents: dict[tuple[str, str], str] = {}
        """Snapshot of each page → its stems in order."""
        self._say(brief.question, *brief.wishes, "" if self._background else brief.background)
        if self._background:
            self._private.append(_stems(brief.background))

    def know(self, plan: Plan, brief: Brief) -> None:
        """Count as public what the first plan says, which nothing from a collection was read for."""
        self._say(*brief.wishes)
        if self._background:
            return
        for part in plan.sub_questions:
            self._say(part.text, *part.queries)
        for expected in plan.hypotheses:
            self._say(expected.statement, expected.query)
        for wanted in brief.scope.deliverables:
            self._say(wanted.text)
        for cell in brief.scope.cells:
            self._say(cell.subject, cell.aspect)

    def in_query(self, query: str, documents: Iterable[Document]) -> str:
        """Return the first word or pair of words of a query that only collections have; "" if there is none."""
        public, private = list(self._public), list(self._private)
        for document in documents:
            (private if is_private(document) else public).append(self._known(document))
        if not private:
            return ""
        asked = [found for word in words(query) if (found := _stem(word))]
        for one in (*asked, *(f"{first} {second}" for first, second in pairwise(asked))):
            if _holds(private, one) and not _holds(public, one):
                return one
        return ""

    def _say(self, *texts: str) -> None:
        self._public += map(_stems, texts)

    def _known(self, document: Document) -> str:
        key = (document.source_id, document.snapshot)
        if key not in self._documents:
            self._documents[key] = _stems(f"{document.title}\n{document.text}")
        return self._documents[key]


def is_private(document: Document) -> bool:
    """Whether a document is one of a collection."""
    return document.url.startswith(LIBRARY)


def public_links(documents: Iterable[Document]) -> list[Link]:
    """The links that may be opened: those of pages of the web, and those that lead into a collection."""
    return [
        link
        for document in documents
        for link in document.links
        if not is_private(document) or link.url.startswith(LIBRARY)
    ]


def _stem(word: str) -> str:
    return "" if word in _COMMON else stem(word)


def _stems(text: str) -> str:
    """The stems of a text in order, each between blanks, so that one or two are found by their letters."""
    return f" {' '.join(found for word in words(text) if (found := _stem(word)))} "


def _holds(texts: Sequence[str], stems: str) -> bool:
    return any(f" {stems} " in text for text in texts)

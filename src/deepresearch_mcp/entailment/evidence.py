"""Evidence: the words that should carry a statement, and what may stand in for them."""

from dataclasses import dataclass

from deepresearch_mcp.entailment.details import PageNames, PageWords
from deepresearch_mcp.entailment.rewording import Around
from deepresearch_mcp.text.language import guess


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The words that should carry a statement, and what may stand in for them."""

    words: str
    """The words that must hold a statement's numbers, dates and names, and deny what it denies."""
    beside: str = ""
    """Text that may hold details too but states nothing by itself: the page's title, its date."""
    titles: str = ""
    """Titles and headings above the words, one per line; they may give a version."""
    near: str = ""
    """The text around the words. If given, a name must occur there or on the page; otherwise on the page."""
    page: PageWords | PageNames | None = None
    """The page of the words; it may hold a name that they call "it"."""
    addresses: str | None = None
    """The page's whole text for readers; given if the words must also hold a statement's addresses."""
    quotes: tuple[str, ...] = ()
    """Quotes; one of them may be the statement word for word."""
    sentences: tuple[tuple[str, Around], ...] = ()
    """Sentences, each with what it may refer to; one of them may carry the whole statement."""
    pieces: tuple[str, ...] = ()
    """Pieces of text that the statement may restate, clause by clause."""
    claimed: tuple[str, ...] = ()
    """Statements that the words are known to carry; the surrounding text cannot deny a restatement of them."""
    limited: str = ""
    """The text of the claims, whose limits ("may", "in part") a restatement must keep."""
    kinds: tuple[str, ...] = ()
    """The kinds of the claims (`fact`, `estimate`, `opinion`, `forecast`); a statement must show them."""
    is_source: bool = False
    """Whether a statement may name the words as its source; they need not hold that attribution."""
    lacks: str = "its sources do not say"
    """The phrase that tells a reader that the words lack something."""


def is_foreign(statement: str, words: str, language: str) -> bool:
    """Return whether a statement is in the report's language and the words are in another; False if unsure."""
    return bool(language) and guess(words) not in {"", language} and guess(statement) in {"", language}

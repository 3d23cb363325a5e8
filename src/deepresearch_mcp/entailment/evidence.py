"""Evidence: the words that are to carry a statement, and what may stand for them."""

from dataclasses import dataclass

from deepresearch_mcp.entailment.details import PageNames, PageWords
from deepresearch_mcp.entailment.rewording import Around
from deepresearch_mcp.text.language import guess


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Words that are to carry a statement, and what may stand for them."""

    words: str
    """What has to hold a statement's numbers, dates and names, and to deny what it denies."""
    beside: str = ""
    """What may hold them too, and says nothing by itself: the title of the page, its date."""
    titles: str = ""
    """Titles and headings above the words, each on a line: they may give a version."""
    near: str = ""
    """What stands around the words. Where there is some, a name has to stand there or on the page, else on the page."""
    page: PageWords | PageNames | None = None
    """The page that the words are from: a name which they call "it" may stand there."""
    addresses: str | None = None
    """All that a reader of the page is told; given where the words have to hold a statement's addresses too."""
    quotes: tuple[str, ...] = ()
    """Quoted stretches, of which one may be the statement word for word."""
    sentences: tuple[tuple[str, Around], ...] = ()
    """Sentences, each with what it may refer back to, of which one may carry the whole statement."""
    pieces: tuple[str, ...] = ()
    """Stretches that the statement may restate, clause by clause."""
    claimed: tuple[str, ...] = ()
    """Statements known to be carried by the words: what says the same is not turned by what stands around them."""
    limited: str = ""
    """What was claimed, whose limits ("may", "in part") a restatement has to keep."""
    kinds: tuple[str, ...] = ()
    """What the claims are, each `fact`, `estimate`, `opinion` or `forecast`: a statement has to say so too."""
    is_source: bool = False
    """A statement may name them as its source: whom it is from is no part of what they have to say."""
    lacks: str = "its sources do not say"
    """How a reader is told that the words lack something."""


def is_foreign(statement: str, words: str, language: str) -> bool:
    """Tell whether a statement is in the report's language and words are in another; unsure: no."""
    return bool(language) and guess(words) not in {"", language} and guess(statement) in {"", language}

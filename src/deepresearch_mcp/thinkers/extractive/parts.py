"""One part of a question, and what its form says about pages that answer it."""

import re
from dataclasses import dataclass

from deepresearch_mcp.records.plan import Priority


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a question."""

    text: str
    """Readable as a question or heading."""
    aspect: str = ""
    """Words that may help a search for it, beside its own: `reasons`, `comparison`."""
    priority: Priority = "high"
    rests_on: tuple[str, ...] = ()
    """Texts of other parts whose answer is needed first."""
    topic: str = ""
    """Where several things are compared: the aspect it asks for."""
    subjects: tuple[str, ...] = ()
    """And the things that it asks about."""
    context: str = ""
    """What the question asks of these things before, in which this part is meant."""


RELEASE_NOTES = "release notes"
_ASPECTS = (
    (r"\bnew in\b|\b(?:changed?|changes|added|introduced|deprecated|removed)\b.*\d", RELEASE_NOTES),
    (r"^(?:what|how)\b.*\b(?:differ|differences?|compared?)\b|\bvs\.?\b|\bversus\b", "comparison"),
    (r"^why\b|\bcauses?\b|\breasons?\b", "reasons"),
    (r"^when (?!should\b|can\b|do (?:i|you|we)\b)|^(?:in )?(?:what|which) (?:year|date|century)\b", "date"),
    (r"^how (?:many|much)\b", "number"),
    (r"^how (?:long|old|far|tall|big|large|high|fast|often)\b", "figures"),
    (r"^how (?:do|does|is|are|can)\b", "explained"),
    (r"^(?:what|which) (?:are|were)\b", "list"),
    (r"^(?:what|who) (?:is|was)\b", "overview"),
    (r"^(?:should|is|are|does|do|can|will)\b", "evidence"),
)


def aspect(question: str) -> str:
    """Return a word that pages answering this form of question often hold; "" where the form says nothing."""
    folded = question.casefold()
    return next((word for pattern, word in _ASPECTS if re.search(pattern, folded)), "")


_CODE = re.compile(r"_|\w\.\w|\(\)")


def sentence_case(text: str) -> str:
    """Begin with a capital, unless the first word has one inside or is an identifier."""
    text = text.strip()
    first = text.split(" ", 1)[0]
    if any(char.isupper() for char in first[1:]) or _CODE.search(first):
        return text
    return text[:1].upper() + text[1:]


def listed(things: list[str] | tuple[str, ...], last: str = "and") -> str:
    """Join things as a sentence does: `A, B and C`."""
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} {last} {things[-1]}"

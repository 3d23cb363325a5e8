"""The one sentence that is the answer, where a question has one."""

import re
from dataclasses import dataclass

from deepresearch_mcp.text.passages import headings_of
from deepresearch_mcp.text.sentences import Span, sentences
from deepresearch_mcp.thinkers.extractive.prose import clean, dangles, finished, is_prose, points
from deepresearch_mcp.thinkers.extractive.relevance import relevance_of
from deepresearch_mcp.thinkers.extractive.stating import states
from deepresearch_mcp.thinkers.extractive.terms import coverage, names, stems, wanted

_LONGEST = 300
_COVERED = 0.75
"""Share of the question's words that the sentence must hold itself."""
ANSWER_CHARS = 140


_PLACE = re.compile(r"\b(?:in|of|for)\s+(?P<place>[A-Z][\w.+#-]*)[?.! ]*$")


def _places(question: str) -> frozenset[str]:
    """The stems of what a question ends in: `What does VACUUM do in SQLite?`."""
    match = _PLACE.search(question)
    return frozenset(stems(match["place"])) if match else frozenset()


@dataclass(frozen=True, slots=True)
class OneLine:
    """A sentence of a passage."""

    text: str
    """Without Markdown, closed by a full stop."""
    span: Span
    """Where it stands on the page."""


def one_line(
    question: str, text: str, heading: str, language: str, at: int = 0, *, strict: bool = True
) -> OneLine | None:
    """Return the sentence of a passage that answers the question by itself; None where none does.

    It stands alone, names what the question names, and states what was asked for: a date, a number, a name, a place,
    the value of a default, the meaning of a term, or the reason of what is asked; see `stating`. Without `strict` it is
    the nearest sentence that fits an answer of 140 characters.

    Args:
        question: What is asked.
        text: The passage.
        heading: What it stands under.
        language: ISO 639-1 of the question.
        at: Where the passage begins on its page.
        strict: See above.
    """
    query = wanted(question, language)
    # In an entry on a setting its name stands above, and what its site is about need not be said.
    entry = (headings_of(heading) or ("",))[-1].partition(" ")[0]
    above = stems(heading, language) if "_" in entry and entry in names(question) else []
    # What a thing does in something is said on a page of that: `VACUUM — SQLite`.
    above += [word for word in stems((headings_of(heading) or ("",))[0], language) if word in _places(question)]
    found: list[tuple[float, int, OneLine]] = []
    for span in sentences(text):
        said = finished(clean(text[span.start : span.end]))
        if not is_prose(said) or dangles(said) or points(said) or len(said) > (_LONGEST if strict else ANSWER_CHARS):
            continue
        own = [*stems(said, language), *above]
        share = coverage(query, own)
        tells = states(question, said, language)
        named = all(set(stems(name)) <= set(own) for name in names(question))
        if strict and not (tells and named and share >= _COVERED):
            continue
        line = OneLine(said, Span(at + span.start, at + span.end))
        found.append((share + tells + 0.1 * relevance_of(question, [said], heading, language).score, -span.start, line))
    return max(found, key=lambda one: one[:2])[2] if found else None

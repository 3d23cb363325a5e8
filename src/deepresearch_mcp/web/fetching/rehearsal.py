"""Runs once, in a process that can be killed, all the work that later stages do on a whole text."""

from collections.abc import Sequence

from deepresearch_mcp.entailment.check import SentenceIndex
from deepresearch_mcp.injection.detect import Planted, is_planted
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.names import initials, name_words
from deepresearch_mcp.text.passages import pieces
from deepresearch_mcp.text.quotes import locate
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.sentences import SHORT, sentences

_ASKED = 40
"""Words of the text that serve as the trial question and quote."""
_LINE, _WORD = 4_000, 300
"""Characters of a line and of a word up to which they are usual."""


def rehearse(text: str, stretches: Sequence[Planted]) -> None:
    """Cut a long text into passages, rank them, check a claim and locate a quote; discard the results.

    The caller runs this in a process with a time limit. A text that passes takes the main process no longer.
    Headings are checked only if `stretches`, the planted stretches of the text, is not empty. A text of usual lines and
    words is not tried: every step takes time that grows with the length and no faster, which tests hold it to, and what
    they may have overlooked lies in lines or words that never end.
    """
    if len(text) <= SHORT or (not stretches and _is_usual(text)):
        return
    found = pieces(text)
    if stretches:
        for heading in dict.fromkeys(piece.heading for piece in found):
            is_planted(heading)
    some = words(text[: 50 * _ASKED])[:_ASKED]
    query = " ".join(some)
    Ranker([f"{piece.heading}\n{text[piece.start : piece.end]}" for piece in found]).scores(query)
    SentenceIndex([text[span.start : span.end] for span in sentences(text)]).best(query)
    # Words in an order that the text does not contain make the slowest search.
    locate(" ".join(reversed(some)), text)
    name_words(text)
    initials(text)


def _is_usual(text: str) -> bool:
    lines, found = text.split("\n"), text.split()
    return max(map(len, lines)) <= _LINE and max(map(len, found), default=0) <= _WORD

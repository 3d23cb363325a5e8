"""What a judge sees of a claim: only the words of its pages that can decide."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import count

from deepresearch_mcp.entailment.check import negations
from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.prompted.material import Labels, headings

_SAME = "the claim, word for word"
"""Replaces a sentence that the claim repeats: reading it twice does not help."""


def claims_to_judge(labels: Labels[Claim], nonce: str) -> str:
    """Each claim with the numbered sentences around its quotes that can decide."""
    return "\n".join(fence("claim", name, to_judge(claim), nonce) for name, claim in labels.named())


def to_judge(claim: Claim) -> str:
    """All that a judge sees of one claim: the words of each place that it comes from."""
    text, places = one_line(claim.text), _shown(claim)
    lines, before = [text], None
    numbers = count(1)
    for place in places:
        again = before is not None and (before.source_id, before.heading) == (place.source_id, place.heading)
        lines.append("Elsewhere there:" if again else _page(place))
        lines += (f"{next(numbers)}. {_SAME if sentence == text else sentence}" for sentence in place.sentences)
        before = place
    return "\n".join(lines)


def _page(place: "_Block") -> str:
    """The page's date, and the headings: they name the subject of the sentences, and its version."""
    dated = f" of {place.published.isoformat()}" if place.published else ""
    return f"Page{dated}, under “{place.heading}”:" if place.heading else f"Page{dated}:"


def shown_to_judge(claim: Claim) -> list[str]:
    """The sentences that a judge sees of a claim's pages, in their order, each on one line."""
    return [sentence for block in _shown(claim) for sentence in block.sentences]


@dataclass(frozen=True, slots=True)
class _Block:
    """What a judge sees of one place on a page."""

    source_id: str
    heading: str
    published: date | None
    sentences: tuple[str, ...]


def _shown(claim: Claim) -> list[_Block]:
    # On one line, so that no line of the page looks like one of ours.
    blocks = [
        _Block(
            place.source_id,
            headings(one_line(place.heading)),
            place.published,
            tuple(one_line(one, 600) for one in _deciding(claim.text, place)),
        )
        for place in _places(claim.quotes)
    ]
    return list(dict.fromkeys(blocks))


@dataclass(frozen=True, slots=True)
class _Place:
    """A stretch of a page with the quotes in it."""

    source_id: str
    heading: str
    start: int
    """Where `text` starts on the page; below 0 if unknown."""
    text: str
    quoted: tuple[tuple[int, int], ...]
    """The places of the quotes in `text`."""
    published: date | None = None


def _places(quotes: Sequence[Quote]) -> list[_Place]:
    """The quotes with their context; overlapping contexts are joined, so that no sentence is shown twice."""
    found: list[_Place] = []
    for quote in quotes:
        context = quote.context or quote.text
        at = context.find(quote.text)
        own = ((at, at + len(quote.text)),) if at >= 0 else ()
        place = _Place(quote.source_id, quote.heading, quote.start - at if own else -1, context, own, quote.published)
        number = next((number for number, other in enumerate(found) if _joined(other, place)), None)
        if number is None:
            found.append(place)
        else:
            found[number] = _joined(found[number], place) or place
    return found


def _joined(one: _Place, other: _Place) -> _Place | None:
    """The two stretches as one; None if they do not overlap."""
    first, second = (one, other) if one.start <= other.start else (other, one)
    if one.source_id != other.source_id or first.start < 0:
        return None
    shift = second.start - first.start
    inside = first.text[shift : shift + len(second.text)]
    if not inside or not second.text.startswith(inside):
        return None
    quoted = (*first.quoted, *((low + shift, high + shift) for low, high in second.quoted))
    whole = first.text[:shift] + second.text + first.text[shift + len(second.text) :]
    return _Place(one.source_id, one.heading, first.start, whole, quoted, one.published)


_TURNS = re.compile(
    r"\b(?:however|but|yet|although|though|nevertheless|nonetheless|instead|in fact|actually|unless|except|only|if|"
    r"claim\w*|alleg\w+|supposed\w*|reported(?:ly)?|rumou?r\w*|myths?|false\w*|wrong\w*|hoax\w*|critics?|critici\w+|disput\w+|contest\w+|controvers\w+|"
    r"hypothe\w+|imagin\w+|fiction\w*|example|according|said|says|argu\w+|believ\w+|may|might|could|would|estimat\w+)\b",
    re.IGNORECASE,
)
"""Words of a neighbouring sentence that may reverse or weaken what a quote says."""


_DATED = re.compile(
    r"\b(?:versions?|releases?|since|v) ?\d|\b\d+\.\d+\b|\b(?:1[5-9]|20)\d\d\b|\b\d+(?:,\d{3})*(?: ?%| per ?cent)",
    re.IGNORECASE,
)
"""A version, a time or a figure in a neighbouring sentence."""


def _deciding(text: str, place: _Place) -> list[str]:
    """The sentences around quotes that can decide: those of the quotes, and neighbours that concern the claim.

    A neighbour concerns it by a word of the claim that the quotes lack, a word that may reverse their meaning, or a
    version, date or figure. These words are known in English only; in other languages no neighbour is left out.
    """
    context = place.text
    spans = sentences(context)
    own = [span for span in spans if any(span.start < high and span.end > low for low, high in place.quoted)]
    if not own:
        return [context]
    pieces = [(span in own, context[span.start : span.end]) for span in spans]
    if guess(context) != "en":
        return [sentence for _, sentence in pieces]
    lacking = _stems(text) - _stems(" ".join(sentence for its_own, sentence in pieces if its_own))
    return [
        sentence
        for its_own, sentence in pieces
        if its_own
        or _TURNS.search(sentence)
        or (_DATED.search(sentence) and _stems(sentence))
        or negations(sentence)
        or lacking & _stems(sentence)
    ]


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)}

"""What a judge is shown of a claim: the words of its pages that can decide, and nothing else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from deepresearch_mcp.entailment.check import details_missing_from, negations
from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.passages import SEPARATOR
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.prompted.material import Labels, headings

_SAME = "the claim, word for word"
"""Shown for a sentence that the claim repeats: reading it twice decides nothing."""


def claims_to_judge(labels: Labels[Claim], nonce: str) -> str:
    """Each claim with the words around its quotes that can decide, their sentences numbered, and nothing else."""
    return "\n".join(fence("claim", name, to_judge(claim), nonce) for name, claim in labels.named())


def to_judge(claim: Claim) -> str:
    """All that a judge sees of one claim: the words of each place that it was taken from by themselves."""
    text, places = one_line(claim.text), _shown(claim)
    shown = [sentence for place in places for sentence in place.sentences]
    first = places[0].heading
    told = len({place.heading for place in places}) > 1 or bool(first and _needs(text, first, shown))
    if len(shown) == 1:
        return f"{text}\n{_page(first if told else '')} {_SAME if shown[0] == text else shown[0]}"
    lines, before = [text], None
    numbers = count(1)
    for place in places:
        again = before is not None and (before.source_id, before.heading) == (place.source_id, place.heading)
        lines.append("Elsewhere there:" if again else _page(place.heading if told else ""))
        lines += (f"{next(numbers)}. {_SAME if sentence == text else sentence}" for sentence in place.sentences)
        before = place
    return "\n".join(lines)


def _page(heading: str) -> str:
    return f"Page, under “{heading}”:" if heading else "Page:"


def _needs(text: str, heading: str, shown: Sequence[str]) -> bool:
    """Whether the claim speaks of something that no shown word names: of whom it is, the headings may tell."""
    page = "\n".join(shown)
    return not names_in(text).isdisjoint(details_missing_from(text, page)) or bool(
        _stems(text) & _stems(heading.replace(SEPARATOR, " ")) - _stems(page)
    )


def shown_to_judge(claim: Claim) -> list[str]:
    """The sentences that a judge sees of a claim's pages, in their order, each on one line."""
    return [sentence for block in _shown(claim) for sentence in block.sentences]


@dataclass(frozen=True, slots=True)
class _Block:
    """What a judge sees of one place on a page."""

    source_id: str
    heading: str
    sentences: tuple[str, ...]


def _shown(claim: Claim) -> list[_Block]:
    # On one line, so that no line of the page can pass for ours.
    blocks = [
        _Block(
            place.source_id,
            headings(one_line(place.heading)),
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
    """Of `text` on the page; below 0 where that is not known."""
    text: str
    quoted: tuple[tuple[int, int], ...]
    """Where the quotes stand in `text`."""


def _places(quotes: Sequence[Quote]) -> list[_Place]:
    """The quotes with what is around them, those whose surroundings overlap as one: no sentence is shown twice."""
    found: list[_Place] = []
    for quote in quotes:
        context = quote.context or quote.text
        at = context.find(quote.text)
        own = ((at, at + len(quote.text)),) if at >= 0 else ()
        place = _Place(quote.source_id, quote.heading, quote.start - at if own else -1, context, own)
        number = next((number for number, other in enumerate(found) if _joined(other, place)), None)
        if number is None:
            found.append(place)
        else:
            found[number] = _joined(found[number], place) or place
    return found


def _joined(one: _Place, other: _Place) -> _Place | None:
    """Two stretches as one; None where they do not overlap."""
    first, second = (one, other) if one.start <= other.start else (other, one)
    if one.source_id != other.source_id or first.start < 0:
        return None
    shift = second.start - first.start
    inside = first.text[shift : shift + len(second.text)]
    if not inside or not second.text.startswith(inside):
        return None
    quoted = (*first.quoted, *((low + shift, high + shift) for low, high in second.quoted))
    whole = first.text[:shift] + second.text + first.text[shift + len(second.text) :]
    return _Place(one.source_id, one.heading, first.start, whole, quoted)


_TURNS = re.compile(
    r"\b(?:however|but|yet|although|though|nevertheless|nonetheless|instead|in fact|actually|unless|except|only|if|"
    r"claim\w*|alleg\w+|supposed\w*|reported(?:ly)?|rumou?r\w*|myths?|false\w*|wrong\w*|hoax\w*|critics?|critici\w+|disput\w+|contest\w+|controvers\w+|"
    r"hypothe\w+|imagin\w+|fiction\w*|example|according|said|says|argu\w+|believ\w+|may|might|could|would|estimat\w+)\b",
    re.IGNORECASE,
)
"""Words of a neighbouring sentence that may turn or weaken what a quote says."""


_DATED = re.compile(
    r"\b(?:versions?|releases?|since|v) ?\d|\b\d+\.\d+\b|\b(?:1[5-9]|20)\d\d\b|\b\d+(?:,\d{3})*(?: ?%| per ?cent)",
    re.IGNORECASE,
)
"""What says of which version or time a neighbouring sentence is, or gives a figure."""


def _deciding(text: str, place: _Place) -> list[str]:
    """Of the sentences around quotes those that can decide: their own, and neighbours that say something of the claim.

    A neighbour is shown where it has a word of the claim that the quotes lack, a word that may turn their meaning, or
    a version, date or figure; only in English, where these are known, are others left out.
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

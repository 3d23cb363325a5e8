"""What a judge sees of a claim: only the words of its pages that can decide."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from deepresearch_mcp.entailment.check import negations
from deepresearch_mcp.prompts.templates import one_line
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.passages import SEPARATOR
from deepresearch_mcp.text.sentences import Span, sentences
from deepresearch_mcp.thinkers.extractive.prose import dangles
from deepresearch_mcp.thinkers.prompted.material import headings

_LONGEST = 600
"""Characters of one sentence that a judge sees."""
_SHORT = 250
"""Characters of a sentence before a quote that is shown whatever it says."""
GAP = "…"
"""Stands where the page has text between two sentences that are shown."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of a page."""

    start: int
    """Where it stands on its page; below 0 if unknown."""
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """What a judge sees of one place on a page."""

    source_id: str
    heading: str
    published: date | None
    lines: tuple[Line, ...]


def in_order(lines: Iterable[Line]) -> list[tuple[Line, bool]]:
    """The lines in the order of the page, each with whether the page has text before it that is left out."""
    ordered = sorted(lines, key=lambda one: one.start)
    found: list[tuple[Line, bool]] = []
    for at, line in enumerate(ordered):
        before = ordered[at - 1] if at else None
        found.append((line, before is not None and (line.start < 0 or line.start - before.end > _NEAR)))
    return found


_NEAR = 6
"""Characters between two sentences that follow each other: blanks, line ends, the mark of a list item."""


def to_judge(claim: Claim) -> str:
    """All that a judge sees of one claim: its words, then those of each place that it comes from."""
    lines = [one_line(claim.text)]
    number = 0
    for section in sections_of(claim):
        lines.append(_page(section))
        for line, gap in in_order(section.lines):
            number += 1
            lines += [*([GAP] if gap else ()), f"{number}. {line.text}"]
    return "\n".join(lines)


def _page(section: Section) -> str:
    """The page's date, and the headings: they name the subject of the sentences, and its version."""
    dated = f" of {section.published.isoformat()}" if section.published else ""
    heading = headings(section.heading) if section.heading else ""
    return f"Page{dated}, under “{heading}”:" if heading else f"Page{dated}:"


def shown_to_judge(claim: Claim) -> list[str]:
    """The sentences that `to_judge` numbers, in their order, each on one line."""
    return [line.text for section in sections_of(claim) for line, _ in in_order(section.lines)]


def sections_of(claim: Claim) -> list[Section]:
    """The places of a claim's quotes, those of one page and heading together."""
    found: dict[tuple[str, str], Section] = {}
    for place in _places(claim.quotes):
        key = place.source_id, place.heading
        lines = [*(found[key].lines if key in found else ()), *_deciding(claim.text, place)]
        found[key] = Section(place.source_id, place.heading, place.published, tuple(dict.fromkeys(lines)))
    return list(found.values())


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
        place = _Place(
            quote.source_id, one_line(quote.heading), quote.start - at if own else -1, context, own, quote.published
        )
        number = next((number for number, other in enumerate(found) if _joined(other, place)), None)
        if number is None:
            found.append(place)
        else:
            found[number] = _joined(found[number], place) or place
    return found


def _joined(one: _Place, other: _Place) -> _Place | None:
    """The two stretches as one; None if they do not overlap, or stand under different headings."""
    first, second = (one, other) if one.start <= other.start else (other, one)
    if (one.source_id, one.heading) != (other.source_id, other.heading) or first.start < 0:
        return None
    shift = second.start - first.start
    inside = first.text[shift : shift + len(second.text)]
    if not inside or not second.text.startswith(inside):
        return None
    quoted = (*first.quoted, *((low + shift, high + shift) for low, high in second.quoted))
    whole = first.text[:shift] + second.text + first.text[shift + len(second.text) :]
    return _Place(one.source_id, one.heading, first.start, whole, quoted, one.published)


_TURNS = re.compile(
    r"\b(?:however|nevertheless|nonetheless|in fact|actually|claims?|claimed|alleg\w+|supposed\w*|reportedly|"
    r"rumou?r\w*|myths?|false\w*|wrong\w*|hoax\w*|critics?|critici\w+|disput\w+|contest\w+|controvers\w+|hypothe\w+|imagin\w+|"
    r"fiction\w*|argu\w+|believ\w+)\b",
    re.IGNORECASE,
)
"""Words of a neighbouring sentence that may reverse or weaken what a quote says."""


_LIMITS = re.compile(
    r"\b(?:but|yet|although|though|instead|unless|except|only|if|reported|example|according|said|says|may|might|could|would|"
    r"estimat\w+)\b",
    re.IGNORECASE,
)
"""The same where the sentence is about the claim's own matter: elsewhere most sentences have such a word."""


_DATED = re.compile(
    r"\b(?:versions?|releases?|since|v) ?\d|\b\d+\.\d+\b|\b(?:1[5-9]|20)\d\d\b|\b\d+(?:,\d{3})*(?: ?%| per ?cent)",
    re.IGNORECASE,
)
"""A version, a time or a figure in a neighbouring sentence."""


def _deciding(text: str, place: _Place) -> list[Line]:
    """The sentences around quotes that can decide: those of the quotes, and neighbours that concern the claim.

    A neighbour concerns it by a word of the claim that the quotes lack, a word that may reverse their meaning, or a
    version, date or figure; the one before a quote also where it is short, or the quote leans on it (`This`, `It`):
    it often names what "this" within the quote stands for. These words are
    known in English only; in other languages no neighbour is left out. What stands above a heading is about
    something else, and headings are shown apart. The quotes themselves are always whole, comments of code in them too,
    and behind the name of their entry and the words that lead in to their list.
    """
    context = place.text
    spans = sentences(context)
    own = [span for span in spans if any(span.start < high and span.end > low for low, high in place.quoted)]
    if not own:
        return [Line(-1, -1, one_line(context, _LONGEST))]
    names = {name.casefold() for name in place.heading.split(SEPARATOR)}
    after = max((at + 1 for at, span in enumerate(spans) if span.end <= own[0].start and _is_heading(
        context[span.start : span.end], names)), default=0)  # fmt: skip
    pieces = [
        (
            span,
            span in own,
            _own_body(span, place, names) if span in own else _body(context[span.start : span.end], names),
        )
        for span in spans[after:]
    ]
    pieces = [(span, its_own, body) for span, its_own, body in pieces if body]
    claimed = _stems(text) - _stems(place.heading)
    lacking = claimed - _stems(" ".join(body for _, its_own, body in pieces if its_own))
    whole = guess(context) != "en"
    leading = {one for low, _ in place.quoted for one in _leading_in(context, low, names)}
    found: list[Line] = []
    for at, (span, its_own, body) in enumerate(pieces):
        if not its_own and span.start >= own[-1].end and _NEXT.match(body):
            break
        behind = pieces[at + 1] if at + 1 < len(pieces) else None
        leant_on = behind is not None and behind[1] and (dangles(behind[2]) or len(body) <= _SHORT)
        if whole or its_own or leant_on or _concerns(body, claimed, lacking):
            start, end = (place.start + span.start, place.start + span.end) if place.start >= 0 else (-1, -1)
            found.append(Line(start, end, one_line(body) if its_own else one_line(body, _LONGEST)))
    lines = [Line(place.start + low, place.start + high, one_line(context[low:high])) for low, high in sorted(leading)]
    told = "\n".join(line.text for line in found)
    return [*(line for line in lines if place.start >= 0 and line.text.strip(_MARKERS) not in told), *found]


def _own_body(span: Span, place: _Place, names: set[str]) -> str:
    """A sentence with a quote in it: the quote whole, what stands before and behind it cut if it is long."""
    own = [(low, high) for low, high in place.quoted if span.start < high and low < span.end]
    low, high = max(span.start, min(one for one, _ in own)), min(span.end, max(one for _, one in own))
    before, behind = _body(place.text[span.start : low], names), place.text[high : span.end]
    spare = max(_LONGEST - (high - low), _LONGEST // 3)
    if len(before) > spare:
        before = f"{GAP} {before[-spare:]}"
    if len(behind) > spare:
        behind = f"{behind[:spare]} {GAP}"
    return f"{before}{place.text[low:high]}{behind}"


_ENTRY = 80
"""Characters of the longest name of an entry in a list of options."""
_ENTRIES = 2
_LEAD_IN = 300
_ITEM = re.compile(r"^[\s>]*(?:[-*•]|\d{1,2}[.)])\s")
_MARKERS = " \t>*•:-–|"


def _leading_in(context: str, low: int, names: set[str]) -> list[tuple[int, int]]:
    """The places of the lines above a quote that name its entry (`--name`) or lead in to its list (`If … :`)."""
    found: list[tuple[int, int]] = []
    starts = [0, *(one.end() for one in re.finditer("\n", context[:low]))]
    first = context[starts[-1] : low]
    in_list = bool(_ITEM.match(context[starts[-1] : low + 1]))
    if first.strip(_MARKERS + "0123456789.)`"):
        return []
    for start, end in zip(reversed(starts[:-1]), reversed(starts[1:]), strict=True):
        line = context[start:end].strip()
        bare = line.strip(_MARKERS)
        if not bare:
            continue
        if not _body(line, names) or line.startswith("|"):
            break
        if line.endswith(":"):
            found.append((start, end))
            break
        if len(bare) <= _ENTRY and not bare.endswith((".", "!", "?", ";", ",")) and len(found) < _ENTRIES:
            found.append((start, end))
        elif not (in_list and _ITEM.match(context[start:end])):
            break
    return [(start, end) for start, end in reversed(found) if end - start <= _LEAD_IN]


def _concerns(neighbour: str, claimed: set[str], lacking: set[str]) -> bool:
    words = _stems(neighbour)
    if _TURNS.search(neighbour) or lacking & words or (words and _DATED.search(neighbour)):
        return True
    # "It must not …", "Only if …" beside a quote limits it where it leans on it or speaks of the same things.
    own_matter = dangles(neighbour) or len(claimed & words) >= _SHARED
    return own_matter and bool(_LIMITS.search(neighbour) or negations(neighbour))


_SHARED = 2
"""Words that a neighbour and a claim have in common where both are about one thing."""
_NEXT = re.compile(r"\d+(?:\.\d+)+\.? [^.!?]{1,80}$")
"""`3.1. Automatic Checkpoint`: with it another section begins."""
_MARK = re.compile(r"^[ \t]*#{1,6}[ \t]+")


def _is_heading(text: str, names: set[str]) -> bool:
    return not _body(text, names)


def _body(text: str, names: set[str]) -> str:
    """A sentence without the headings that it begins with: cutting into sentences does not know them."""
    lines = text.split("\n")
    while lines and (not lines[0].strip() or _is_marked(lines[0]) or _names(lines[0], names)):
        lines.pop(0)
    return "\n".join(lines)


def _is_marked(line: str) -> bool:
    """Whether `#` marks a heading; a whole sentence behind it is a comment of code."""
    return bool(_MARK.match(line)) and not line.rstrip().endswith((".", ":", ",", ";"))


def _names(line: str, names: set[str]) -> bool:
    """Whether a line is a heading, or the end of one whose number was taken for a sentence."""
    bare = one_line(line).casefold()
    return any(bare in {name, _unnumbered(name), name.removesuffix(_unnumbered(name)).strip()} for name in names)


def _unnumbered(heading: str) -> str:
    """`Overview` of `2.1. Overview`."""
    return heading.lstrip(" .0123456789")


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)}

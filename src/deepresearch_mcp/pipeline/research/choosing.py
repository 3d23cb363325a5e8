"""Choose which passages of the pages are read."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import anyio.to_thread

from deepresearch_mcp.injection.screen import readable
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.sources import Document, Passage
from deepresearch_mcp.text.passages import PassageSpan, path_of, pieces
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.reference_lists import is_reference_list

_LONG = 100_000
"""Characters from which passages are ranked in a thread."""
_ORDINARY = 120_000
"""Characters of a page of which as many passages are read as the settings say; with each doubling one share more."""
_MOST_ROOM = 2.0
"""The most passages of a very long page, as a multiple of those of an ordinary page."""
_LISTED = 0.25
"""Weight of the words of a list of references."""


@dataclass(frozen=True, slots=True)
class AlreadyRead:
    """What the run has read already, for a choice of passages."""

    before: Collection[str] = ()
    """Ids of passages that are not read again."""
    elsewhere: Collection[str] = ()
    """Ids of passages that were read for something else. They come after unread ones that are nearly as good."""
    beside: Sequence[Document] = ()
    """Pages that passages were chosen from before with the same words. Late pages compete with them."""


_NOTHING = AlreadyRead()
_FLOOR = 0.25
"""Share of the best passage's score below which nothing of a page is read."""
_MORE = 0.5
"""Share of the best score from which a page gives more than one passage."""
_OF_ONE_PAGE = 5
"""Passages that one page may give, if no other page has anything nearly as good."""
_SHORT = 1.5
"""Passages of a short page, at most."""
_LEAST = 0.1
"""Share of the best score from which a short page is read."""
_SURE = 0.8
"""Share of the best score from which a passage that begins inside an entry brings the passage before it."""
_LEAD = 1_000
"""Characters before a passage in which the start of its line is searched; a line may be as long as the page."""
_BEFORE = 0.9
"""Worth of the passage before, as a share of the passage that it brings."""
_ELSEWHERE = 0.5
"""Weight of a passage that was read for something else already."""


def choose_passages(
    sub_question: SubQuestion, documents: Sequence[Document], size: int, a_page: int, known: AlreadyRead = _NOTHING
) -> list[Passage]:
    """The best passages for a sub-question, by BM25 over all pages, in the order of the pages and on each in its own.

    There is room for `a_page` passages of each page, all pages together, and it is filled by merit: a page that answers
    gives several passages, a page far behind the best none. If two pages are good, both are read. No passage addresses
    a machine. A list of references has every word of the subject and states nothing, so it comes last.
    """
    asked = tuple(filter(None, (sub_question.text, sub_question.within, *sub_question.queries)))
    found = [
        (document, piece)
        for document in (*documents, *known.beside)
        for piece in readable(document, pieces(document.text, size), asked)
    ]
    texts = [f"{document.title} {piece.heading}\n{document.text[piece.start : piece.end]}" for document, piece in found]
    query = " ".join((sub_question.text, *sub_question.queries))
    scores = Ranker(texts).scores(query) if texts else []
    names = [f"{document.source_id}:{piece.start}" for document, piece in found]
    scores = [
        score * _LISTED if is_reference_list(piece.heading, text) else score
        for score, text, (_, piece) in zip(scores, texts, found, strict=True)
    ]
    rooms = {document.source_id: _room(document, a_page) for document in documents}
    counting = [
        score
        for score, name, (document, _) in zip(scores, names, found, strict=True)
        if document.source_id not in rooms or name not in known.before
    ]
    best = max(counting, default=0.0)
    own = [
        _Candidate(number, found[number][0].source_id, merit if fresh else scores[number] * _ELSEWHERE, fresh)
        for number, (name, merit) in enumerate(zip(names, _with_beginnings(found, scores, best), strict=True))
        for fresh in (name not in known.elsewhere,)
        if found[number][0].source_id in rooms and name not in known.before
    ]
    # Chains of facts lead over short pages with few words of the question, and a short page costs little.
    short = {document.source_id for document in documents if len(document.text) <= size * _SHORT}
    return [
        Passage(
            passage_id=names[index],
            source_id=document.source_id,
            start=piece.start,
            end=piece.end,
            text=document.text[piece.start : piece.end],
            heading=path_of(document.title, piece.heading),
            score=round(scores[index], 4),
        )
        for index in sorted(_fill(own, rooms, best, short))
        for document, piece in (found[index],)
    ]


def _with_beginnings(
    found: Sequence[tuple[Document, PassageSpan]], scores: Sequence[float], best: float
) -> list[float]:
    """The scores. The passage before one of the best, if that begins inside an entry, is worth nearly as much."""
    merits = list(scores)
    for number, ((before, above), (document, piece)) in enumerate(pairwise(found)):
        score, lead = scores[number + 1], document.text[max(0, piece.start - _LEAD) : piece.start]
        cut = lead.rpartition("\n")[2].strip() or document.text[piece.start].isspace()
        if cut and before is document and above.heading == piece.heading and score >= _SURE * best:
            merits[number] = max(merits[number], _BEFORE * score)
    return merits


class _Candidate(NamedTuple):
    number: int
    page: str
    merit: float
    fresh: bool


def _room(document: Document, a_page: int) -> int:
    """The number of passages that a page adds to the room."""
    return round(a_page * min(_MOST_ROOM, max(1.0, math.log2(2 * max(1, len(document.text)) / _ORDINARY))))


def _fill(candidates: Sequence[_Candidate], rooms: Mapping[str, int], best: float, short: Collection[str]) -> set[int]:
    """The passages that are read: by merit, as many as all pages together have room for."""
    seen: Counter[str] = Counter()
    ranked: list[tuple[float, int, _Candidate]] = []
    for one in candidates:
        # If all are equal, as in another language than the question's, every page has its turn.
        ranked.append((-one.merit, seen[one.page], one))
        seen[one.page] += 1
    taken: Counter[str] = Counter()
    good: list[_Candidate] = []
    for _, _, one in sorted(ranked):
        share = _LEAST if one.page in short and one.fresh else _MORE if taken[one.page] else _FLOOR
        if one.merit >= share * best:
            good.append(one)
            taken[one.page] += 1
    second = [one for one in good if one.page != good[0].page]
    taken.clear()
    chosen: set[int] = set()
    for one in dict.fromkeys((*good[:1], *second[:1], *good)):
        if len(chosen) < sum(rooms.values()) and taken[one.page] < max(_OF_ONE_PAGE, rooms[one.page]):
            chosen.add(one.number)
            taken[one.page] += 1
    return chosen


async def chosen_passages(
    sub_question: SubQuestion, documents: Sequence[Document], size: int, a_page: int, known: AlreadyRead = _NOTHING
) -> list[Passage]:
    """`choose_passages`, in a thread for long documents, so that the event loop stays free."""
    if sum(len(document.text) for document in (*documents, *known.beside)) < _LONG:
        return choose_passages(sub_question, documents, size, a_page, known)
    return await anyio.to_thread.run_sync(
        choose_passages, sub_question, documents, size, a_page, known, abandon_on_cancel=True
    )

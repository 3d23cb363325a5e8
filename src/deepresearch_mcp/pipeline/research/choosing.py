"""Choose: which passages of the pages matter, before they are read."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import anyio.to_thread

from deepresearch_mcp.injection.screen import readable
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.sources import Document, Passage
from deepresearch_mcp.text.passages import Piece, path_of, pieces
from deepresearch_mcp.text.ranking import Ranker

_LONG = 100_000
"""Characters from which on passages are ranked in a thread."""
_ORDINARY = 120_000
"""Characters of a page of which as many passages are read as the settings say; with each doubling one share more."""
_MOST_ROOM = 2.0
"""A filing of a hundred pages gives at most so many times as many passages as an ordinary page."""
_LISTED = 0.25
"""What the words of a list of references count."""
_REFERENCES = re.compile(
    r"(?:^|› )(?:key |selected |further |cited )?(?:references?|bibliography|works cited|literature(?: cited)?|sources|"
    r"footnotes|notes and references|further reading|external links|see also|einzelnachweise|literatur(?:verzeichnis)?|"
    r"weblinks|références|bibliographie|referencias|bibliografía)\W*$",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"\bet al\b|\bdoi\b|\bISBN\b|\bPMID\b|\bRetrieved\b|\bvol\. ?\d|\bpp?\. ?\d|;\d+\(\d+\):", re.IGNORECASE
)
_ENTRIES = 5
"""Marks of entries from which a passage is a list of them, a running text with many citations has fewer."""


def is_listing(heading: str, text: str) -> bool:
    """Tell a list of references from running text, by its heading or by what its entries hold."""
    return bool(_REFERENCES.search(heading)) or len(_ENTRY.findall(text)) >= _ENTRIES


@dataclass(frozen=True, slots=True)
class AlreadyRead:
    """What a choice of passages has to know of the run beside the pages that it chooses from."""

    before: Collection[str] = ()
    """Ids of passages that are not read again."""
    elsewhere: Collection[str] = ()
    """Ids of passages that were read for something else: they come after unread ones that are nearly as good."""
    beside: Sequence[Document] = ()
    """Pages that were chosen from earlier with the same words: what came late has to stand beside them."""


_NOTHING = AlreadyRead()
_FLOOR = 0.25
"""Share of the best passage's score under which nothing of a page is read: there is better elsewhere."""
_MORE = 0.5
"""Share of it from which more than one passage of a page is read."""
_OF_ONE_PAGE = 5
"""Passages that the page which answers may give, where others have nothing near as good."""
_SHORT = 1.5
"""Passages of a short page, at most."""
_LEAST = 0.1
"""Share of it from which a short page is read."""
_SURE = 0.8
"""Share of it from which a passage that begins in the middle brings the one before it along."""
_LEAD = 1_000
"""Characters before a passage that are looked at: whether it begins within a line that may be as long as the page."""
_BEFORE = 0.9
"""What that one counts of the passage that it begins."""
_ELSEWHERE = 0.5
"""What a passage counts that was read for something else already."""


def choose_passages(
    sub_question: SubQuestion, documents: Sequence[Document], size: int, a_page: int, known: AlreadyRead = _NOTHING
) -> list[Passage]:
    """The best passages for a sub-question, by BM25 over all pages, in the order of the pages and on each in its own.

    They have room for `a_page` of each page together, and fill it by merit: a page that answers gives several, one far
    behind the best none. Where two pages are good both are read. What addresses a machine is in none of them. A page's
    list of references holds every word of its subject and states nothing: it comes last.
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
        score * _LISTED if is_listing(piece.heading, text) else score
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
    # Chains of facts go over short pages that share few words with the question; to read one costs next to nothing.
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


def _with_beginnings(found: Sequence[tuple[Document, Piece]], scores: Sequence[float], best: float) -> list[float]:
    """The scores; where one of the best passages begins inside an entry, what stands before it is worth most of it."""
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
    """Passages that a page brings room for."""
    return round(a_page * min(_MOST_ROOM, max(1.0, math.log2(2 * max(1, len(document.text)) / _ORDINARY))))


def _fill(candidates: Sequence[_Candidate], rooms: Mapping[str, int], best: float, short: Collection[str]) -> set[int]:
    """Which are read: by merit, as many as the pages bring room for together."""
    seen: Counter[str] = Counter()
    ranked: list[tuple[float, int, _Candidate]] = []
    for one in candidates:
        # Where all are equal, as in a language that the question is not in, every page has its turn.
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
    """See `choose_passages`; long documents are ranked in a thread, so that nothing else stands still."""
    if sum(len(document.text) for document in (*documents, *known.beside)) < _LONG:
        return choose_passages(sub_question, documents, size, a_page, known)
    return await anyio.to_thread.run_sync(
        choose_passages, sub_question, documents, size, a_page, known, abandon_on_cancel=True
    )

"""Orphans: what leans on a sentence that the audit rewords or removes is worded anew with it, or goes with it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from deepresearch_mcp.pipeline.report.leaning import (
    counts,
    counts_by_order,
    freed,
    is_english,
    leans,
    lists,
    pointed_at,
    points,
    steps_named,
)
from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.text.keywords import stem, words

LEANS = "nothing by itself, but it leans on the sentence before it, which is changed or taken out"
HEADLESS = "it counts or points at something that the report does not name before it"
ORPHANED = "it leaned on a sentence that was taken out or worded anew"

_FAR = 5
"""Sentences that one may stand behind what it counts."""
_NEAR = 3
"""Sentences that one may stand behind the noun that it points at."""


class ReadingOrder:
    """Which piece stands behind which, in the running text of a draft; cells and a page's own words are left out."""

    def __init__(self, texts: Iterable[Sequence[Piece]], language: str = "") -> None:
        whole = [list(text) for text in texts]
        self._texts = [[one for one in text if not (one.row or one.column or one.passage)] for text in whole]
        self._under_table = {id(kept) for text, kept in zip(whole, self._texts, strict=True) if text[:1] != kept[:1]}
        """Texts that begin with a table, whose rows may be counted behind it."""
        self._language = language
        self._before: dict[Piece, Piece] = {}
        self._on: list[list[set[int]]] = []
        """For each piece of each text the places of those that it leans on."""
        for text in self._texts:
            for one, other in pairwise(text):
                self._before.setdefault(other, one)
            self._on.append([self._leant_on(text, at) for at in range(len(text))])

    def before(self, piece: Piece, proposed: Mapping[Piece, Sentence] | None = None) -> str:
        """The sentence before a piece, in the wording that is `proposed` for it; "" where there is none."""
        one = self._before.get(piece)
        while one and proposed and one in proposed and not proposed[one].text.strip():
            one = self._before.get(one)
        if one is None:
            return ""
        return proposed[one].text if proposed and one in proposed else one.sentence.text

    def standing(self, piece: Piece, doubted: Collection[Piece]) -> str:
        """The last sentence before a piece that is not among the doubted ones; "" where there is none."""
        one = self._before.get(piece)
        while one and one in doubted:
            one = self._before.get(one)
        return one.sentence.text if one else ""

    def leaning_on(self, piece: Piece) -> Iterator[Piece]:
        """The pieces behind it that lean on it, or on one that does."""
        for text, on in zip(self._texts, self._on, strict=True):
            for at, one in enumerate(text):
                if one != piece:
                    continue
                reached = {at}
                for behind in range(at + 1, len(text)):
                    if on[behind] & reached:
                        reached.add(behind)
                        yield text[behind]

    def with_leaning(self, pieces: Iterable[Piece], but: Collection[Piece]) -> list[Piece]:
        """The pieces, each with those that lean on it and may have to be worded anew with it, except what is in `but`.

        What only a small word ties to another sentence is not among them: it stands without that word.
        """
        own = list(pieces)
        known, found = {*own, *but}, list[Piece]()
        for one in own:
            found.append(one)
            for other in self.leaning_on(one):
                if other not in known and not freed(other.sentence.text, self._language):
                    known.add(other)
                    found.append(other)
        return found

    def headless(self) -> Iterator[Piece]:
        """The pieces that count what is nowhere named before them: "The third is …" at the head of a section."""
        for text in self._texts:
            first = text[0] if text and id(text) not in self._under_table else None
            if first and not first.apart and self._is_english(first) and counts_by_order(first.sentence.text):
                yield first

    def settled(
        self, mended: Mapping[Piece, Sentence | None], led: Mapping[Piece, Sentence | None], language: str
    ) -> tuple[dict[Piece, Sentence], set[Piece]]:
        """New wordings of what leans on a piece that has changed, and the orphans.

        Behind a piece that goes, only words that stand by themselves may stay, if need be without the "therefore" that
        tied them to it. Behind one that is worded anew, what a reader found to hold there; `led` says what was found.
        """
        now = dict(mended)
        orphans: set[Piece] = set()
        for text, on in zip(self._texts, self._on, strict=True):
            for at, other in enumerate(text):
                said = now.get(other, other.sentence)
                if said is None or other.code:
                    continue
                changed = [one for place in on[at] if _is_changed(one := text[place], now)]
                # What a small word ties to the sentence before it stands without that word.
                tied = bool(at) and now.get(text[at - 1], said) is None
                if not changed and not tied:
                    continue
                if changed and other in led and other not in mended:
                    said = led[other]
                gone = tied or any(now[one] is None for one in changed)
                if said is not None and gone:
                    said = self._alone(said, language, leant=bool(changed))
                if said is None:
                    orphans.add(other)
                    now[other] = None
                elif said != other.sentence:
                    now[other] = said
        reworded = {
            piece: said
            for text in self._texts
            for piece in text
            if (said := now.get(piece)) is not None and said != mended.get(piece, piece.sentence)
        }
        return reworded, orphans

    def _alone(self, said: Sentence, language: str, *, leant: bool) -> Sentence | None:
        """What may stay of a sentence behind one that goes; None for nothing."""
        if free := freed(said.text, language):
            return said.model_copy(update={"text": free})
        return None if leant and leans(said.text, language) else said

    def _is_english(self, piece: Piece) -> bool:
        return is_english(self._language, piece.sentence.text)

    def _leant_on(self, text: Sequence[Piece], at: int) -> set[int]:
        other, said = text[at], text[at].sentence.text
        found: set[int] = {at - 1} if other.before and at else set()
        if other.code or not self._is_english(other):
            return found
        if counts(said) and (counted := _counted(text, at)):
            found = counted.union(found if points(said, self._language) else ())
        if steps_named(said):
            found |= {place for place, one in enumerate(text) if one.apart and not one.code and place != at}
        for noun in pointed_at(said):
            near = range(at - 1, max(-1, at - 1 - _NEAR), -1)
            named = next((place for place in near if stem(noun) in _stems(text[place])), None)
            if named is not None:
                found.add(named)
        return found


def _counted(text: Sequence[Piece], at: int) -> set[int]:
    """What a sentence counts: the items of the list before it, else the last sentence that names several things."""
    found: set[int] = set()
    for place in range(at - 1, max(-1, at - 1 - _FAR), -1):
        one = text[place]
        if one.apart and not text[at].apart:
            found.add(place)
        elif found:
            break
        elif lists(one.sentence.text):
            return {place}
    return found


def _stems(piece: Piece) -> set[str]:
    return {stem(word) for word in words(piece.sentence.text)}


def _is_changed(piece: Piece, now: Mapping[Piece, Sentence | None]) -> bool:
    if piece not in now:
        return False
    said = now[piece]
    return said is None or not _is_said_still(piece, said)


def _is_said_still(piece: Piece, now: Sentence) -> bool:
    """Whether only a label or the kind of a piece has changed."""
    return now.text.startswith(piece.sentence.text.rstrip(".!? "))

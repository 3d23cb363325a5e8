"""Orphans: what leans on a sentence that the audit rewords or removes is worded anew with it, or goes with it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from deepresearch_mcp.pipeline.report.leaning import leans
from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.records.report import Sentence

LEANS = "nothing by itself, but it leans on the sentence before it, which is changed or taken out"
ORPHANED = "it leaned on a sentence that was taken out or worded anew"


class ReadingOrder:
    """Which piece stands behind which, in the running text of a draft; cells and a page's own words are left out."""

    def __init__(self, texts: Iterable[Sequence[Piece]]) -> None:
        self._texts = [[one for one in text if not (one.row or one.column or one.passage)] for text in texts]
        self._before: dict[Piece, Piece] = {}
        for text in self._texts:
            for one, other in pairwise(text):
                self._before.setdefault(other, one)

    def before(self, piece: Piece, proposed: Mapping[Piece, Sentence] | None = None) -> str:
        """The sentence before a piece, in the wording that is `proposed` for it; "" where there is none."""
        one = self._before.get(piece)
        while one and proposed and one in proposed and not proposed[one].text.strip():
            one = self._before.get(one)
        if one is None:
            return ""
        return proposed[one].text if proposed and one in proposed else one.sentence.text

    def leaning_on(self, piece: Piece) -> Iterator[Piece]:
        """The pieces behind it that lean on it, each on the one before it."""
        for text in self._texts:
            for at, one in enumerate(text):
                if one != piece:
                    continue
                for other in text[at + 1 :]:
                    if not other.before:
                        break
                    yield other

    def settled(
        self, mended: Mapping[Piece, Sentence | None], led: Mapping[Piece, Sentence | None], language: str
    ) -> tuple[dict[Piece, Sentence], set[Piece]]:
        """New wordings of what leans on a piece that has changed, and the orphans.

        Behind a piece that goes, only words that stand by themselves may stay. Behind one that is worded anew, what a
        reader found to hold there; `led` says what was found.
        """
        now = dict(mended)
        orphans: set[Piece] = set()
        for text in self._texts:
            for one, other in pairwise(text):
                if not other.before or one not in now:
                    continue
                left = now[one]
                said = now.get(other, other.sentence)
                if said is None or (left is not None and _is_said_still(one, left)):
                    continue
                if other in led and other not in mended:
                    said = led[other]
                if said is None or (left is None and leans(said.text, language)):
                    orphans.add(other)
                    now[other] = None
                elif said != other.sentence and other not in mended:
                    now[other] = said
        reworded = {
            piece: said for piece in led if piece not in mended and (said := now.get(piece)) and said != piece.sentence
        }
        return reworded, orphans


def _is_said_still(piece: Piece, now: Sentence) -> bool:
    """Whether only a label or the kind of a piece has changed."""
    return now.text.startswith(piece.sentence.text.rstrip(".!? "))

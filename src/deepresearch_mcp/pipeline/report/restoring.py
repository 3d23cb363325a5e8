"""Restore: what a report would lose with a sentence is told in the words of the claims beneath it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import takewhile

from deepresearch_mcp.pipeline.report.pieces import Change, Piece, pieces_of
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Sentence, WrittenSection

Replaced = Mapping[Piece, tuple[Sentence, ...]]
"""A piece that goes, and what stands in its place."""

_SAID = 0.5
"""Share of the claims of a sentence that one which stands in for it has to have."""
_IN_PROSE = 2
"""Claims that stand in the place of one sentence of running text; more of them would be a list without a thought."""
_IN_CELL = 60
"""Characters of a claim that may stand in a cell."""
_DECISIVE = 3
"""`Claim.weight` of what the answer hangs on."""


def restored(
    written: Sequence[Piece],
    mended: Mapping[Piece, Sentence | None],
    claims: Mapping[str, Claim],
    stands: Callable[[Sentence], Sentence | None],
    unasked: Collection[Piece] = (),
) -> Replaced:
    """For each piece that goes those of its supported claims that nothing left tells, each in its own words.

    A sentence made of verified claims may be a word too wide: that is no reason to lose what was verified. In a list a
    claim may always stand, and a short one in a cell; a cell that would be left empty tells one again: an empty cell
    says that nothing was found. In running text it reads badly, so only a decisive claim stands there, or one whose
    sentence could not be put to a thinker to mend (`unasked`). `mended` gives the new wording of a piece, or None where
    it goes; `stands` what of a claim's own words may be written.
    """
    told = _told(kept for one in written if (kept := mended.get(one, one.sentence)) is not None)
    found: dict[Piece, tuple[Sentence, ...]] = {}
    for piece in dict.fromkeys(written):
        if mended.get(piece, piece.sentence) is not None:
            continue
        own: list[Sentence] = []
        for name in piece.sentence.claim_ids:
            claim = claims.get(name)
            if len(own) == _IN_PROSE and not piece.apart:
                break
            # What is disputed is told with both its sides, elsewhere.
            if claim is None or name in told or claim.verdict != "supported" or claim.disputes:
                continue
            if not (piece.apart or piece in unasked or claim.weight >= _DECISIVE) or not _fits(piece, claim):
                continue
            told.add(name)
            bare = stands(Sentence(text=" ".join(claim.text.split()), claim_ids=(name,)))
            own += [bare] if bare else []
        if not own and (piece.row or piece.column):
            own = [again] if (again := _told_again(piece, claims, stands)) else []
        if own:
            found[piece] = tuple(own)
    return found


def _told_again(
    piece: Piece, claims: Mapping[str, Claim], stands: Callable[[Sentence], Sentence | None]
) -> Sentence | None:
    """The words of the weightiest claim of a cell that may stand there."""
    own = [claims[name] for name in piece.sentence.claim_ids if name in claims]
    sound = [claim for claim in own if claim.verdict == "supported" and not claim.disputes and _fits(piece, claim)]
    if not sound:
        return None
    best = max(sound, key=lambda claim: claim.weight)
    return stands(Sentence(text=" ".join(best.text.split()), claim_ids=(best.claim_id,)))


def _fits(piece: Piece, claim: Claim) -> bool:
    """Whether a claim may stand where the piece stood: a long one makes a table unreadable."""
    return not (piece.row or piece.column) or len(claim.text) <= _IN_CELL


def retold(opening: Sequence[Piece], sections: Sequence[Piece], mended: Mapping[Piece, Sentence | None]) -> Replaced:
    """For each piece of the opening that goes, the sentence of a section that says most of it and stands.

    It reads like the opening around it, as the words of a claim do not.
    """
    used = {kept.text for one in opening if (kept := mended.get(one, one.sentence)) is not None}
    found: dict[Piece, tuple[Sentence, ...]] = {}
    for piece in opening:
        lost = set(piece.sentence.rests_on)
        if mended.get(piece, piece.sentence) is not None or not lost:
            continue
        shared: dict[Sentence, float] = {}
        for one in sections:
            kept = mended.get(one, one.sentence)
            # A sentence that points back at another, a cell and code do not stand alone.
            if kept is None or one.before or one.is_whole or kept.text in used or not kept.rests_on:
                continue
            share = len(lost & set(kept.rests_on)) / len(lost)
            if share >= _SAID:
                shared[kept] = share
        if shared:
            best = max(shared, key=lambda one: (shared[one], -len(one.text)))
            used.add(best.text)
            found[piece] = (best.model_copy(update={"opens": piece.sentence.opens}),)
    return found


def change(mended: Mapping[Piece, Sentence | None], replaced: Replaced | None = None) -> Change:
    """What stands for a piece: its new wording, if it has one, or in the place of one that goes what replaces it."""

    def kept(piece: Piece) -> tuple[Sentence, ...]:
        instead = mended.get(piece, piece.sentence)
        if instead is None:
            return (replaced or {}).get(piece, ())
        return (instead,) if piece.is_whole else pieces_of(instead)

    return kept


def led_in(sections: Sequence[WrittenSection], replaced: Replaced) -> tuple[WrittenSection, ...]:
    """The sections without a claim's own words at their head: these stand behind the first prose that is written.

    A claim was worded to be looked up: as the first sentence of a section it reads like a stray line of a manual.
    """
    bare = [one for some in replaced.values() for one in some]
    return tuple(_led_in(section, bare) for section in sections)


def _led_in(section: WrittenSection, bare: Collection[Sentence]) -> WrittenSection:
    first = section.blocks[0] if section.blocks else None
    if first is None or first.kind != "prose" or first.title:
        return section
    head = tuple(takewhile(lambda one: one in bare and not one.label, first.sentences))
    blocks = (first.model_copy(update={"rows": (first.sentences[len(head) :],)}), *section.blocks[1:])
    homes = [at for at, one in enumerate(blocks) if one.kind == "prose" and one.sentences]
    if not head or not homes:
        return section
    # Where the prose stands under sub-headings, each on its own subject, the one that they speak of.
    text = " ".join(one.text for one in head).casefold()
    home = next((at for at in homes if blocks[at].title and blocks[at].title.casefold() in text), homes[0])
    kept = tuple(
        block.model_copy(update={"rows": ((*block.sentences, *head),)}) if at == home else block
        for at, block in enumerate(blocks)
        if block.sentences
    )
    return section.model_copy(update={"blocks": kept})


def refilled(
    before: Sequence[Sentence], after: Sequence[Sentence], said: Sequence[Claim], claims: Mapping[str, Claim]
) -> tuple[Sentence, ...]:
    """An opening that answers again each sub-question that it lost, with the best supported claim on it.

    `before` is the opening as it was written, `said` are the claims that it may state.
    """
    left = dict.fromkeys(_parts(before, claims))
    for part in _parts(after, claims):
        left.pop(part, None)
    told, more = _told(after), list[Sentence]()
    for part in left:
        sound = [
            claim
            for claim in said
            if claim.sub_question == part
            and claim.verdict == "supported"
            and claim.kind == "fact"
            and not claim.disputes
            and claim.claim_id not in told
        ]
        # The first of equals: the order of the claims is that of the report.
        if best := max(sound, key=lambda claim: (claim.backing, claim.score), default=None):
            more.append(Sentence(text=" ".join(best.text.split()), claim_ids=(best.claim_id,)))
    return (*after, *more)


def _told(sentences: Iterable[Sentence]) -> set[str]:
    return {name for one in sentences for name in one.rests_on}


def _parts(sentences: Iterable[Sentence], claims: Mapping[str, Claim]) -> list[str]:
    return [claims[name].sub_question for one in sentences for name in one.rests_on if name in claims]

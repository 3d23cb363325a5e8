"""What a draft states, what an edit may lose of it, and the opening of a draft that was not edited."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Deliverable
from deepresearch_mcp.records.report import Block, Draft, Position, Sentence, WrittenSection
from deepresearch_mcp.text.keywords import content_words
from deepresearch_mcp.text.sentences import sentences

_LOST = 0.5
"""Share of the weight of its own facts that a section may lose by editing: what is told twice or decides nothing."""
_LOST_IN_BRIEF = 0.75
_MAINLY = 0.5
"""Share of an edited section's facts from which it counts as what became of one section of the draft."""
_OURS = frozenset({"recommendation", "verdict"})
"""Deliverables whose answer is a judgement."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A draft after its edit, and the facts that it no longer states."""

    draft: Draft
    lost: tuple[Claim, ...] = ()
    kept: bool = True
    """Whether every section takes the edit."""


def stated(parts: Iterable[Sentence], claims: Mapping[str, Claim]) -> list[Claim]:
    """The claims that stand for those that sentences rest on, in order, each once."""
    found = (claims[name] for one in parts for name in one.rests_on if name in claims)
    return list({claim.claim_id: claim for claim in found}.values())


def all_sentences(draft: Draft) -> Iterable[Sentence]:
    """The opening, what is described, and every sentence and cell of the sections."""
    yield from draft.in_short
    yield from draft.described
    for section in draft.sections:
        yield from section.sentences


def judged_edit(before: Draft, after: Draft, claims: Mapping[str, Claim], *, brief: bool = False) -> Edited:
    """The edit; a section of the draft that it lost most of stands as it was written, where it was.

    What else was lost is told, so that a reviewer can ask for it. An opening that rests on nothing is not taken.
    """
    sections = list(after.sections)
    most = _LOST_IN_BRIEF if brief else _LOST
    sound = any(one.rests_on for one in after.in_short)
    opening = {} if sound else {"in_short": before.in_short}
    has = _ids(all_sentences(after), claims)
    restored: dict[int, WrittenSection] = {}
    for at, section in enumerate(before.sections):
        had = stated(section.sentences, claims)
        lost = [claim for claim in had if claim.claim_id not in has]
        if lost and loss(had, lost) > most:
            restored[at] = section
    kept = not restored
    for at, section in restored.items():
        _put_back(sections, section, at, len(before.sections), claims)
    draft = after.model_copy(
        update={"sections": tuple(sections), "described": after.described or before.described, **opening}
    )
    has = _ids(all_sentences(draft), claims)
    lost = tuple(claim for claim in stated(all_sentences(before), claims) if claim.claim_id not in has)
    return Edited(draft, lost, kept=kept)


def _put_back(
    sections: list[WrittenSection], section: WrittenSection, at: int, of: int, claims: Mapping[str, Claim]
) -> None:
    """Put a section of the draft in the place of what became of it; else the blocks that were lost, where they fit."""
    own = _ids(section.sentences, claims)
    shared = [len(own & _ids(one.sentences, claims)) for one in sections]
    best = max(range(len(sections)), key=lambda n: shared[n], default=-1)
    if best < 0 or not shared[best]:
        sections.insert(int(at / of * len(sections) + 0.5), section)
        return
    there = _ids(sections[best].sentences, claims)
    if shared[best] >= _MAINLY * len(there):
        sections[best] = section
        return
    told = set[str]().union(*(_ids(one.sentences, claims) for one in sections))
    lost = tuple(block for block in section.blocks if not _ids(block.sentences, claims) <= told)
    sections[best] = sections[best].model_copy(update={"blocks": (*sections[best].blocks, *lost)})


def _ids(parts: Iterable[Sentence], claims: Mapping[str, Claim]) -> set[str]:
    return {claim.claim_id for claim in stated(parts, claims)}


def loss(had: Sequence[Claim], lost: Sequence[Claim]) -> float:
    """The share of the weight of some facts that is lost."""
    return sum(claim.weight for claim in lost) / max(1, sum(claim.weight for claim in had))


def opening_of(positions: Sequence[Position], deliverables: Sequence[Deliverable]) -> tuple[Sentence, ...]:
    """The positions of a sketch as an opening, in the order of the deliverables; without premises none is told."""
    kinds = {one.id: one.kind for one in deliverables}
    order = list(kinds)
    ranked = sorted(positions, key=lambda one: order.index(one.deliverable) if one.deliverable in kinds else len(order))
    found: list[Sentence] = []
    for one in ranked:
        ours = kinds.get(one.deliverable) in _OURS
        opens, label = bool(found), one.label if len(ranked) > 1 else ""
        for span in sentences(one.position) if one.premises else ():
            text = " ".join(one.position[span.start : span.end].split())
            said = Sentence(text=text, opens=opens, label=label)
            if ours:
                said = said.model_copy(update={"kind": "judgement", "premises": one.premises})
            else:
                kind = "synthesis" if len(one.premises) > 1 else "fact"
                said = said.model_copy(update={"kind": kind, "claim_ids": one.premises})
            found.append(said)
            opens, label = False, ""
    return tuple(found)


def positions_now(draft: Draft, positions: Sequence[Position]) -> tuple[Position, ...]:
    """The positions as the opening of an edited draft tells them, each found by its label; else as they were.

    An edit words them anew, after searches of which the sketch knew nothing.
    """
    told: dict[str, list[Sentence]] = {}
    label = ""
    for one in draft.in_short:
        label = one.label.casefold() if one.label or one.opens else label
        told.setdefault(label, []).append(one)

    def labelled(label: str) -> list[Sentence]:
        if label.casefold() in told:
            return told[label.casefold()]
        # "Starting tasks" tells "Starting tasks on 3.8 to 3.11".
        words = set(content_words(label))
        near = [name for name in told if name and set(content_words(name)) <= words]
        return told[near[0]] if len(near) == 1 else []

    def now(position: Position) -> Position:
        own = labelled(position.label) if position.label else []
        premises = tuple(dict.fromkeys(name for one in own for name in one.rests_on))
        text = " ".join(one.text for one in own)
        return position.model_copy(update={"position": text, "premises": premises}) if premises else position

    return tuple(map(now, positions))


def renamed(draft: Draft, claims: Mapping[str, Claim]) -> Draft:
    """The draft with every claim's id replaced by that of the claim that stands for it, and no prose told twice.

    Ids of claims that there are not are left out where a sentence has others: one that rests on an invented claim must
    not pass for one that names none.
    """
    seen: set[str] = set()

    def ids(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(claims[name].claim_id for name in names if name in claims)) or names

    def one(sentence: Sentence) -> Sentence:
        return sentence.model_copy(update={"claim_ids": ids(sentence.claim_ids), "premises": ids(sentence.premises)})

    def new(sentence: Sentence) -> bool:
        key = " ".join(content_words(sentence.text)) or sentence.text
        return not (key in seen or seen.add(key))

    def block(given: Block) -> Block:
        table = given.kind == "table"
        rows = (tuple(one(cell) for cell in row if table or new(cell)) for row in given.rows)
        return given.model_copy(update={"rows": tuple(row for row in rows if row)})

    def section(written: WrittenSection) -> WrittenSection:
        blocks = (block(given) for given in written.blocks)
        return written.model_copy(update={"blocks": tuple(given for given in blocks if given.rows)})

    return draft.model_copy(
        update={
            "in_short": tuple(map(one, draft.in_short)),
            "described": tuple(map(one, draft.described)),
            "sections": tuple(done for written in draft.sections if (done := section(written)).blocks),
            "differences": tuple(map(one, draft.differences)),
        }
    )


def with_proposals(section: WrittenSection, located: Mapping[str, Claim], known: Container[str]) -> WrittenSection:
    """The section with the claims that its writer proposed; a sentence goes that rests on none of them or the known.

    One that rests on others too stays: the audit holds it to those.
    """

    def one(sentence: Sentence) -> Sentence | None:
        gone = {name for name in sentence.rests_on if name not in located and name not in known}
        if gone and not set(sentence.rests_on) - gone:
            return None
        swap = {name: located[name].claim_id for name in sentence.rests_on if name in located}

        def ids(given: Iterable[str]) -> tuple[str, ...]:
            return tuple(swap.get(name, name) for name in given if name not in gone)

        return sentence.model_copy(update={"claim_ids": ids(sentence.claim_ids), "premises": ids(sentence.premises)})

    def block(given: Block) -> Block:
        if given.kind == "table":
            rows = tuple(tuple(one(cell) or Sentence(text="–") for cell in row) for row in given.rows)
        else:
            rows = tuple(tuple(kept for cell in row if (kept := one(cell))) for row in given.rows)
        return given.model_copy(update={"rows": tuple(row for row in rows if row)})

    blocks = (block(given) for given in section.blocks)
    return section.model_copy(update={"blocks": tuple(given for given in blocks if given.rows)})

"""What a reader mends of a sound sentence without a new wording: its kind, or a claim that it lacks."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from deepresearch_mcp.pipeline.report.check_sentence import Checked
from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.pipeline.report.reader import Held
from deepresearch_mcp.records.report import Sentence

Check = Callable[[Piece], Checked]
"""What a machine makes of a piece."""


def amended(held: Held, check: Check) -> Sentence | None:
    """The sentence of another kind, or with a further claim behind it, where a reader says so; None for neither."""
    wider = _with_claim(held.piece, held.also, check) if held.also else None
    piece = replace(held.piece, sentence=wider) if wider else held.piece
    return (_relabelled(piece, check) if held.mislabelled else None) or wider


def called(sentence: Sentence, held: Sequence[Held], check: Check) -> Sentence:
    """A new wording as `amended` by what a reader says of its parts."""
    for one in held:
        sentence = amended(replace(one, piece=Piece(sentence)), check) or sentence
    return sentence


def _with_claim(piece: Piece, name: str, check: Check) -> Sentence | None:
    """None where a machine finds that wrong."""
    sentence = piece.sentence
    field = "premises" if sentence.kind == "judgement" else "claim_ids"
    found = sentence.model_copy(update={field: tuple(dict.fromkeys((*sentence.rests_on, name)))})
    return found if _may_stand(check(replace(piece, sentence=found))) else None


def _relabelled(piece: Piece, check: Check) -> Sentence | None:
    """The sentence as a judgement, if told as a fact, or the reverse; None where a machine finds that wrong."""
    sentence, names = piece.sentence, piece.sentence.rests_on
    other: dict[str, object] = {"kind": "judgement", "claim_ids": (), "premises": names}
    if sentence.kind == "judgement":
        other = {"kind": "synthesis" if len(names) > 1 else "fact", "claim_ids": names, "premises": ()}
    found = sentence.model_copy(update=other)
    return found if names and _may_stand(check(replace(piece, sentence=found))) else None


def _may_stand(checked: Checked) -> bool:
    return checked.uncertain or not checked.problem

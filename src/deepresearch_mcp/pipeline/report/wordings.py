"""New wordings of doubted sentences: as they are held, put together, accepted and labelled."""

from collections.abc import Sequence
from dataclasses import replace

from deepresearch_mcp.pipeline.report.leaning import leans
from deepresearch_mcp.pipeline.report.pieces import Piece, pieces_of
from deepresearch_mcp.pipeline.report.reader import Held
from deepresearch_mcp.records.report import Sentence

_LABELS = {
    "de": {"estimate": "eine Schätzung", "opinion": "eine Meinung", "forecast": "eine Prognose"},
    "fr": {"estimate": "une estimation", "opinion": "une opinion", "forecast": "une prévision"},
    "es": {"estimate": "una estimación", "opinion": "una opinión", "forecast": "una previsión"},
}


def labelled(text: str, kind: str, language: str) -> str:
    """A sentence with its kind behind it: `(an estimate)`."""
    label = _LABELS.get(language, {}).get(kind, f"{'an' if kind[0] in 'eo' else 'a'} {kind}")
    stop = text[-1] if text.endswith((".", "!", "?")) else ""
    return f"{text.removesuffix(stop)} ({label}){stop}"


def placed(piece: Piece, proposal: Sentence, before: str, language: str) -> tuple[Piece, ...]:
    """A new wording as what is held: in a cell one piece, elsewhere its sentences, the first with what it leans on."""
    if piece.passage or piece.row or piece.column:
        return (replace(piece, sentence=proposal),)
    first, *rest = pieces_of(proposal)
    own = replace(piece, sentence=first, before=before if leans(first.text, language) else "")
    return (own, *(replace(piece, sentence=part, before="") for part in rest))


def joined(proposed: Sequence[Piece]) -> Sentence:
    """The pieces of a new wording as one sentence."""
    first = proposed[0].sentence
    return first.model_copy(update={"text": " ".join(one.sentence.text for one in proposed)})


def mends(held: Held, doubt: Held) -> bool:
    """Whether a new wording may stand; where a thinker faulted the old one, only its word or a repetition will do."""
    if held.problem:
        return False
    return not held.checked.uncertain or held.fault is not None or doubt.fault is None

"""Completes premises: advice often names one thing more than the two or three facts that its writer marks it with."""

import re
from collections.abc import Mapping

from deepresearch_mcp.pipeline.report.beside import Beside
from deepresearch_mcp.pipeline.report.pieces import Piece, edited, edited_sections
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft, Sentence
from deepresearch_mcp.text.names import names_in

_MORE = 2
"""Premises that a judgement gains at most."""
_NEAR = 8
"""Claims that speak most of the same thing, among which they are looked for."""
_CODE = re.compile(r"`([^`]+)`")
_PART = re.compile(r"[\w.-]*\w{3}[\w.-]*")


def with_whole_premises(draft: Draft, claims: Mapping[str, Claim], beside: Beside, language: str = "") -> Draft:
    """The draft; a judgement that names a tool or a setting also rests on a fact of the report that holds it.

    Without it sound advice would fall because of the facts that it did not name, although the report tells them.
    """

    def change(piece: Piece) -> tuple[Sentence, ...]:
        return (_completed(piece, claims, beside),)

    return draft.model_copy(
        update={
            "in_short": edited(draft.in_short, change, language),
            "sections": edited_sections(draft, change, language),
        }
    )


def _completed(piece: Piece, claims: Mapping[str, Claim], beside: Beside) -> Sentence:
    sentence = piece.sentence
    if sentence.kind != "judgement" or piece.code or not sentence.premises:
        return sentence
    own = "\n".join(_words(claims[name]) for name in sentence.premises if name in claims)
    missing = {word for word in _named(sentence.text) if word not in own}
    more: list[str] = []
    for name in beside.of(piece, _NEAR) if missing else ():
        found = {word for word in missing if word in _words(claims[name])}
        if found and len(more) < _MORE:
            more.append(name)
            missing -= found
    return sentence.model_copy(update={"premises": (*sentence.premises, *more)}) if more else sentence


def _named(text: str) -> set[str]:
    """Its names and the words of its code, in small letters."""
    code = (part for span in _CODE.findall(text) for part in _PART.findall(span))
    return {word.casefold() for word in (*code, *names_in(_CODE.sub(" ", text)))}


def _words(claim: Claim) -> str:
    return "\n".join((claim.text, *(part for one in claim.quotes for part in (one.text, one.heading)))).casefold()

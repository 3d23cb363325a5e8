"""The questions that finished sentences are held with: to their claims, to their premises, and the repair."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from deepresearch_mcp.records.report import Sentence, SentenceKind
from deepresearch_mcp.thinkers.audit_tasks import HoldJudgements, HoldSentences, RepairSentences
from deepresearch_mcp.thinkers.base import Doubt, HeldStatement
from deepresearch_mcp.thinkers.prompted import held_text, held_verdicts, lines, material
from deepresearch_mcp.thinkers.prompted.answers import (
    HoldAnswer,
    HoldJudgementsAnswer,
    RepairAnswer,
    RepairedSentence,
)
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import (
    FilledPrompt,
    Halves,
    PromptContext,
    PromptSpec,
    in_two,
    joined,
)

_OF_SENTENCES: dict[str, Verdict] = {
    "supported": "supported",
    "mislabelled": "supported",
    "partly": "partly",
    "disputed": "disputed",
    "unsupported": "unsupported",
}
_OF_JUDGEMENTS: dict[str, Verdict] = {
    "follows": "supported",
    "mislabelled": "supported",
    "partly": "partly",
    "does_not_follow": "unsupported",
}
_KINDS: dict[str, SentenceKind] = {word: word for word in get_args(SentenceKind)}


def hold(task: HoldSentences, context: PromptContext) -> FilledPrompt[HoldAnswer, tuple[Judgement, ...]]:
    """Ask of each finished sentence whether its claims and their pages carry it."""
    labels = Labels("s", task.claims)
    claims = held_text.claim_labels(own for posed in task.claims for own in _shown(task, posed))
    needed = {name for posed in task.claims for name in held_text.words_needed(posed.text, _behind(task, posed))}

    def result(answer: HoldAnswer) -> tuple[Judgement, ...] | None:
        found: dict[str, Judgement] = {}
        for item in answer.verdicts:
            posed, verdict = labels.find(item.sentence_id), _OF_SENTENCES.get(held_verdicts.word(item.verdict))
            if posed and verdict:
                why, own = held_verdicts.reason(item, claims), _behind(task, posed)
                judged = held_verdicts.judgement(posed.claim_id, item, verdict, claims, own, why)
                found.setdefault(posed.claim_id, judged)
        return tuple(found.values()) or None

    names = {posed.text: name for name, posed in labels.named()}
    rows = [_held(name, posed, task, claims, names) for name, posed in labels.named()]
    shown = held_text.under_headings(rows, [task.sections.get(posed.claim_id, "") for posed in task.claims])
    number = len(labels.items)
    return FilledPrompt(
        values={
            "today": task.brief.today.isoformat(),
            "claims": held_text.claims_text(claims, needed, context.nonce),
            "sentences": fence("sentences", "", shown, context.nonce),
        },
        result=result,
        # Room for a reader who thinks aloud first.
        max_tokens=600 + 50 * number,
        limits={"verdicts": {"minItems": number, "maxItems": number}},
    )


def _behind(task: HoldSentences, posed: Claim) -> Sequence[Claim]:
    """The claims behind a sentence; where they are not known, the quotes that it is posed with stand for one."""
    return task.stated.get(posed.claim_id) or (posed.model_copy(update={"text": posed.quotes[0].text}),)


def _shown(task: HoldSentences, posed: Claim) -> Sequence[Claim]:
    sweep = task.sweeps.get(posed.claim_id)
    return (*_behind(task, posed), *(sweep.beside if sweep else ()))


def _held(name: str, posed: Claim, task: HoldSentences, claims: Labels[Claim], names: Mapping[str, str]) -> str:
    kind = "synthesis of" if posed.claim_id in task.syntheses else "from"
    after = held_text.behind(task.before.get(posed.claim_id, ""), names)
    of = f"{kind} {held_text.names_of(_behind(task, posed), claims)}"
    look = held_text.look_at(task.sweeps.get(posed.claim_id), claims)
    return f"[{name}] ({of}{look}): {one_line(posed.text)}{after}"


def hold_judgements(
    task: HoldJudgements, context: PromptContext
) -> FilledPrompt[HoldJudgementsAnswer, tuple[Judgement, ...]]:
    """Ask of each judgement whether it follows from its premises."""
    labels = Labels("j", task.statements)
    premises = held_text.claim_labels(
        claim for held in task.statements for claim in (*held.premises, *(held.sweep.beside if held.sweep else ()))
    )

    def result(answer: HoldJudgementsAnswer) -> tuple[Judgement, ...] | None:
        found: dict[str, Judgement] = {}
        for item in answer.judgements:
            held, verdict = labels.find(item.judgement_id), _OF_JUDGEMENTS.get(held_verdicts.word(item.verdict))
            if held and verdict:
                why = held_verdicts.reason_of_judgement(item)
                judged = held_verdicts.judgement(held.name, item, verdict, premises, held.premises, why)
                found.setdefault(held.name, judged)
        return tuple(found.values()) or None

    names = {held.text: name for name, held in labels.named()}
    rows = [_statement(name, held, premises, names) for name, held in labels.named()]
    shown = held_text.under_headings(rows, [held.section for held in task.statements])
    number = len(labels.items)
    return FilledPrompt(
        values={
            "today": task.brief.today.isoformat(),
            "question": one_line(task.brief.question),
            "premises": held_text.premises_text(premises, context.nonce),
            "statements": fence("statements", "", shown, context.nonce),
        },
        result=result,
        max_tokens=200 + 40 * number,
        limits={"judgements": {"minItems": number, "maxItems": number}},
    )


def _statement(name: str, held: HeldStatement, premises: Labels[Claim], names: Mapping[str, str]) -> str:
    names_ = held_text.names_of(held.premises, premises)
    source = f"from {names_}" if held.premises else "without a source"
    if held.absence:
        source = f"an absence; the nearest passages: {names_ or 'none'}"
    source += held_text.look_at(held.sweep, premises)
    source += "; no word of advice, value or inference" if held.may_be_plain else ""
    return f"[{name}] ({source}): {one_line(held.text)}{held_text.behind(held.before, names)}"


def repair(task: RepairSentences, context: PromptContext) -> FilledPrompt[RepairAnswer, tuple[Sentence, ...]]:
    """Ask for each doubted sentence by its number; one that the answer leaves out becomes empty, to be dropped."""
    doubts, nonce = task.doubts, context.nonce
    claims = Labels("c", task.claims)
    named = {claim.claim_id: name for name, claim in claims.named()}
    labels = Labels("n", doubts)

    def result(answer: RepairAnswer) -> tuple[Sentence, ...] | None:
        given = {id(doubt): item for item in answer.sentences if (doubt := labels.find(item.n))}
        if not given:
            return None
        return tuple(_mended(doubt, given.get(id(doubt), RepairedSentence()), claims) for doubt in doubts)

    shown = (
        fence("doubt", name.removeprefix("n"), _doubt(doubt, claims, named), nonce) for name, doubt in labels.named()
    )
    number = len(labels.items)
    return FilledPrompt(
        values={
            "today": task.brief.today.isoformat(),
            "language": material.language(task.brief),
            "doubts": "\n".join(shown),
        },
        result=result,
        max_tokens=200 + 120 * number,
        limits={"sentences": {"minItems": number, "maxItems": number}},
    )


def _mended(doubt: Doubt, item: RepairedSentence, claims: Labels[Claim]) -> Sentence:
    own = doubt.sentence
    # What is shown for another doubt may be what this one lacks; the new wording is held to whatever it names.
    chosen = [claim.claim_id for claim in claims.find_all(item.claims)]
    rests_on = tuple(dict.fromkeys(chosen)) or own.rests_on
    kind = _KINDS.get(held_verdicts.word(item.kind), own.kind)
    text = _with_code(material.prose(item.text), own.text)
    if kind == "judgement":
        return Sentence(text=text, kind=kind, premises=rests_on)
    # What rests on one claim compares nothing.
    return Sentence(text=text, kind=kind if len(rests_on) > 1 else "fact", claim_ids=rests_on)


_CODE = re.compile(r"`([^`\s][^`]*)`")


def _with_code(text: str, before: str) -> str:
    """The new wording with the code words of the old one in backticks, which some models leave out."""
    if "`" in text:
        return text
    words = sorted({one.group(1) for one in _CODE.finditer(before)}, key=len, reverse=True)
    known = "|".join(map(re.escape, words))
    return re.sub(rf"(?<![\w.`])(?:{known})(?![\w`])", lambda one: f"`{one.group()}`", text) if words else text


def _doubt(doubt: Doubt, claims: Labels[Claim], named: dict[str, str]) -> str:
    sentence = doubt.sentence
    kind = sentence.kind if sentence.rests_on else "without a claim"
    beside = (("Before it", doubt.before), ("If that goes", doubt.standing))
    lines_ = [f"{what}: {one_line(said, 300)}" for what, said in beside if said]
    lines_.append(f"{one_line(sentence.text)} ({kind}{f'; {one_line(doubt.place)}' if doubt.place else ''})")
    look = f" (look at: {held_text.quoted(doubt.words)})" if doubt.words else ""
    lines_.append(f"Problem: {one_line(doubt.problem)}{look}")
    held = {claim.claim_id: claim for claim in claims.items}
    for word, names in (("Rests on", sentence.rests_on), ("Also found", doubt.beside)):
        for claim, name in ((held[one], named[one]) for one in names if one in held):
            page = f"{held_text.above(claim)} “{one_line(claim.quotes[0].text)}”"
            lines_.append(f"{word} {name}: {one_line(claim.text)} {page}")
    return "\n".join(lines_)


def _halves_of_sentences(task: HoldSentences) -> Sequence[HoldSentences]:
    return [replace(task, claims=some) for some in in_two(task.claims)]


def _halves_of_judgements(task: HoldJudgements) -> Sequence[HoldJudgements]:
    return [replace(task, statements=some) for some in in_two(task.statements)]


def _halves_of_doubts(task: RepairSentences) -> Sequence[RepairSentences]:
    return [replace(task, doubts=some, claims=_needed(task, some)) for some in in_two(task.doubts)]


def _needed(task: RepairSentences, doubts: Sequence[Doubt]) -> list[Claim]:
    names = {name for doubt in doubts for name in (*doubt.sentence.rests_on, *doubt.beside)}
    return [claim for claim in task.claims if claim.claim_id in names]


HOLD = PromptSpec(
    prompt="hold",
    role="verifier",
    lines=lines.hold,
    fill=hold,
    shape=HoldAnswer,
    halves=Halves(_halves_of_sentences, joined),
)
HOLD_JUDGEMENTS = PromptSpec(
    prompt="hold_judgements",
    role="verifier",
    lines=lines.hold_judgements,
    fill=hold_judgements,
    shape=HoldJudgementsAnswer,
    halves=Halves(_halves_of_judgements, joined),
)
REPAIR = PromptSpec(
    prompt="repair",
    role="writer",
    lines=lines.repair,
    fill=repair,
    shape=RepairAnswer,
    halves=Halves(_halves_of_doubts, joined),
)

HANDLERS = (HoldSentences.by(HOLD.ask), HoldJudgements.by(HOLD_JUDGEMENTS.ask), RepairSentences.by(REPAIR.ask))

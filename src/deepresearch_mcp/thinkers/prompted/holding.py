"""The questions that finished sentences are held with: to their claims, to their premises, and the repair."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from deepresearch_mcp.records.report import Sentence, SentenceKind
from deepresearch_mcp.thinkers.base import Doubt, HeldStatement
from deepresearch_mcp.thinkers.prompted import deciding, judging, lines, material
from deepresearch_mcp.thinkers.prompted.answers import (
    JUDGEMENT_FAULTS,
    HoldJudgementsAnswer,
    JudgeAnswer,
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
from deepresearch_mcp.thinkers.tasks import HoldJudgements, HoldSentences, RepairSentences

_VERDICTS: dict[str, Verdict] = {"follows": "supported", "partly": "partly", "does_not_follow": "unsupported"}
_KINDS: dict[str, SentenceKind] = {word: word for word in get_args(SentenceKind)}


def hold(task: HoldSentences, context: PromptContext) -> FilledPrompt[JudgeAnswer, tuple[Judgement, ...]]:
    """Ask of each finished sentence whether its claims and their pages carry it."""
    labels = Labels("s", task.claims)
    shown = (fence("sentence", name, _held(task, posed), context.nonce) for name, posed in labels.named())
    number = len(labels.items)
    return FilledPrompt(
        values={"today": task.brief.today.isoformat(), "sentences": "\n".join(shown)},
        result=lambda answer: judging.verdicts(answer, labels),
        max_tokens=200 + 60 * number,
        limits={"verdicts": {"minItems": number, "maxItems": number}},
    )


def _held(task: HoldSentences, posed: Claim) -> str:
    text, *page = deciding.to_judge(posed).split("\n")
    kind = "synthesis: " if posed.claim_id in task.syntheses else ""
    said = dict.fromkeys(_claimed(claim) for claim in task.stated.get(posed.claim_id, ()))
    return "\n".join((f"{kind}{text}", *(f"Claim: {one}" for one in said if one != text), *page))


def _claimed(claim: Claim) -> str:
    # What its page carries only in part, or another source contradicts, is not to be taken for sure.
    doubt = {"partly": " (its page carries it only in part)", "disputed": " (disputed)"}.get(claim.verdict, "")
    return f"{one_line(claim.text)}{doubt}"


def hold_judgements(
    task: HoldJudgements, context: PromptContext
) -> FilledPrompt[HoldJudgementsAnswer, tuple[Judgement, ...]]:
    """Ask of each judgement whether it follows from its premises."""
    labels = Labels("j", task.statements)

    def result(answer: HoldJudgementsAnswer) -> tuple[Judgement, ...] | None:
        found: dict[str, Judgement] = {}
        for item in answer.judgements:
            held, verdict = labels.find(item.id), _VERDICTS.get(_word(item.verdict))
            if held and verdict:
                # An order is no judgement, whatever the verdict says.
                verdict = "unsupported" if _word(item.fault) == "order" else verdict
                reason = "" if verdict == "supported" else JUDGEMENT_FAULTS.get(_word(item.fault), "")
                found.setdefault(held.name, Judgement(claim_id=held.name, verdict=verdict, reason=reason))
        return tuple(found.values()) or None

    shown = (fence("statement", name, _statement(held), context.nonce) for name, held in labels.named())
    number = len(labels.items)
    return FilledPrompt(
        values={
            "today": task.brief.today.isoformat(),
            "question": one_line(task.brief.question),
            "statements": "\n".join(shown),
        },
        result=result,
        max_tokens=200 + 40 * number,
        limits={"judgements": {"minItems": number, "maxItems": number}},
    )


def _statement(held: HeldStatement) -> str:
    if not held.premises:
        return f"{one_line(held.text)}\n(without a source)"
    return "\n".join((one_line(held.text), *(f"Premise: {_claimed(claim)}" for claim in held.premises)))


def _word(text: str) -> str:
    return "_".join(text.strip().lower().split())


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
    allowed = {*own.rests_on, *doubt.beside}
    chosen = [claim.claim_id for claim in claims.find_all(item.claims) if claim.claim_id in allowed]
    rests_on = tuple(dict.fromkeys(chosen)) or own.rests_on
    kind = _KINDS.get(_word(item.kind), own.kind)
    text = material.prose(item.text)
    if kind == "judgement":
        return Sentence(text=text, kind=kind, premises=rests_on)
    # What rests on one claim compares nothing.
    return Sentence(text=text, kind=kind if len(rests_on) > 1 else "fact", claim_ids=rests_on)


def _doubt(doubt: Doubt, claims: Labels[Claim], named: dict[str, str]) -> str:
    sentence = doubt.sentence
    kind = sentence.kind if sentence.rests_on else "without a claim"
    lines_ = [f"{one_line(sentence.text)} ({kind}{f'; {one_line(doubt.place)}' if doubt.place else ''})"]
    lines_.append(f"Problem: {one_line(doubt.problem)}")
    held = {claim.claim_id: claim for claim in claims.items}
    for word, names in (("Rests on", sentence.rests_on), ("Also found", doubt.beside)):
        lines_ += [
            f"{word} {named[name]}: {one_line(held[name].text)} Page: “{one_line(held[name].quotes[0].text)}”"
            for name in names
            if name in held
        ]
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
    lines=lines.judge,
    fill=hold,
    shape=JudgeAnswer,
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

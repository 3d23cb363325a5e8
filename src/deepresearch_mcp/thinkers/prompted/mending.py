"""The question that sentences are mended with: repair."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.thinkers.base import Doubt
from deepresearch_mcp.thinkers.prompted import lines, material
from deepresearch_mcp.thinkers.prompted.answers import RepairAnswer
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import (
    FilledPrompt,
    Halves,
    PromptContext,
    PromptSpec,
    in_two,
    joined,
)
from deepresearch_mcp.thinkers.tasks import RepairSentences

Sentences = tuple[Sentence, ...]


def repair(task: RepairSentences, context: PromptContext) -> FilledPrompt[RepairAnswer, Sentences]:
    """Ask for each doubted sentence by its number; one that the answer leaves out becomes empty, to be dropped."""
    doubts, nonce = task.doubts, context.nonce
    held = {claim.claim_id: claim for claim in task.claims}
    labels = Labels("n", doubts)

    def result(answer: RepairAnswer) -> Sentences | None:
        texts = {id(doubt): material.prose(item.text) for item in answer.sentences if (doubt := labels.find(item.n))}
        if not texts:
            return None
        return tuple(Sentence(text=texts.get(id(doubt), ""), claim_ids=doubt.sentence.claim_ids) for doubt in doubts)

    shown = (fence("doubt", name.removeprefix("n"), _doubt(doubt, held.get), nonce) for name, doubt in labels.named())
    number = len(labels.items)
    return FilledPrompt(
        values={
            "today": task.brief.today.isoformat(),
            "language": material.language(task.brief),
            "doubts": "\n".join(shown),
        },
        result=result,
        max_tokens=200 + 100 * number,
        limits={"sentences": {"minItems": number, "maxItems": number}},
    )


def _doubt(doubt: Doubt, find: Callable[[str], Claim | None]) -> str:
    found = [claim for name in doubt.sentence.claim_ids if (claim := find(name))]
    return "\n".join(
        (
            one_line(doubt.sentence.text),
            f"Problem: {one_line(doubt.problem)}",
            *(f"Claim: {one_line(claim.text)} Page: “{one_line(claim.quotes[0].text)}”" for claim in found),
        )
    )


def _halves(task: RepairSentences) -> Sequence[RepairSentences]:
    return [replace(task, doubts=some) for some in in_two(task.doubts)]


REPAIR = PromptSpec(
    prompt="repair",
    role="writer",
    lines=lines.repair,
    fill=repair,
    shape=RepairAnswer,
    halves=Halves(_halves, joined),
)

HANDLERS = (RepairSentences.by(REPAIR.ask),)

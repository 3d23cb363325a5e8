"""The question that the gaps of a finished report are held against it with."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.report import GapCheck
from deepresearch_mcp.thinkers.prompted import lines, material
from deepresearch_mcp.thinkers.prompted.gap_answers import GapsAnswer
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import FilledPrompt, PromptContext, PromptSpec
from deepresearch_mcp.thinkers.tasks import CheckGaps

_FACT = 320
"""Characters of a sentence or claim."""
_PASSAGE = 1_400
_Status = Literal["answered", "partly", "open"]
_STATUSES: Mapping[str, _Status] = MappingProxyType({"answered": "answered", "partly": "partly"})


def gaps(task: CheckGaps, context: PromptContext) -> FilledPrompt[GapsAnswer, Sequence[GapCheck]]:
    """Ask how each gap stands; what no shown sentence answers stays open."""
    asked = Labels("g", task.gaps)
    facts = Labels(
        "f", material.kept(list(dict.fromkeys(fact for one in task.gaps for fact in one.beside)), context.share)
    )
    passages = Labels(
        "p", material.kept(list(dict.fromkeys(p for one in task.gaps for p in one.passages)), context.share)
    )
    named = {fact: name for name, fact in (*facts.named(), *passages.named())}

    def result(answer: GapsAnswer) -> Sequence[GapCheck]:
        found: list[GapCheck] = []
        for one in answer.gaps:
            gap, same = asked.find(one.gap), asked.find(one.same)
            if gap is None:
                continue
            said = _STATUSES.get(one.status.strip().lower(), "open")
            shown = facts.find_all(one.by) or passages.find_all([name for name in one.by if "p" in name.lower()])
            status: _Status = said if shown else "open"
            rest = one_line(one.rest, 300) if status == "partly" else ""
            earlier = same.missing if same and task.gaps.index(same) < task.gaps.index(gap) else ""
            found.append(GapCheck(missing=gap.missing, status=status, rest=rest, same_as=earlier))
        return found

    nearest = (", ".join(named[text] for text in (*one.beside, *one.passages) if text in named) for one in task.gaps)
    rows = (
        f"{name}: {one_line(one.missing, 400)}{f' (nearest: {ids})' if ids else ''}"
        for (name, one), ids in zip(asked.named(), nearest, strict=True)
    )
    said = (f"{name}: {one_line(fact, _FACT)}" for name, fact in facts.named())
    quoted = (f"{name}: “{one_line(text, _PASSAGE)}”" for name, text in passages.named())
    return FilledPrompt(
        values={
            "today": task.brief.today.isoformat(),
            "question": material.short_question(task.brief),
            "facts": fence("facts", "", "\n".join(said) or "none", context.nonce),
            "passages": fence("passages", "", "\n".join(quoted), context.nonce) if passages.items else "",
            "gaps": fence("gaps", "", "\n".join(rows), context.nonce),
        },
        result=result,
        max_tokens=200 + 80 * len(task.gaps),
        limits={"gaps": {"maxItems": len(task.gaps)}},
    )


# The reader's model is fast, and a ceiling that leaves no room for it makes no report incomplete.
GAPS = PromptSpec(prompt="gaps", role="reader", lines=lines.gaps, fill=gaps, shape=GapsAnswer)

HANDLERS = (CheckGaps.by(GAPS.ask),)

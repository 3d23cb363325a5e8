"""The question what belongs in the empty cells of a report."""

from collections.abc import Sequence

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim, ClaimDraft
from deepresearch_mcp.records.report import NOT_APPLICABLE, SpotFill
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.prompted import lines, material, report_material
from deepresearch_mcp.thinkers.prompted.fill_answers import FillAnswer, FilledSpot
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import FilledPrompt, PromptContext, PromptSpec
from deepresearch_mcp.thinkers.tasks import FillSpots

_PLACE = 400
"""Characters of a spot's place."""
_TEXT = 300


def fill(task: FillSpots, context: PromptContext) -> FilledPrompt[FillAnswer, Sequence[SpotFill]]:
    """Ask what belongs in each spot; what rests on nothing that was shown is left out."""
    brief, nonce = task.brief, context.nonce
    spots = Labels("e", material.kept(task.spots, context.share))
    claims = {one.claim_id: one for spot in spots.items for one in spot.claims}
    passages = {one.passage_id: one for spot in spots.items for one in spot.passages}
    facts, blocks = Labels("c", list(claims.values())), Labels("b", list(passages.values()))
    pages = (
        *(quote.source_id for one in facts.items for quote in one.quotes),
        *(one.source_id for one in blocks.items),
    )
    sources = Labels("s", [task.sources[name] for name in dict.fromkeys(pages) if name in task.sources])
    names = {one.claim_id: name for name, one in facts.named()}
    names |= {one.passage_id: name for name, one in blocks.named()}

    def nearest(own: Sequence[Claim], passages: Sequence[Passage]) -> str:
        return ", ".join([*(names[one.claim_id] for one in own), *(names[one.passage_id] for one in passages)])

    def result(answer: FillAnswer) -> Sequence[SpotFill]:
        found: dict[int, SpotFill] = {}
        for given in answer.spots:
            spot = spots.find(given.spot)
            if spot and (one := _filled(given, task.spots.index(spot), facts, blocks)):
                found.setdefault(one.spot, one)
        return tuple(found.values())

    rows = (
        f"{name}: {one_line(one.place, _PLACE)} (nearest: {nearest(one.claims, one.passages) or 'none'})"
        for name, one in spots.named()
    )
    return FilledPrompt(
        values={
            "today": brief.today.isoformat(),
            "question": brief.question,
            "language": material.language(brief),
            "sources": report_material.sources_text(sources, nonce),
            "facts": report_material.facts_text(facts, nonce, sources),
            "blocks": report_material.blocks_text(blocks, facts, sources, nonce),
            "spots": fence("spots", "", "\n".join(rows), nonce),
        },
        result=result,
        max_tokens=300 + 90 * len(spots.items),
        limits={"spots": {"maxItems": len(spots.items)}},
    )


def _filled(given: FilledSpot, spot: int, facts: Labels[Claim], blocks: Labels[Passage]) -> SpotFill | None:
    text = one_line(material.prose(given.text), _TEXT)
    if text.casefold().strip("` .") == NOT_APPLICABLE:
        return SpotFill(spot=spot, text=NOT_APPLICABLE)
    ids = tuple(one.claim_id for one in facts.find_all([name for name in given.by if name.strip("[ ")[:1] in "cC"]))
    if text and ids:
        return SpotFill(spot=spot, text=text, claim_ids=ids)
    [block, *_] = [*blocks.find_all([name for name in given.by if name.strip("[ ")[:1] in "bB"]), None]
    if not (text and block and given.quote.strip() and given.fact.strip()):
        return None
    draft = ClaimDraft(
        text=material.prose(given.fact), quote=given.quote.strip(), passage_id=block.passage_id, confidence="high"
    )
    return SpotFill(spot=spot, text=text, proposed=draft)


FILL = PromptSpec(prompt="fill", role="writer", lines=lines.fill, fill=fill, shape=FillAnswer)

HANDLERS = (FillSpots.by(FILL.ask),)

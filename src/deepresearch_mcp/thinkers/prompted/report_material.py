"""What the writers of a report are shown: what is asked, the facts, their sources, the text around their quotes."""

from collections.abc import Iterable, Mapping, Sequence

from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import OTHERWISE, Claim, Quote
from deepresearch_mcp.records.plan import Brief, Deliverable
from deepresearch_mcp.records.report import Position, SectionPlan
from deepresearch_mcp.records.sources import DocumentCard, Passage
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.extractive.wording import kind_of
from deepresearch_mcp.thinkers.prompted import material
from deepresearch_mcp.thinkers.prompted.material import Labels

_TITLE = 140
"""Characters of a source's title."""


def deliverables(brief: Brief) -> Sequence[Deliverable]:
    """What the question asks for; the question itself where that is not known."""
    return brief.scope.deliverables or (Deliverable(id="d1", text=one_line(brief.question, material.SHORT_QUESTION)),)


def asked(brief: Brief) -> str:
    """The checklist that the report is held against, a line each."""
    scope = brief.scope
    lines = ["To be delivered:"]
    lines += [f"{one.id} ({one.kind.replace('_', ' ')}): {one_line(one.text)}" for one in deliverables(brief)]
    if scope.cells:
        lines.append("Fields of the comparison: " + "; ".join(f"{c.id} {c.subject}: {c.aspect}" for c in scope.cells))
    elif scope.subjects:
        lines.append("Subjects: " + "; ".join(scope.subjects))
    if scope.constraints:
        lines.append("Constraints: " + "; ".join(map(one_line, scope.constraints)))
    if scope.premises:
        lines.append("Taken for granted by the question: " + "; ".join(map(one_line, scope.premises)))
    lines += [f"The user has added: {one_line(wish, material.WISH)}" for wish in brief.wishes]
    return "\n".join(lines)


def positions_text(positions: Sequence[Position], labels: Labels[Claim]) -> str:
    """The positions of the sketch with their premises, a line each."""
    names = names_by_id(labels)
    lines: list[str] = []
    for one in positions:
        premises = ", ".join(names[name] for name in one.premises if name in names)
        change = f" What would change it: {one_line(one.would_change)}" if one.would_change else ""
        lines.append(f"{one.deliverable}: {one_line(one.position)}{f' [{premises}]' if premises else ''}{change}")
    return "\n".join(lines) or "Nothing is settled yet: answer from the facts."


def outline_text(sections: Sequence[SectionPlan], own: SectionPlan | None = None) -> str:
    """All headings with their theses; the writer's own section is marked."""
    return "\n".join(
        f"{number}. {one_line(one.heading)}{f' – {one_line(one.thesis)}' if one.thesis else ''}"
        f"{' (yours)' if own and one.heading == own.heading else ''}"
        for number, one in enumerate(sections, 1)
    )


def names_by_id(labels: Labels[Claim]) -> dict[str, str]:
    """Every claim's id with its name in this call."""
    return {claim.claim_id: name for name, claim in labels.named()}


def source_labels(facts: Iterable[Claim], sources: Mapping[str, DocumentCard]) -> Labels[DocumentCard]:
    """Names for the sources of these facts, in the order in which they come up."""
    ids = dict.fromkeys(quote.source_id for fact in facts for quote in fact.quotes)
    return Labels("s", [sources[name] for name in ids if name in sources])


def sources_text(labels: Labels[DocumentCard], nonce: str) -> str:
    """Each source with title, site and date, a line each, fenced because pages name themselves."""
    return fence("sources", "", "\n".join(f"[{name}] {source_line(card)}" for name, card in labels.named()), nonce)


def source_line(card: DocumentCard) -> str:
    """What a reader is told of a source: title, publisher, date."""
    title = one_line(card.title, _TITLE)
    title = f"“{title}”, " if title and not is_screened(title) else ""
    by = f", {one_line(card.author, 60)}" if card.author and not is_screened(card.author) else ""
    return f"{title}{card.site}{by}, {card.published.isoformat() if card.published else 'undated'}"


def facts_text(
    labels: Labels[Claim],
    nonce: str,
    sources: Labels[DocumentCard] | None = None,
    *,
    blocks: Labels[Passage] | None = None,
    kind: str = "facts",
    more: int = 0,
) -> str:
    """One fact a line with weight, points, doubts and source; with `blocks` the blocks that hold its words."""
    names = {card.source_id: name for name, card in sources.named()} if sources else {}
    lines = [f"[{name}] {_fact(claim, labels, names, blocks)}" for name, claim in labels.named()]
    if more:
        lines.append(f"and {more} lesser fact{'s' * (more > 1)}, left out for lack of room")
    return fence(kind, "", "\n".join(lines) or "none", nonce)


def _fact(claim: Claim, labels: Labels[Claim], sources: Mapping[str, str], blocks: Labels[Passage] | None) -> str:
    text = one_line(claim.text)
    notes = [f"weight {claim.weight}", *([" ".join(claim.covers)] if claim.covers else []), *_doubts(claim, labels)]
    if claim.kind != "fact" and kind_of(text) == "fact":
        notes.append(claim.kind)
    if claim.dated and claim.dated not in text:
        notes.append(f"as of {one_line(claim.dated, 40)}")
    own = dict.fromkeys(quote.source_id for quote in claim.quotes)
    if named := [sources[name] for name in own if name in sources]:
        notes.append(", ".join(named))
    if blocks:
        notes += [f"in {name}" for name, block in blocks.named() if any(_holds(block, quote) for quote in claim.quotes)]
    return f"{text} ({'; '.join(notes)})"


def _holds(block: Passage, quote: Quote) -> bool:
    return quote.source_id == block.source_id and quote.start < block.end and quote.end > block.start


def _doubts(claim: Claim, labels: Labels[Claim]) -> list[str]:
    if claim.verdict == "partly":
        return [f"partly: the page says “{one_line(claim.quotes[0].text, 300)}”"]
    if claim.verdict != "disputed" and not claim.disputes:
        return []
    others = labels.name_of(lambda other: other.claim_id in claim.disputes)
    by = f" by {', '.join(others)}" if others else ""
    why = f": {one_line(claim.reason)}" if claim.reason and (not others or claim.reason != OTHERWISE) else ""
    return [f"disputed{by}{why}"]


def blocks_text(labels: Labels[Passage], sources: Mapping[str, DocumentCard], nonce: str) -> str:
    """Each block fenced, with headings, site and date of its page in the tag."""
    shown: list[str] = []
    for name, block in labels.named():
        card = sources.get(block.source_id)
        when = f" ({card.site}, {card.published or 'undated'})" if card else ""
        shown.append(fence("block", name, block.text, nonce, under=f"{material.headings(block.heading)}{when}"))
    return "\n".join(shown)


def best_facts(facts: Sequence[Claim], tokens: int, share: float = 1.0) -> list[Claim]:
    """The facts that fit, the most decisive and best founded kept, in their order."""
    most = max(1, round(len(facts) * share))
    room = tokens
    kept: set[str] = set()
    for fact in sorted(facts, key=fact_rank)[:most]:
        room -= estimate(fact.text) + _NOTES
        if room >= 0 or not kept:
            kept.add(fact.claim_id)
    return [fact for fact in facts if fact.claim_id in kept]


_NOTES = 18
"""Tokens of what stands behind a fact."""


def fact_rank(claim: Claim) -> tuple[int, bool, int, float]:
    """Sorts facts: decisive before useful, supported before doubtful, then by sources and score."""
    return -claim.weight, claim.verdict != "supported", -claim.backing, -claim.score

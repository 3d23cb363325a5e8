"""What the writers of a report are shown: what is asked, the facts, their sources, the text around their quotes."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import OTHERWISE, Claim
from deepresearch_mcp.records.plan import Brief, Deliverable
from deepresearch_mcp.records.report import Position, SectionPlan
from deepresearch_mcp.records.sources import DocumentCard, Passage
from deepresearch_mcp.text.passages import SEPARATOR
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.extractive.wording import kind_of
from deepresearch_mcp.thinkers.prompted import material
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.template_text import for_writers

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
    if brief.profile.mind:
        lines.append(f"{brief.profile.title}, to be minded: {one_line(brief.profile.mind, 1_000)}")
    lines += for_writers(brief.template)
    lines += [f"The user has added: {one_line(wish, material.WISH)}" for wish in brief.wishes]
    return "\n".join(lines)


_ANSWERED = 40
"""Words of one answer in the opening: fewer make a telegram of it."""
_VERDICT = 85
"""Words of the verdict before several answers."""
_ALONE = 50
"""Words that an answer which stands alone may have more."""
_LENGTHS = {"brief": 0.7, "standard": 1.0, "long": 1.4}


def opening_words(brief: Brief) -> int:
    """About how many words the opening of a report may have."""
    answers = len(deliverables(brief))
    words = _ANSWERED * answers + (_VERDICT if answers > 1 else _ALONE)
    return 10 * round(words * _LENGTHS[brief.request.length] / 10)


def positions_text(positions: Sequence[Position], labels: Labels[Claim] | None = None) -> str:
    """The positions of the sketch, a line each; with `labels` their premises too."""
    names = names_by_id(labels) if labels else {}
    lines: list[str] = []
    for one in positions:
        premises = ", ".join(names[name] for name in one.premises if name in names)
        change = f" What would change it: {one_line(one.would_change)}" if one.would_change else ""
        label = f" ({one_line(one.label)})" if one.label else ""
        lines.append(
            f"{one.deliverable}{label}: {one_line(one.position)}{f' [{premises}]' if premises else ''}{change}"
        )
    return "\n".join(lines) or "Nothing is settled yet: answer from the facts."


def outline_text(sections: Sequence[SectionPlan], own: SectionPlan) -> str:
    """The other sections by their numbers: headings and theses."""
    rows = (
        f"{number}. {one_line(one.heading)}{f' – {one_line(one.thesis)}' if one.thesis else ''}"
        for number, one in enumerate(sections, 1)
        if one.heading != own.heading
    )
    return "\n".join(rows) or "none"


CARRY = 6
"""Facts that carry a section, as the sketch ranks them."""


def told_elsewhere(fact: Claim, sections: Sequence[SectionPlan], own: SectionPlan) -> str:
    """Which table gives a fact, and which other section tells it; for a table the fields that it speaks of.

    One section tells it, the first that it carries: of two that each took the other for the teller both would omit it.
    """
    name = fact.claim_id
    holders = [(number, one) for number, one in enumerate(sections, 1) if name in one.claim_ids]
    tables = [number for number, one in holders if one.form == "table"]
    telling = [(number, one) for number, one in holders if one.form != "table"]
    telling.sort(key=lambda held: name not in held[1].claim_ids[:CARRY])
    if own.form == "table":
        fields = [point for point in fact.covers if point.startswith("s")]
        first = tables[:1] if tables and sections[tables[0] - 1].heading != own.heading else []
        return "; ".join(filter(None, (" ".join(fields), *(f"in the table of {number}" for number in first))))
    notes = [f"in the table of {', '.join(map(str, tables))}"] if tables else []
    if telling and telling[0][1].heading != own.heading:
        notes.append(f"told in {telling[0][0]}")
    return "; ".join(notes)


def names_by_id(labels: Labels[Claim]) -> dict[str, str]:
    """Every claim's id with its name in this call."""
    return {claim.claim_id: name for name, claim in labels.named()}


def source_labels(facts: Iterable[Claim], sources: Mapping[str, DocumentCard]) -> Labels[DocumentCard]:
    """Names for the sources of these facts, in the order in which they come up."""
    ids = dict.fromkeys(quote.source_id for fact in facts for quote in fact.quotes)
    return Labels("s", [sources[name] for name in ids if name in sources])


def sources_text(labels: Labels[DocumentCard], nonce: str) -> str:
    """Each source with title, site and date, a line each, fenced because pages name themselves."""
    return fence("sources", "", "\n".join(f"{name}: {source_line(card)}" for name, card in labels.named()), nonce)


def source_line(card: DocumentCard) -> str:
    """What a reader is told of a source: title, publisher, date."""
    title = one_line(card.title, _TITLE)
    title = f"“{title}”, " if title and not is_screened(title) else ""
    by = f", {one_line(card.author, 60)}" if card.author and not is_screened(card.author) else ""
    return f"{title}{card.site}{by}, {f'page of {card.published.isoformat()}' if card.published else 'undated'}"


def facts_text(
    labels: Labels[Claim],
    nonce: str,
    sources: Labels[DocumentCard] | None = None,
    *,
    also: Callable[[Claim], str] | None = None,
    kind: str = "facts",
    heads: Mapping[str, str] | None = None,
) -> str:
    """One fact a line, whole, with its sources and doubts; `also` may add a note.

    `heads`: what stands above some of them, by their ids, and tells how they weigh.
    """
    names = _source_names(sources)
    lines: list[str] = []
    for name, claim in labels.named():
        if heads and claim.claim_id in heads:
            lines.append(f"# {heads[claim.claim_id]}")
        notes = ["decides"] if claim.weight >= DECIDES and heads is None else []
        lines.append(f"[{name}] {_fact(claim, labels, names, also, notes)}")
    return fence(kind, "", "\n".join(lines) or "none", nonce)


def _source_names(sources: Labels[DocumentCard] | None) -> dict[str, str]:
    return {card.source_id: name for name, card in sources.named()} if sources else {}


def _fact(
    claim: Claim,
    labels: Labels[Claim],
    sources: Mapping[str, str],
    also: Callable[[Claim], str] | None,
    weighs: Iterable[str],
) -> str:
    notes = [*_shown_by(claim, sources), *weighs, *_notes(claim, labels)]
    if also and (note := also(claim)):
        notes.append(note)
    text = one_line(claim.text)
    return f"{text} ({'; '.join(notes)})" if notes else text


def _shown_by(claim: Claim, sources: Mapping[str, str]) -> list[str]:
    own = dict.fromkeys(quote.source_id for quote in claim.quotes)
    named = [sources[name] for name in own if name in sources]
    return [", ".join(named)] if named else []


def _notes(claim: Claim, labels: Labels[Claim]) -> list[str]:
    text = one_line(claim.text)
    notes = _doubts(claim, labels)
    if claim.kind != "fact" and kind_of(text) == "fact":
        notes.append(claim.kind)
    if claim.dated and claim.dated not in text:
        notes.append(f"as of {one_line(claim.dated, 40)}")
    return notes


DECIDES = 3
"""The weight of a fact that decides something."""


def by_point(facts: Sequence[Claim], brief: Brief) -> list[tuple[str, list[Claim]]]:
    """The facts by the field, else the deliverable, that they speak of first; those of one passage side by side."""
    titles = {cell.id: f"{cell.id} {one_line(cell.subject)}: {one_line(cell.aspect)}" for cell in brief.scope.cells}
    titles |= {one.id: f"{one.id} {one_line(one.text, 80)}" for one in deliverables(brief)}
    groups: dict[str, list[Claim]] = {name: [] for name in (*titles, "")}
    for fact in facts:
        own = [name for name in fact.covers if name in titles]
        fields = [name for name in own if name.startswith("s")]
        groups[(fields or own or [""])[0]].append(fact)
    place = {name: at for at, name in enumerate(dict.fromkeys(fact.quotes[0].source_id for fact in facts))}
    for group in groups.values():
        group.sort(key=lambda fact: (place[fact.quotes[0].source_id], fact.quotes[0].start))
    return [(titles.get(name, "Other"), group) for name, group in groups.items() if group]


def grouped_facts_text(
    groups: Iterable[tuple[str, Sequence[Claim]]],
    labels: Labels[Claim],
    nonce: str,
    sources: Labels[DocumentCard],
    more: int = 0,
) -> str:
    """Each group under its title; a line holds id, weight, source and statement."""
    names, known = names_by_id(labels), _source_names(sources)
    lines: list[str] = []
    for title, group in groups:
        lines.append(f"# {title}")
        for claim in group:
            notes = "; ".join(_notes(claim, labels))
            said = f"{one_line(claim.text)}{f' ({notes})' if notes else ''}"
            line = " ".join((f"[{names[claim.claim_id]}]", str(claim.weight), *_shown_by(claim, known)))
            lines.append(f"{line} | {said}")
    if more:
        lines.append(f"and {more} lesser fact{'s' * (more > 1)}, left out for lack of room")
    return fence("facts", "", "\n".join(lines) or "none", nonce)


def _doubts(claim: Claim, labels: Labels[Claim]) -> list[str]:
    if claim.verdict == "partly":
        return [f"partly: the page says “{one_line(claim.quotes[0].text, 300)}”"]
    if claim.verdict != "disputed" and not claim.disputes:
        return []
    others = labels.name_of(lambda other: other.claim_id in claim.disputes)
    by = f" by {', '.join(others)}" if others else ""
    why = f": {one_line(claim.reason)}" if claim.reason and (not others or claim.reason != OTHERWISE) else ""
    return [f"disputed{by}{why}"]


def blocks_text(labels: Labels[Passage], facts: Labels[Claim], sources: Labels[DocumentCard], nonce: str) -> str:
    """Each block fenced, under its source and headings; where the words of a fact stand, its name stands instead."""
    names = _source_names(sources)
    shown: list[str] = []
    for name, block in labels.named():
        _, *inner = block.heading.split(SEPARATOR)
        under = SEPARATOR.join(filter(None, (names.get(block.source_id, ""), material.headings(SEPARATOR.join(inner)))))
        shown.append(fence("block", name, _without_quotes(block, facts), nonce, under=under))
    return "\n".join(shown)


def _without_quotes(block: Passage, facts: Labels[Claim]) -> str:
    """The text of a block; each quote in it gives way to the names of its facts."""
    spans: dict[tuple[int, int], list[str]] = {}
    for name, fact in facts.named():
        for quote in fact.quotes:
            if quote.source_id == block.source_id and quote.start < block.end and quote.end > block.start:
                spans.setdefault((max(quote.start, block.start), min(quote.end, block.end)), []).append(name)
    pieces, at = list[str](), block.start
    for (start, end), own in sorted(spans.items()):
        if start > at:
            pieces.append(block.text[at - block.start : start - block.start])
        name = f"[{', '.join(own)}]"
        # Two quotes of one fact side by side are named once.
        if "".join(pieces).rstrip()[-len(name) :] != name:
            pieces.append(name)
        at = max(at, end)
    return "".join((*pieces, block.text[at - block.start :]))


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


_NOTES = 10
"""Tokens of what stands behind a fact."""


def fact_rank(claim: Claim) -> tuple[int, bool, int, float]:
    """Sorts facts: decisive before useful, supported before doubtful, then by sources and score."""
    return -claim.weight, claim.verdict != "supported", -claim.backing, -claim.score

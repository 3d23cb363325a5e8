"""Gather: what a report in the making still needs, from the pages of the run or by one more round of searching."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import anyio
from typing_extensions import override

from deepresearch_mcp.budget_shares import GAP_SEARCHES
from deepresearch_mcp.events import Claimed
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.more_evidence import MoreEvidence
from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.queries import is_query, query_key
from deepresearch_mcp.pipeline.research.choosing import AlreadyRead, chosen_passages
from deepresearch_mcp.pipeline.research.context import ResearchContext
from deepresearch_mcp.pipeline.research.coverage import queries_for_points, texts_of_points, uncovered
from deepresearch_mcp.pipeline.research.first_decisions import FirstDecisions
from deepresearch_mcp.pipeline.research.gap_matching import fills, is_about
from deepresearch_mcp.pipeline.research.reader import Material, is_acceptable, locate_claim, read
from deepresearch_mcp.pipeline.research.rounds import Rounds
from deepresearch_mcp.pipeline.research.verifier import verify
from deepresearch_mcp.pipeline.telling import tell_verdicts
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import KEPT, Claim, ClaimDraft, FollowUp
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import Gap, ThinSpot
from deepresearch_mcp.records.sources import Document, Passage, Stretch
from deepresearch_mcp.text.addresses import without_addresses
from deepresearch_mcp.text.keywords import keywords

_CEILING = "max_tokens"
"""What keeps a spot from being read for, where the tokens that are left are needed for writing."""
_AGAIN = 2
"""Best passages for a spot that are read for it although a reader saw them, who found nothing of its point there."""
_STRONG = 0.5
"""The share of the rarity of a spot's words that such a passage holds."""
_ASKED = 5
"""Queries that are asked at once for what a draft lacks: more than are set aside for it, where the ceilings allow."""
_QUERY = 8
"""Words of what is missing that are searched for."""


class Gatherer(MoreEvidence):
    """Brings more claims into the findings of one run, through the same reader and the same gates."""

    def __init__(self, context: ResearchContext, rounds: Rounds, findings: Findings) -> None:
        self._began_with = context
        self._rounds = rounds
        self._findings = findings
        self._looked: set[str] = set()
        """Steps of the spots that were looked for: two may be worded alike."""
        self._found: set[str] = set()
        """What claims were found for: a later look at new pages alone makes no gap of it."""
        self._kept_from = ""
        """The ceiling that the last search was not made for; empty if it was."""
        self._decisions = FirstDecisions(context.journal, context.brief.request.shape)
        self._judging = anyio.Lock()
        self._searching = anyio.Lock()
        self._judged: dict[str, Claim | None] = {}
        """Claims that writers proposed, as they stand; None for those that failed a gate."""

    @property
    def _context(self) -> ResearchContext:
        # The brief is complete once the plan is made.
        return replace(self._began_with, brief=self._findings.brief)

    @override
    async def from_pages(self, spots: Sequence[ThinSpot], needs: tuple[str, ...] = ()) -> Sequence[Claim]:
        found: list[Claim] = []
        wanted = list({one.missing: one for one in sorted(spots, key=lambda one: not one.decisive)}.values())

        async def one(spot: ThinSpot, tokens: int) -> None:
            found.extend(await self._from_pages(spot, tokens, needs))

        room = self._context.room.of_spots(len(wanted))
        room = await self._decisions.of([one.missing for one in wanted], list[int], now=room)
        async with anyio.create_task_group() as group:
            for spot, tokens in zip(wanted, room, strict=True):
                group.start_soon(one, spot, tokens)
        found += await self._searched_for(wanted, needs)
        return list({claim.claim_id: claim for claim in found}.values())

    async def _searched_for(self, spots: Sequence[ThinSpot], needs: tuple[str, ...]) -> Sequence[Claim]:
        """What a query of its own finds for each of the spots that the stored pages left, the decisive ones first."""
        left = {gap.missing for gap in self._findings.gaps if not gap.queries}
        queries = [
            FollowUp(sub_question="", query=one.query, point=one.point)
            for one in spots
            if one.missing in left and one.query
        ]
        if not queries:
            return []
        claims = await self.from_search(queries, (*needs, *self._findings.steps))
        self._not_searched({one.query for one in queries})
        return claims

    def _not_searched(self, queries: set[str]) -> None:
        """Say of the gaps whose queries were not asked that a ceiling kept them from it; the review may have room."""
        gaps, ceiling = self._findings.gaps, self._kept_from or _CEILING
        gaps[:] = [
            one.model_copy(update={"ceiling": ceiling}) if one.query in queries and not one.queries else one
            for one in gaps
        ]

    async def fill(self, needs: tuple[str, ...], most: int = GAP_SEARCHES) -> None:
        """Look once more for what the last assessment left open, before anything is written; `needs`: its step."""
        findings = self._findings
        assessment = findings.assessment
        if assessment is None:
            return
        left = {one.point for one in uncovered(assessment)}
        own = {one.point: one.query for one in reversed(assessment.follow_ups)}
        spots = [
            ThinSpot(
                missing=one.missing,
                query=own.get(one.point) or " ".join(keywords(without_addresses(one.missing), _QUERY)),
                point=one.point,
                decisive=one.status == "open",
            )
            for one in assessment.open or ()
            if one.missing and (one.point in left or not findings.brief.scope.deliverables)
        ]
        told = {one.point for one in assessment.open or ()}
        texts = texts_of_points(findings.brief.scope)
        spots += [
            ThinSpot(missing=texts[name], query=query[-1], point=name, decisive=True)
            for name, query in queries_for_points(
                findings.brief.scope,
                [one for one in uncovered(assessment) if one.status == "open"],
                findings.brief.language,
                findings.brief.question,
            ).items()
            if name not in told and name in texts
        ]
        await self.from_pages(sorted(spots, key=lambda one: not one.decisive)[:most], needs)

    @override
    async def from_search(self, queries: Sequence[FollowUp], needs: tuple[str, ...] = ()) -> Sequence[Claim]:
        findings, context = self._findings, self._context
        before = {claim.claim_id for claim in findings.claims}
        subs = findings.sub_questions
        known = {one.id for one in subs}
        asked = [
            one if one.sub_question in known else one.model_copy(update={"sub_question": self._home(one.query)})
            for one in queries
            if is_query(one.query) and query_key(one.query) not in context.engines.queries
        ]
        wanted, room = [one.query for one in asked], context.room.searches_while_writing
        if asked and await self._decisions.of(wanted, bool, now=room):
            async with self._searching:
                self._kept_from = await self._rounds.once_more(asked[:_ASKED], context, needs)
            context.note(findings)
        found = [claim for claim in findings.claims if claim.claim_id not in before]
        findings.gaps[:] = [gap for gap in findings.gaps if not any(fills(claim, gap) for claim in found)]
        # Asked, perhaps in an earlier round, or left out for a ceiling.
        self._note_queries([one.query for one in queries if query_key(one.query) in context.engines.queries])
        return found

    @override
    async def proposed(self, drafts: Mapping[str, ClaimDraft]) -> Mapping[str, Claim]:
        documents = dict(self._findings.documents)
        part = self._findings.whole
        located: dict[str, Claim] = {}
        asked = (self._context.brief.question,)
        for name, draft in drafts.items():
            source, _, start = draft.passage_id.partition(":")
            document = documents.get(source)
            if document is None:
                continue
            at = int(start) if start.isdigit() else 0
            passage = Passage(
                passage_id=draft.passage_id,
                source_id=source,
                start=min(at, len(document.text)),
                end=len(document.text),
                text=document.text[min(at, len(document.text)) :],
                heading=document.title,
            )
            claim = locate_claim(draft, passage, document, part, asked)
            if claim and is_acceptable(claim, document, asked):
                located[name] = claim.model_copy(update={"sub_question": self._home(claim.text)})
        # Several drafts may propose the same; it is judged once.
        async with self._judging:
            new = {one.claim_id: one for one in located.values() if one.claim_id not in self._judged}
            if new:
                step = Step(steps.gather("\0".join(sorted(drafts)), new).key)
                kept = {one.claim_id: one for one in await self._verified(list(new.values()), documents, step)}
                self._judged |= {name: kept.get(name) for name in new}
        return {name: own for name, claim in located.items() if (own := self._judged[claim.claim_id])}

    async def _from_pages(self, spot: ThinSpot, tokens: int, needs: tuple[str, ...]) -> list[Claim]:
        context, findings = self._context, self._findings
        documents = {name: one for name, one in findings.documents.items() if "paywalled" not in one.flags}
        asks = [one for one in (spot.missing, spot.query) if one.strip()]
        text, home = spot.missing[:1000] or spot.query, self._home(" ".join(asks))
        step = steps.gather(spot.missing, sorted(documents), (*needs, *findings.steps))
        if step.key in self._looked:
            return []
        self._looked.add(step.key)

        async def choose() -> list[Passage]:
            before, elsewhere = self._not_again(home, text, spot.point), frozenset(context.shown.stretches)
            known = AlreadyRead(before, elsewhere, _AGAIN, _STRONG, once=True, index=context.index)
            with context.elsewhere():
                return await chosen_passages(asks, list(documents.values()), tokens, known) if tokens else []

        async with context.choosing:
            passages = await context.journal.step(step, choose, kind="decision", result=list[Passage])
            shown = {Stretch(one.source_id, one.start, one.end) for one in passages}
            context.shown_for.setdefault((home, text), set()).update(shown)
            context.shown.add(shown)
        context.room.take(spot.missing, sum(len(one.text) for one in passages) // 4)
        # The claims belong to a sub-question of the plan; they are read for what is missing.
        part = SubQuestion(id=home, text=text, queries=(spot.query,) if spot.query else ())
        kept: list[Claim] = []
        ceiling = "" if passages or tokens else _CEILING
        if passages:
            try:
                kept = await self._read(part, passages, documents, step)
            except KeyRefused:
                raise
            except BudgetExceeded as error:
                ceiling = error.kind
            except ProviderError:
                pass
        if kept:
            self._found.add(spot.missing)
        elif spot.missing not in self._found:
            pages = 0 if ceiling else len(documents)
            self._note(
                Gap(
                    missing=spot.missing,
                    query=spot.query,
                    point=spot.point,
                    pages=pages,
                    ceiling=ceiling,
                    decisive=spot.decisive,
                )
            )
        return kept

    def _not_again(self, home: str, text: str, point: str) -> frozenset[Stretch]:
        """What is not shown for a spot: what was shown for it or twice, and what gave a claim of its point."""
        context = self._context
        spoken = (
            Stretch(quote.source_id, quote.start, quote.end)
            for claim in self._findings.claims
            if point and point in claim.covers
            for quote in claim.quotes
        )
        return frozenset((*context.shown_for.get((home, text), ()), *context.shown.twice, *spoken))

    async def _read(
        self, part: SubQuestion, passages: Sequence[Passage], documents: dict[str, Document], step: Step
    ) -> list[Claim]:
        context = self._context
        material = Material(part, passages, documents, needs=(step.key,))
        reading = await read(context.brief, material, context.thinker)
        context.emit(Claimed(part.id, len(reading.claims), reading.unlocated))
        known = {claim.claim_id for claim in self._findings.claims}
        fresh = [claim for claim in reading.claims if claim.claim_id not in known]
        return await self._verified(fresh, documents, steps.verify(reading.key))

    async def _verified(self, claims: Sequence[Claim], documents: dict[str, Document], step: Step) -> list[Claim]:
        """The claims that both gates let pass; they are in the findings then."""
        context = self._context
        if not claims:
            return []
        judged = await verify(context.brief, claims, documents, context.thinker, step)
        kept = [context.grader.marked(claim, documents) for claim in judged if claim.verdict in KEPT]
        for claim in kept:
            self._findings.of(claim.sub_question).take([claim])
        for claim in (one for one in judged if one.verdict not in KEPT):
            self._findings.of(claim.sub_question).refused.append(claim)
        if judged:
            self._findings.of(name := judged[0].sub_question).steps.append(step.key)
            tell_verdicts(name, judged, len(kept), context.emit)
        return kept

    def _note(self, gap: Gap) -> None:
        gaps = self._findings.gaps
        known = next((at for at, one in enumerate(gaps) if one.missing == gap.missing), -1)
        if known < 0:
            gaps.append(gap)
        elif not gap.ceiling:
            gaps[known] = gaps[known].model_copy(update={"pages": gap.pages, "ceiling": ""})

    def _note_queries(self, queries: Sequence[str]) -> None:
        """Write down beside each gap the queries that were asked for it."""
        gaps = self._findings.gaps
        for at, gap in enumerate(gaps):
            own = tuple(query for query in queries if is_about(gap, query))
            said = {"queries": tuple(dict.fromkeys((*gap.queries, *own))), "ceiling": "" if own else gap.ceiling}
            gaps[at] = gap.model_copy(update=said)

    def _home(self, text: str) -> str:
        return nearest_sub_question(text, self._findings.sub_questions)

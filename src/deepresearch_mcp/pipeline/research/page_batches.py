"""Batches of pages: choose the passages of each page, have claims read from them, and verify the claims."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import anyio

from deepresearch_mcp.events import Claimed, degraded
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION
from deepresearch_mcp.pipeline.research.choosing import AlreadyRead, chosen_passages
from deepresearch_mcp.pipeline.research.context import ResearchContext, SubQuestionTask
from deepresearch_mcp.pipeline.research.judge_queue import Asking, Expected
from deepresearch_mcp.pipeline.research.nearest_hypotheses import nearest_hypotheses
from deepresearch_mcp.pipeline.research.reader import BatchReading, Material, batches, read
from deepresearch_mcp.pipeline.research.verifier import verified
from deepresearch_mcp.pipeline.sub_question_state import PLANNED, SubQuestionState, Wanted, Words
from deepresearch_mcp.pipeline.telling import tell_verdicts
from deepresearch_mcp.records.evidence import KEPT, Claim, Judgement
from deepresearch_mcp.records.plan import Hypothesis, SubQuestion
from deepresearch_mcp.records.sources import Document, Passage, Stretch
from deepresearch_mcp.thinkers.base import EXTRACTIVE, Thinker
from deepresearch_mcp.thinkers.tasks import JudgeClaims, ReadPassages

Follow = Callable[[BatchReading, Mapping[str, Document]], Awaitable[None]]
"""Follows the leads of a reading."""
_AGAIN_BY_RULE = 2
"""Best units for each ask that rules read even if they read them for another sub-question."""
_A_TOKEN = 4
"""Characters of a token, about."""


@dataclass(frozen=True, slots=True)
class ChosenPassage:
    """A passage that was chosen, without its text: what the journal keeps of a choice."""

    url: str
    """The page, without secrets: in a resumed run it is taken from the journal."""
    passage: Passage


class PageBatches:
    """Reads batches of pages for one sub-question in one round."""

    def __init__(self, task: SubQuestionTask, context: ResearchContext, state: SubQuestionState) -> None:
        self._task = task
        self._context = context
        self._state = state

    async def read(
        self,
        number: int,
        wanted: Sequence[Wanted],
        follow: Follow,
        coming: Sequence[Words] = (),
        chosen_all: Callable[[], None] = lambda: None,
    ) -> None:
        """Read once the pages of the `number`th batch of the round are in: the best passages of all pages of the run.

        Claims go into the state of the sub-question as soon as they are verified. `follow` gets each reading.
        `coming`: the words of each page that is still loading; a part of the room is kept for them.
        `chosen_all` is called once all passages are chosen, and are read or wait.
        """
        shares = self._shares(wanted, coming)
        async with anyio.create_task_group() as group:
            for several in _together(shares):
                needs = tuple(
                    dict.fromkeys(one.page.key for one in wanted if one.words in several and one.page.document)
                )
                part, own = led(self._task.sub_question, several), self._hypotheses(several)
                chosen = await self._chosen(number, part, {one: shares[one] for one in several}, own, needs)
                pages = self._context.pages.read
                documents = {name: page.document for name, page in pages.items() if page.document}
                for batch in batches(chosen, self._context.settings.batch_chars):
                    of_batch = {one.source_id: documents[one.source_id] for one in batch}
                    hypotheses = nearest_hypotheses(own, self._context.hypotheses, batch)
                    needs_of_batch = tuple(pages[name].key for name in of_batch)
                    material = Material(part, batch, of_batch, hypotheses, needs_of_batch, own=own)
                    if not await self._waits(material, number, several):
                        group.start_soon(self._read_one, material, follow)
            chosen_all()

    async def _waits(self, material: Material, number: int, several: Sequence[Words]) -> bool:
        """Keep few passages for others of the round. The first of round 1 may lead on; rules read alone."""
        remnants, first = self._context.remnants, self._task.round == 1 and number == 1 and PLANNED in several
        alone = first or material.sub_question.id == WHOLE_QUESTION or self._context.thinker.name == EXTRACTIVE
        return remnants is not None and not alone and await remnants.takes(material, self._state)

    async def read_joined(self, joined: Material) -> None:
        """Read what waited, perhaps for several sub-questions; leads are kept for the next round."""

        async def keep(finding: BatchReading, _documents: Mapping[str, Document]) -> None:
            self._state.leads += [lead.query for lead in finding.leads if lead.query]

        await self._read_one(joined, keep)

    def _shares(self, wanted: Sequence[Wanted], coming: Sequence[Words]) -> dict[Words, float]:
        """The words that the pages are read with, and how much of the room for them is to be used.

        The room is for all pages that these words lead to: each batch gets what its new pages are of them.
        """
        state, found = self._state, dict[Words, float]()
        by_words: dict[Words, set[str]] = {}
        for one in wanted:
            # A page behind a paywall supports nothing: see `machine_gate.by_machine`.
            if (document := one.page.document) and "paywalled" not in document.flags:
                by_words.setdefault(one.words, set()).add(document.source_id)
        for words, sources in by_words.items():
            new = sources - state.sources
            first, known = words not in state.asked_with, len(sources | state.sources)
            still = sum(one == words for one in coming)
            found[words] = len(sources) / (len(sources) + still) if first else len(new) / (known + still)
        state.asked_with.update(by_words)
        state.sources.update(*by_words.values())
        # Leads first: what one leads to is read with its words, which the sub-question's own may not be near to.
        return {words: found[words] for words in sorted(found, key=lambda one: not one.lead) if found[words]}

    def _hypotheses(self, several: Sequence[Words]) -> tuple[Hypothesis, ...]:
        """Those that the words are about: in the first round the sub-question's, later those whose queries they are."""
        queries = {words.query for words in several}
        known = dict.fromkeys((*self._task.hypotheses, *self._context.hypotheses))
        return self._task.hypotheses if "" in queries else tuple(one for one in known if one.query in queries)

    async def _chosen(
        self,
        number: int,
        part: SubQuestion,
        shares: Mapping[Words, float],
        hypotheses: Sequence[Hypothesis],
        needs: tuple[str, ...],
    ) -> list[Passage]:
        """The passages that are read. Recorded: other sub-questions choose at the same time, and pages come late."""
        context, state = self._context, self._state
        lead = any(words.lead for words in shares)
        queries = (*part.queries, *(self._task.queries if PLANNED in shares else ()))
        directed = (text for one in hypotheses for text in (one.statement, one.query))
        asks = tuple(dict.fromkeys(filter(None, (part.text, *queries, *directed))))
        part_id = self._task.sub_question.id
        granted: dict[Words, int] = {}

        async def choose() -> list[ChosenPassage]:
            pages = {
                name: page
                for name, page in context.pages.read.items()
                if page.document
                and "paywalled" not in page.document.flags
                # A page of another sub-question whose address has a secret could not be asked for again.
                and (name in state.sources or not page.is_cut)
            }
            standing = context.frontier.standing()
            known = AlreadyRead(
                before=self._before(part, lead=lead),
                elsewhere=frozenset(context.shown.stretches),
                again=_AGAIN_BY_RULE if context.thinker.name == EXTRACTIVE else 0,
                standing={name: standing.get(page.address, 0.0) for name, page in pages.items()},
                once=context.thinker.name != EXTRACTIVE,
                index=context.index,
            )
            documents = [page.document for page in pages.values() if page.document]
            for words, share in shares.items():
                granted[words] = context.room.tokens(part_id, len(asks) - 1, share, words.query)
            tokens = sum(granted.values())
            found = await chosen_passages(asks, documents, tokens, known) if tokens else []
            return [ChosenPassage(pages[one.source_id].url, one.model_copy(update={"text": ""})) for one in found]

        step = steps.chosen(part.id, self._task.round, number, "\n".join(one.query for one in shares), needs)
        async with context.choosing:
            with context.elsewhere():
                chosen = await context.journal.step(step, choose, kind="decision", result=list[ChosenPassage])
            shown = [Stretch(one.passage.source_id, one.passage.start, one.passage.end) for one in chosen]
            state.shown.update(shown)
            # What was read before there was a plan was read for no point of it.
            context.shown.add(shown)
            context.shown_for.setdefault((part.id, part.text), set()).update(shown)
            whole = sum(one.end - one.start for one in shown) // _A_TOKEN
            for words in shares:
                part_of = granted[words] / sum(granted.values()) if any(granted.values()) else 1 / len(shares)
                context.room.take(part_id, round(whole * part_of), words.query)
        return [passage for one in chosen if (passage := await self._with_text(one))]

    def _before(self, part: SubQuestion, *, lead: bool) -> frozenset[Stretch]:
        """What is not shown again: to a model, which reads for every open point, nothing that a reader was shown.

        Rules read for the words of one sub-question: a page that gave no claim may answer the words of a lead, once.
        """
        if self._context.thinker.name != EXTRACTIVE:
            return frozenset(self._context.shown.stretches)
        spoken = {quote.source_id for claim in self._state.claims for quote in claim.quotes} | self._state.speaking
        same = self._context.shown_for.get((part.id, part.text), ())
        return frozenset((*same, *(one for one in self._state.shown if not lead or one.source_id in spoken)))

    async def _with_text(self, chosen: ChosenPassage) -> Passage | None:
        """The passage with its words; None if its page is gone, which can only be in a resumed run."""
        pages, passage = self._context.pages, chosen.passage
        if passage.source_id not in pages.read:
            await pages.want(chosen.url, self._task.sub_question.id, ()).done.wait()
        page = pages.read.get(passage.source_id)
        text = page.document.text[passage.start : passage.end] if page and page.document else ""
        return passage.model_copy(update={"text": text}) if text else None

    async def _read_one(self, material: Material, follow: Follow) -> None:
        with self._context.judging.expected() as reading:
            await self._read_and_verify(material, follow, reading)

    async def _read_and_verify(self, material: Material, follow: Follow, reading: Expected) -> None:
        context, part, documents = self._context, material.sub_question, material.documents
        brief = context.brief
        if context.planned and part.id == WHOLE_QUESTION:
            brief = await context.planned()
        try:
            finding = await read(brief, material, context.thinker)
        except KeyRefused:
            raise
        except BudgetExceeded as error:
            # Raised here, it would cancel the batches that are being paid for.
            self._state.spent = error.kind
            if self._task.round == 1 and not self._state.claims:
                await self._read_by_rule(material, error.kind, reading)
            return
        except ProviderError as error:
            pages = dict.fromkeys(document.title or document.url for document in documents.values())
            many = "1 passage" if len(material.passages) == 1 else f"{len(material.passages)} passages"
            what = f"{many} of {' and '.join(f'“{page}”' for page in pages)}"
            context.emit(degraded(error.provider, ReadPassages.doing, error.reason, "they were skipped", what))
            return
        context.emit(Claimed(part.id, len(finding.claims), finding.unlocated))
        await follow(finding, documents)
        await self._verify(part, finding, documents, context.thinker, reading)

    async def _read_by_rule(self, material: Material, ceiling: str, reading: Expected) -> None:
        """Read and judge by rule what a ceiling keeps the thinker from reading; leads are kept for later."""
        context, by_rule = self._context, self._context.by_rule
        if by_rule is None:
            return
        finding = await read(context.brief, material, by_rule)
        then = f"the {by_rule.name} engine did it instead, for nothing"
        context.emit(degraded(context.thinker.name, ReadPassages.doing, f"{ceiling} was met", then, by_rule="read"))
        context.emit(Claimed(material.sub_question.id, len(finding.claims), finding.unlocated))
        self._state.leads += [lead.query for lead in finding.leads if lead.query]
        await self._verify(material.sub_question, finding, material.documents, by_rule, reading)

    async def _verify(
        self,
        part: SubQuestion,
        finding: BatchReading,
        documents: Mapping[str, Document],
        thinker: Thinker,
        reading: Expected,
    ) -> None:
        if not finding.claims:
            return
        context = self._context
        step = steps.verify(finding.key)
        keys = [step.key]

        async def judge(claims: Sequence[Claim]) -> Sequence[Judgement]:
            if thinker is not context.thinker:
                return await thinker.ask(JudgeClaims(context.brief, claims), step)
            asking = Asking(context.brief, thinker, context.journal, context.clock)
            judged = await context.judging.judge(claims, asking, step, reading)
            keys[:] = judged.steps
            return judged.judgements

        speaking = {quote.source_id for claim in finding.claims for quote in claim.quotes}
        self._state.speaking |= speaking
        claims = await verified(finding.claims, documents, judge)
        self._state.speaking -= speaking
        kept = [context.grader.marked(claim, documents) for claim in claims if claim.verdict in KEPT]
        states = context.remnants.states if context.remnants else {}
        for name in dict.fromkeys((part.id, *(claim.sub_question for claim in claims))):
            state = self._state if name == part.id else states.get(name, self._state)
            state.take([claim for claim in kept if claim.sub_question == name])
            state.refused += [claim for claim in claims if claim.sub_question == name and claim.verdict not in KEPT]
            state.steps += keys
        tell_verdicts(part.id, claims, len(kept), context.emit)


def _together(shares: Mapping[Words, float]) -> list[tuple[Words, ...]]:
    """The words that are read with in one choice: each lead alone, all others together."""
    others = tuple(words for words in shares if not words.lead)
    return [*((words,) for words in shares if words.lead), *([others] if others else [])]


def led(sub_question: SubQuestion, several: Sequence[Words]) -> SubQuestion:
    """The sub-question with the words of the lead, or of the queries of a later round, that led to the pages."""
    queries = tuple(words.query for words in several if words.query)
    if any(words.lead for words in several):
        return sub_question.model_copy(update={"text": queries[0], "queries": (), "within": sub_question.text})
    return sub_question.model_copy(update={"queries": queries}) if queries else sub_question

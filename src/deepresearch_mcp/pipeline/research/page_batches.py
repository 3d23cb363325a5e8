"""Batches of pages: choose the passages of each page, have claims read from them, and verify the claims."""

from collections.abc import Awaitable, Callable, Collection, Sequence

import anyio

from deepresearch_mcp.events import Claimed, Verified, degraded
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.research.choosing import AlreadyRead, chosen_passages
from deepresearch_mcp.pipeline.research.context import ResearchContext, SubQuestionTask
from deepresearch_mcp.pipeline.research.reader import BatchReading, batches, read
from deepresearch_mcp.pipeline.research.verifier import verify
from deepresearch_mcp.pipeline.sub_question_state import SubQuestionState, Wanted, Words
from deepresearch_mcp.records.evidence import KEPT
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.sources import Document, Passage
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import ReadPassages

Follow = Callable[[BatchReading, dict[str, Document]], Awaitable[None]]
"""Follows the leads of a reading."""


class PageBatches:
    """Reads batches of pages for one sub-question in one round."""

    def __init__(self, task: SubQuestionTask, context: ResearchContext, state: SubQuestionState) -> None:
        self._task = task
        self._context = context
        self._state = state

    async def read(self, number: int, wanted: Sequence[Wanted], earlier: Sequence[Wanted], follow: Follow) -> None:
        """Read the `number`th batch of the round; pages of `earlier` batches compete with the new ones for the room.

        Claims go into the state of the sub-question as soon as they are verified. `follow` gets each reading.
        """
        sizes = self._context.settings
        words = await self._chosen_words(number, wanted)
        documents = {d.source_id: d for one in wanted if (d := one.page.document) and d.source_id in words}
        keys = {d.source_id: one.page.key for one in wanted if (d := one.page.document)}
        # A page behind a paywall supports nothing: see `machine_gate.by_machine`.
        open_ = {name: document for name, document in documents.items() if "paywalled" not in document.flags}
        shown = await self._shown(number, open_)
        async with anyio.create_task_group() as group:
            for asked in dict.fromkeys(words.values()):
                part = led(self._task.sub_question, asked)
                own = [document for name, document in open_.items() if words[name] == asked]
                beside = [d for one in earlier if one.words == asked and (d := one.page.document) and d not in own]
                on = bool(asked.query) and not asked.lead
                known = AlreadyRead(self._state.passages if on else (), shown, beside)
                passages = await self._passages(part, own, known)
                for batch in batches(passages, sizes.batch_chars):
                    needs = tuple(dict.fromkeys(keys[passage.source_id] for passage in batch))
                    group.start_soon(self._read_one, part, batch, documents, needs, follow)

    async def _shown(self, number: int, documents: Collection[str]) -> frozenset[str]:
        """Passages of these pages that any worker has read. Recorded, since other workers choose at the same time."""

        async def look() -> list[str]:
            return sorted(name for name in self._context.shown if name.partition(":")[0] in documents)

        step = steps.shown(self._task.sub_question.id, self._task.round, number)
        return frozenset(await self._context.journal.step(step, look, kind="decision", result=list[str]))

    async def _passages(self, part: SubQuestion, documents: Sequence[Document], known: AlreadyRead) -> list[Passage]:
        """The passages of the pages that are read."""
        sizes = self._context.settings
        with self._context.elsewhere():
            chosen = await chosen_passages(part, documents, sizes.passage_chars, sizes.passages_per_page, known)
        names = [passage.passage_id for passage in chosen]
        self._state.passages.update(names)
        self._context.shown.update(names)
        return chosen

    async def _chosen_words(self, number: int, wanted: Sequence[Wanted]) -> dict[str, Words]:
        """Source → the words to read it with. Recorded if it depends on the claims so far."""
        found = self._unread(wanted)
        if not any(one.words.query for one in wanted):
            return found

        async def choose() -> dict[str, Words]:
            return found

        step = steps.unread(self._task.sub_question.id, self._task.round, number)
        chosen = await self._context.journal.step(step, choose, kind="decision", result=dict[str, Words])
        self._state.sources.update(chosen)
        return chosen

    def _unread(self, wanted: Sequence[Wanted]) -> dict[str, Words]:
        """Source → the words to read it with, for pages that are to be read.

        Those are pages that were not read yet; for a lead also pages that gave no claim; for a query of a later round
        all that it found.
        """
        spoken = {quote.source_id for claim in self._state.claims for quote in claim.quotes}
        found: dict[str, Words] = {}
        for one in wanted:
            if not (document := one.page.document):
                continue
            name = document.source_id
            again = one.words.query and (not one.words.lead or name not in spoken)
            if name not in self._state.sources or again:
                found.setdefault(name, one.words)
        self._state.sources.update(found)
        return found

    async def _read_one(
        self,
        part: SubQuestion,
        batch: Sequence[Passage],
        documents: dict[str, Document],
        needs: tuple[str, ...],
        follow: Follow,
    ) -> None:
        context, limit = self._context, self._context.settings.claims_per_batch
        try:
            finding = await read(context.brief, part, batch, documents, context.thinker, limit, needs)
        except KeyRefused:
            raise
        except BudgetExceeded as error:
            # Raised here, it would cancel the batches that are being paid for.
            self._state.spent = error.kind
            await self._read_by_rule(part, batch, documents, needs, error.kind)
            return
        except ProviderError as error:
            pages = dict.fromkeys(documents[one.source_id].title or documents[one.source_id].url for one in batch)
            many = "1 passage" if len(batch) == 1 else f"{len(batch)} passages"
            what = f"{many} of {' and '.join(f'“{page}”' for page in pages)}"
            context.emit(degraded(error.provider, ReadPassages.doing, error.reason, "they were skipped", what))
            return
        context.emit(Claimed(part.id, len(finding.claims), finding.unlocated))
        await follow(finding, documents)
        await self._verify(part, finding, documents, context.thinker)

    async def _read_by_rule(
        self,
        part: SubQuestion,
        batch: Sequence[Passage],
        documents: dict[str, Document],
        needs: tuple[str, ...],
        ceiling: str,
    ) -> None:
        """Read and judge by rule what a ceiling keeps the thinker from reading; leads are kept for later."""
        context, by_rule = self._context, self._context.by_rule
        if by_rule is None:
            return
        finding = await read(context.brief, part, batch, documents, by_rule, context.settings.claims_per_batch, needs)
        then = f"the {by_rule.name} engine did it instead, for nothing"
        context.emit(degraded(context.thinker.name, ReadPassages.doing, f"{ceiling} was met", then, by_rule="read"))
        context.emit(Claimed(part.id, len(finding.claims), finding.unlocated))
        self._state.leads += [lead.query for lead in finding.leads if lead.query]
        await self._verify(part, finding, documents, by_rule)

    async def _verify(
        self, part: SubQuestion, finding: BatchReading, documents: dict[str, Document], thinker: Thinker
    ) -> None:
        if not finding.claims:
            return
        context = self._context
        step = steps.verify(finding.key)
        claims = await verify(context.brief, finding.claims, documents, thinker, step)
        kept = [context.grader.marked(claim, documents) for claim in claims if claim.verdict in KEPT]
        self._state.take(kept)
        self._state.refused += [claim for claim in claims if claim.verdict not in KEPT]
        self._state.steps.append(step.key)
        context.emit(Verified(part.id, len(kept), len(claims) - len(kept)))
        if kept:
            step = steps.compare(step.key)
            found = await context.comparing.compare(context.brief, kept, thinker, context.journal, step)
            self._state.comparisons += found.comparisons
            self._state.opponents |= {claim.claim_id: claim for claim in found.opponents}
            self._state.steps += found.steps


def led(sub_question: SubQuestion, words: Words) -> SubQuestion:
    """The sub-question with the words of the lead, or of the query of a later round, that led to the pages."""
    if words.lead:
        return sub_question.model_copy(update={"text": words.query, "queries": (), "within": sub_question.text})
    return sub_question.model_copy(update={"queries": (words.query,)}) if words.query else sub_question

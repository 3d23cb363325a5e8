"""Batches of pages: choose the passages of each page, have claims read from them, and verify the claims."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

import anyio

from deepresearch_mcp.budget import SET_ASIDE
from deepresearch_mcp.events import Claimed, Verified, degraded
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.research.choosing import AlreadyRead, chosen_passages
from deepresearch_mcp.pipeline.research.context import ResearchContext, SubQuestionTask
from deepresearch_mcp.pipeline.research.judge_queue import Asking, Expected
from deepresearch_mcp.pipeline.research.reader import BatchReading, Material, batches, read
from deepresearch_mcp.pipeline.research.verifier import verified
from deepresearch_mcp.pipeline.sub_question_state import SubQuestionState, Wanted, Words
from deepresearch_mcp.records.evidence import KEPT, Claim, Judgement
from deepresearch_mcp.records.plan import Hypothesis, SubQuestion
from deepresearch_mcp.records.request import Shape
from deepresearch_mcp.records.sources import Document, Passage, Stretch
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import JudgeClaims, ReadPassages

Follow = Callable[[BatchReading, Mapping[str, Document]], Awaitable[None]]
"""Follows the leads of a reading."""
_FIRST_ROUND = 0.32
"""Share of the tokens of research that the passages of the first round may take. The rest is for prompts, claims,
judgements and later rounds."""
_ASKS = 7.5
"""Queries, and hypotheses with theirs, of one sub-question of a usual plan."""
_FEWEST = 150
"""Tokens for an ask under the smallest ceiling: a passage, which rules read if a model cannot be paid for it."""
_MOST = 2.0
"""The most tokens for an ask, as a multiple of what the settings say."""


def tokens_for_ask(settings: ResearchSettings, shape: Shape) -> int:
    """Tokens of passages for each query and hypothesis: as many as fit a round, at most twice what the settings say."""
    room = shape.max_tokens * (1 - SET_ASIDE) * _FIRST_ROUND / (_ASKS * shape.breadth)
    return round(min(_MOST * settings.passage_tokens, max(_FEWEST, room)))


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

    async def read(self, number: int, wanted: Sequence[Wanted], follow: Follow) -> None:
        """Read once the pages of the `number`th batch of the round are in: the best passages of all pages of the run.

        Claims go into the state of the sub-question as soon as they are verified. `follow` gets each reading.
        """
        async with anyio.create_task_group() as group:
            for words, share in self._shares(wanted).items():
                part, hypotheses = led(self._task.sub_question, words), self._hypotheses(words)
                needs = tuple(dict.fromkeys(one.page.key for one in wanted if one.words == words and one.page.document))
                chosen = await self._chosen(number, part, words, hypotheses, share, needs)
                pages = self._context.pages.read
                documents = {name: page.document for name, page in pages.items() if page.document}
                for batch in batches(chosen, self._context.settings.batch_chars):
                    own = {one.source_id: documents[one.source_id] for one in batch}
                    material = Material(part, batch, own, hypotheses, tuple(pages[name].key for name in own))
                    group.start_soon(self._read_one, material, follow)

    def _shares(self, wanted: Sequence[Wanted]) -> dict[Words, float]:
        """The words that the pages are read with, and how much of the room for them is to be used.

        All of it when the words are new; later, what the new pages are of all pages.
        """
        state, found = self._state, dict[Words, float]()
        by_words: dict[Words, set[str]] = {}
        for one in wanted:
            # A page behind a paywall supports nothing: see `machine_gate.by_machine`.
            if (document := one.page.document) and "paywalled" not in document.flags:
                by_words.setdefault(one.words, set()).add(document.source_id)
        for words, sources in by_words.items():
            new = sources - state.sources
            found[words] = len(new) / len(sources | state.sources) if words in state.asked_with else 1.0
        state.asked_with.update(by_words)
        state.sources.update(*by_words.values())
        # Leads first: what one leads to is read with its words, which the sub-question's own may not be near to.
        return {words: found[words] for words in sorted(found, key=lambda one: not one.lead) if found[words]}

    def _hypotheses(self, words: Words) -> tuple[Hypothesis, ...]:
        return tuple(one for one in self._task.hypotheses if not words.query or one.query == words.query)

    async def _chosen(
        self,
        number: int,
        part: SubQuestion,
        words: Words,
        hypotheses: Sequence[Hypothesis],
        share: float,
        needs: tuple[str, ...],
    ) -> list[Passage]:
        """The passages that are read. Recorded: other sub-questions choose at the same time, and pages come late."""
        context, state = self._context, self._state
        queries = (*part.queries, *(self._task.queries if not words.query else ()))
        directed = (text for one in hypotheses for text in (one.statement, one.query))
        asks = tuple(dict.fromkeys(filter(None, (part.text, *queries, *directed))))
        # A hypothesis is asked about in two wordings: both together get no more than the round has room for.
        tokens = tokens_for_ask(context.settings, context.brief.request.shape) * min(_ASKS, max(1, len(asks) - 1))

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
                before=self._before(words),
                elsewhere=frozenset(context.shown),
                standing={name: standing.get(page.address, 0.0) for name, page in pages.items()},
                index=context.index,
            )
            documents = [page.document for page in pages.values() if page.document]
            found = await chosen_passages(asks, documents, round(tokens * share), known)
            return [ChosenPassage(pages[one.source_id].url, one.model_copy(update={"text": ""})) for one in found]

        step = steps.chosen(part.id, self._task.round, number, words.query, needs)
        async with context.choosing:
            with context.elsewhere():
                chosen = await context.journal.step(step, choose, kind="decision", result=list[ChosenPassage])
            shown = [Stretch(one.passage.source_id, one.passage.start, one.passage.end) for one in chosen]
            state.shown.update(shown)
            context.shown.update(shown)
        return [passage for one in chosen if (passage := await self._with_text(one))]

    def _before(self, words: Words) -> frozenset[Stretch]:
        """What is not shown again. A page that has given no claim may answer the words of a lead."""
        spoken = {quote.source_id for claim in self._state.claims for quote in claim.quotes} | self._state.speaking
        return frozenset(one for one in self._state.shown if not words.lead or one.source_id in spoken)

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
        try:
            finding = await read(context.brief, material, context.thinker)
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
        self._state.take(kept)
        self._state.refused += [claim for claim in claims if claim.verdict not in KEPT]
        self._state.steps += keys
        context.emit(Verified(part.id, len(kept), len(claims) - len(kept)))


def led(sub_question: SubQuestion, words: Words) -> SubQuestion:
    """The sub-question with the words of the lead, or of the query of a later round, that led to the pages."""
    if words.lead:
        return sub_question.model_copy(update={"text": words.query, "queries": (), "within": sub_question.text})
    return sub_question.model_copy(update={"queries": (words.query,)}) if words.query else sub_question

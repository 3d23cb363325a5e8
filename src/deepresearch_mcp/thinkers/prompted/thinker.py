"""A thinker that asks language models: one question a method, each with a plainer form and a smaller one behind it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from typing_extensions import override

from deepresearch_mcp.events import Event, EventSink, degraded
from deepresearch_mcp.exceptions import AnswerCut, ContextOverflow, UnreadableAnswer
from deepresearch_mcp.llm.structured import Structured
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.ports.model import ModelCall, Role
from deepresearch_mcp.prompts.templates import load
from deepresearch_mcp.records.evidence import Assessment, Claim, Comparison, Judgement, Reading
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.report import Critique, Draft, Outline, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.base import DOING, Doubt, Pair, SubQuestionEvidence, Thinker
from deepresearch_mcp.thinkers.prompted import material, mending, research, writing
from deepresearch_mcp.thinkers.prompted.answers import Answer, schema_of
from deepresearch_mcp.thinkers.prompted.judgement_cache import JudgementCache
from deepresearch_mcp.thinkers.prompted.prompt_spec import PromptSpec, SheetFor

A = TypeVar("A", bound=Answer)
R = TypeVar("R")
T = TypeVar("T")

HALF = 0.5
LESS: Mapping[str, float] = {"less": HALF, "notes": 0.2}
"""Shares of the material that are asked about again, one after the other, where more does not fit the model's context:
half of it, then only what stands first, which is best. Behind them stands another thinker."""
_PARTS = 2
"""How often what must not lose a claim is halved, each half asked about by itself."""


def _silent(_: Event) -> None:
    """For a caller that does not want events."""


class Prompted(Thinker):
    """Thinks with a model for each role.

    A question is asked for JSON; where none comes back whole and usable, once more in plain lines (key + `/plain`);
    where it does not fit the model, again with half of its material (key + `/less`), then a fifth (`/notes`).
    Writing, judging and repairing leave nothing out: there the material is asked about in halves (`/first`, `/rest`),
    twice at most. What fails then passes on, for `Fallback` to answer: it takes the claims as they stand. That less had
    to do is told. Where there is nothing to ask about, no model is asked.
    """

    def __init__(
        self,
        models: Mapping[Role, Structured],
        name: str,
        nonce: str,
        emit: EventSink = _silent,
        known: JudgementCache | None = None,
        *,
        plainly: bool = True,
    ) -> None:
        """`known`: where judgements are looked up before a model is paid for one, and kept.

        Without `plainly` nothing is asked a second time in plain lines.
        """
        self._plainly = plainly
        self._models = models
        self._emit = emit
        self._known = known
        self._name = name
        self._nonce = nonce
        """In every closing tag around page text: chosen for this run, so that no page knows it."""

    @property
    @override
    def name(self) -> str:
        return self._name

    @property
    @override
    def paragraph_claims(self) -> int:
        return 0

    @override
    async def plan(self, brief: Brief, parts: int, queries: int, step: Step) -> Plan:
        return await self._ask(step, partial(research.plan, brief, parts, queries, self.name, self._nonce))

    @override
    async def read(
        self, brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, step: Step
    ) -> Reading:
        if not passages:
            return Reading()
        return await self._ask(step, partial(research.read, brief, sub_question, passages, limit, self._nonce))

    @override
    async def judge(self, brief: Brief, claims: Sequence[Claim], step: Step) -> Sequence[Judgement]:
        """A claim that got no readable verdict is not among the judgements."""
        if not claims:
            return ()

        async def ask(left: Sequence[Claim], step: Step) -> Sequence[Judgement]:
            found = await self._in_parts(step, left, lambda some: research.judge(brief, some, self._nonce, 1.0))
            return [judgement for part in found for judgement in part]

        return await self._known.judge(claims, step, ask) if self._known else await ask(claims, step)

    @override
    async def compare(self, brief: Brief, pairs: Sequence[Pair], step: Step) -> Sequence[Comparison]:
        if not pairs:
            return ()
        return await self._ask(step, partial(research.compare, brief, pairs, self._nonce))

    @override
    async def assess(self, brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int, step: Step) -> Assessment:
        """With no query left to ask, what could not be established is told instead."""
        if not queries:
            return await self._ask(step, partial(research.gaps, brief, parts, self._nonce))
        return await self._ask(step, partial(research.assess, brief, parts, queries, self._nonce))

    @override
    async def outline(self, brief: Brief, parts: Sequence[SubQuestionEvidence], step: Step) -> Outline:
        return await self._ask(step, partial(writing.outline, brief, parts, self._nonce))

    @override
    async def write(
        self, brief: Brief, section: SectionPlan, claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        if not claims:
            return ()
        found = await self._in_parts(step, claims, lambda some: writing.write(brief, section, some, self._nonce, 1.0))
        return [sentence for part in found for sentence in part]

    @override
    async def conclude(
        self, brief: Brief, sections: Sequence[WrittenSection], claims: Sequence[Claim], max_chars: int, step: Step
    ) -> Sequence[Sentence]:
        if not claims:
            return ()
        return await self._ask(step, partial(writing.conclude, brief, sections, claims, max_chars, self._nonce))

    @override
    async def critique(self, brief: Brief, draft: Draft, claims: Sequence[Claim], step: Step) -> Critique:
        return await self._ask(step, partial(mending.critique, brief, draft, claims, self._nonce))

    @override
    async def revise(
        self, brief: Brief, section: WrittenSection, critique: Critique, claims: Sequence[Claim], step: Step
    ) -> WrittenSection:
        return await self._ask(step, partial(mending.revise, brief, section, critique, claims, self._nonce))

    @override
    async def repair(
        self, brief: Brief, doubts: Sequence[Doubt], claims: Sequence[Claim], step: Step
    ) -> Sequence[Sentence]:
        if not doubts:
            return ()
        found = await self._in_parts(step, doubts, lambda some: mending.repair(brief, some, claims, self._nonce, 1.0))
        return [sentence for part in found for sentence in part]

    @override
    async def direct(self, brief: Brief, step: Step) -> str:
        try:
            return await self._said(brief, step, 1.0)
        except ContextOverflow:
            if not brief.background:
                raise
            return await self._said(brief, step.part("less"), HALF)

    async def _said(self, brief: Brief, step: Step, share: float) -> str:
        prompt = load("direct")
        asked = prompt.fill(
            today=brief.today.isoformat(),
            question=brief.question,
            length="at most 140 characters" if brief.request.mode == "answer" else "a few short paragraphs",
            language=material.language(brief),
            background=material.background(brief, self._nonce, share),
        )
        call = ModelCall(
            key=step.key, role="writer", system=prompt.system, prompt=asked, max_tokens=1_200, needs=step.depends_on
        )
        text = (await self._models["writer"].text(call)).strip()
        return "" if text.strip("*\"'. ").upper() == "UNKNOWN" else text

    async def _ask(self, step: Step, sheet_for: SheetFor[A, R]) -> R:
        whole = sheet_for(1.0)
        try:
            return await self._answered(step, whole)
        except ContextOverflow as error:
            overflow = error
        asked = whole
        for word, share in LESS.items():
            less = sheet_for(share)
            if less.values == asked.values:
                break  # There is nothing to leave out: the same words would overflow again.
            asked = less
            self._say(whole.prompt, "half of it was used" if word == "less" else "the best fifth of it was used")
            try:
                return await self._answered(step.part(word), less)
            except ContextOverflow as error:
                overflow = error
        raise overflow

    async def _in_parts(
        self, step: Step, items: Sequence[T], sheet_of: Callable[[Sequence[T]], PromptSpec[A, R]], halved: int = 0
    ) -> list[R]:
        sheet = sheet_of(items)
        try:
            return [await self._answered(step, sheet)]
        except ContextOverflow:
            if len(items) < 2 or halved == _PARTS:
                raise
        self._say(sheet.prompt, "it was asked in parts")
        half = -(-len(items) // 2)
        return [
            *await self._in_parts(step.part("first"), items[:half], sheet_of, halved + 1),
            *await self._in_parts(step.part("rest"), items[half:], sheet_of, halved + 1),
        ]

    def _say(self, prompt: str, what: str) -> None:
        self._emit(degraded(self.name, f"take all the material at once to {DOING[prompt]}", "", what))

    async def _answered(self, step: Step, sheet: PromptSpec[A, R]) -> R:
        model, prompt = self._models[sheet.role], load(sheet.prompt)
        call = ModelCall(
            key=step.key,
            role=sheet.role,
            system=prompt.system,
            prompt=prompt.fill(**sheet.values),
            max_tokens=sheet.max_tokens,
            schema=schema_of(sheet.shape, sheet.limits),
            schema_name=sheet.prompt,
            needs=step.depends_on,
        )
        try:
            result = sheet.result(await model.ask(call, sheet.shape))
        except (UnreadableAnswer, AnswerCut):
            if not self._plainly:
                raise
            result = None
        if result is not None:
            return result
        if not self._plainly:
            raise UnreadableAnswer(self.name, f"no usable answer to {sheet.prompt}")
        plainly = replace(call, key=step.part("plain").key, prompt=f"{call.prompt}\n\n{prompt.plain}", schema=None)
        answer = sheet.lines(await model.text(plainly))
        result = sheet.result(answer) if answer else None
        if result is None:
            raise UnreadableAnswer(
                self.name,
                f"no usable answer to {sheet.prompt}, neither in JSON nor in plain lines",
                action="Choose a stronger model for this role.",
            )
        return result

"""Compose: the report's stages in order, begun while the last round is still bringing claims in."""

from collections.abc import Mapping

import anyio

from deepresearch_mcp.events import Tell
from deepresearch_mcp.pipeline.audit import audit
from deepresearch_mcp.pipeline.citing import within
from deepresearch_mcp.pipeline.findings import WHOLE, Findings
from deepresearch_mcp.pipeline.verifier import settle
from deepresearch_mcp.pipeline.weighing import weigh
from deepresearch_mcp.pipeline.writer import Material, Writer, opening, opening_chars, pick, place, shortened, stated
from deepresearch_mcp.ports.journal import At
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft, SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.settings import ResearchSettings
from deepresearch_mcp.text.keywords import content_words
from deepresearch_mcp.thinkers.base import Thinker

_CONCLUDE_CLAIMS = 40
"""Claims that the direct answer is made from in `mode=answer`, where there are no sections."""


class Ready:
    """Which sub-questions will bring nothing more; `last` is set once the round that runs is known to be the last."""

    def __init__(self) -> None:
        self.last = anyio.Event()
        self._all = anyio.Event()
        self._each: dict[str, anyio.Event] = {}

    def done(self, sub_question: str) -> None:
        """This one is complete."""
        self._event(sub_question).set()

    def everything(self) -> None:
        """The research is over."""
        self.last.set()
        self._all.set()
        for event in self._each.values():
            event.set()

    async def wait(self, sub_question: str) -> None:
        """Until this one is complete."""
        await self._event(sub_question).wait()

    async def wait_for_all(self) -> None:
        """Until the research is over."""
        await self._all.wait()

    def _event(self, sub_question: str) -> anyio.Event:
        event = self._each.setdefault(sub_question, anyio.Event())
        if self._all.is_set():
            event.set()
        return event


class Composer:
    """Writes up findings with one thinker; the draft and what the audit took out land in the findings."""

    def __init__(
        self, findings: Findings, thinker: Thinker, settings: ResearchSettings, tell: Tell, ready: Ready
    ) -> None:
        self._findings = findings
        self._thinker = thinker
        self._settings = settings
        self._ready = ready
        self._writer = Writer(findings.brief, thinker, settings, tell)

    async def compose(self) -> None:
        """Outline, sections, critique, the direct answer, audit."""
        findings = self._findings
        await self._ready.last.wait()
        if findings.brief.request.mode == "answer":
            await self._ready.wait_for_all()
            draft, needs = Draft(title=findings.brief.question[:200]), findings.steps
        else:
            draft, needs = await self._sections()
            await self._ready.wait_for_all()
        claims = weigh(findings.settled(), findings.documents, findings.brief.question)
        said = pick(list(claims.values()), _CONCLUDE_CLAIMS) if not draft.sections else stated(draft, claims)
        in_short = await self._writer.conclude(draft.sections, said, needs) if said else ()
        whole = renamed(draft.model_copy(update={"in_short": in_short}), claims)
        cited = within(whole, claims, self._settings.max_citations)
        titles = {name: document.title for name, document in findings.documents.items()}
        audited = await audit(findings.brief, cited.draft, claims, titles, self._thinker, At("audit", ("conclude",)))
        said = [claim for claim in said if cited.may(claim)]
        in_short = opening(audited.draft.in_short, said, opening_chars(findings.brief))
        findings.draft = audited.draft.model_copy(update={"in_short": in_short})
        findings.removed, findings.places = audited.removed, cited.places

    async def direct(self) -> None:
        """The answer from one's own knowledge, for a research of depth 0."""
        brief = self._findings.brief
        answer = (await self._thinker.direct(brief, At("direct"))).strip()
        if brief.request.mode == "answer":
            answer = shortened(" ".join(answer.split()), opening_chars(brief))
        self._findings.direct = answer

    async def _sections(self) -> tuple[Draft, tuple[str, ...]]:
        findings, brief = self._findings, self._findings.brief
        outline = await self._writer.outline(findings.parts[:-1], findings.steps)
        results: list[tuple[Draft, tuple[str, ...]]] = []

        async def one(number: int) -> None:
            results.append(await self._writer.draft(outline, self._supply, number))

        async with anyio.create_task_group() as group:
            for number in range(1, brief.request.drafts + 1):
                group.start_soon(one, number)
        needs = tuple(key for _, keys in results for key in keys)
        drafts = [draft for draft, _ in results]
        if not self._settings.critique and len(drafts) == 1:
            return drafts[0], needs
        await self._ready.wait_for_all()
        return await self._writer.improve(drafts, findings.settled(), needs)

    async def _supply(self, section: SectionPlan) -> Material:
        """The claims of a section's sub-questions, with those of the whole question that belong there."""
        findings = self._findings
        rests_on = [name for part in findings.sub_questions if part.id in section.sub_questions for name in part.depends_on]
        names = list(dict.fromkeys((*section.sub_questions, *rests_on, WHOLE)))
        for name in names:
            await self._ready.wait(name)
        placed = place(findings.of(WHOLE).claims, findings.sub_questions)
        own = [claim for name in section.sub_questions for claim in (*findings.of(name).claims, *placed.get(name, ()))]
        # What the section rests on stands in another one; here it tells which claims go on from it.
        claims = {claim.claim_id: claim for name in names for claim in findings.of(name).claims}
        known = weigh(claims, findings.documents, findings.brief.question)
        settled = settle([known[claim.claim_id] for claim in own], findings.documents)
        steps = [key for name in names for key in findings.of(name).steps]
        return Material(tuple(settled.values()), ("outline", *steps))


def renamed(draft: Draft, claims: Mapping[str, Claim]) -> Draft:
    """The draft with every claim's id replaced by that of the claim that stands for it, and no sentence twice."""
    seen: set[str] = set()

    def one(sentence: Sentence) -> Sentence:
        ids = (claims[name].claim_id if name in claims else name for name in sentence.claim_ids)
        return Sentence(text=sentence.text, claim_ids=tuple(dict.fromkeys(ids)))

    def new(sentence: Sentence) -> bool:
        key = " ".join(content_words(sentence.text)) or sentence.text
        return not (key in seen or seen.add(key))

    def section(written: WrittenSection) -> WrittenSection:
        paragraphs = (tuple(one(s) for s in paragraph if new(s)) for paragraph in written.paragraphs)
        return written.model_copy(update={"paragraphs": tuple(filter(None, paragraphs))})

    return draft.model_copy(
        update={
            "in_short": tuple(map(one, draft.in_short)),
            "sections": tuple(done for written in draft.sections if (done := section(written)).paragraphs),
            "differences": tuple(map(one, draft.differences)),
        }
    )

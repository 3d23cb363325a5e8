"""Digest: the report without a model: for each sub-question the best passages, in the pages' own words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import anyio.to_thread

from deepresearch_mcp.injection.fitness import is_fit
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, DigestPart, Findings
from deepresearch_mcp.pipeline.headings import headings_in
from deepresearch_mcp.pipeline.machine_gate import by_machine
from deepresearch_mcp.pipeline.numbering import numbered_quotes
from deepresearch_mcp.pipeline.report.cited_passage import cited_passage
from deepresearch_mcp.pipeline.report.differing import differences
from deepresearch_mcp.pipeline.report.linked_passages import linked_passages
from deepresearch_mcp.pipeline.report.meant_documents import of_each_meant
from deepresearch_mcp.pipeline.report.part_ranking import FULL, OF_A_THING, PartRanking
from deepresearch_mcp.pipeline.report.passage_pool import PassagePool
from deepresearch_mcp.pipeline.report.pool_passage import names_thing, repeats
from deepresearch_mcp.pipeline.report.ranked_passage import RankedPassage
from deepresearch_mcp.pipeline.report.weighing import weigh
from deepresearch_mcp.records.evidence import KEPT, Claim
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.thinkers.extractive.one_line import one_line
from deepresearch_mcp.thinkers.extractive.terms import names

_A_PART = 4
"""Passages for one sub-question."""
_NEAREST = 3
"""Passages that are shown where none answers."""
_OF_A_PAGE = 2
"""Passages of one page for one sub-question."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A passage of the digest, and the claim that cites it."""

    found: RankedPassage
    claim: Claim

    @property
    def block(self) -> Block:
        said = Sentence(text=self.found.passage.text, claim_ids=(self.claim.claim_id,))
        return Block(kind="passage", rows=((said,),), title=self.found.passage.title)


async def digested(findings: Findings, settings: ResearchSettings) -> Draft:
    """`digest`, in a thread: many pages take seconds."""
    return await anyio.to_thread.run_sync(digest, findings, settings, abandon_on_cancel=True)


def digest(findings: Findings, settings: ResearchSettings) -> Draft:
    """Make the report of what was read, without a thinker; the claims that cite its passages land in the findings.

    For each sub-question the passages that answer it, best first, each in the page's own words; nothing where nothing
    answers. It opens with a sentence only where one sentence is the answer.
    """
    made = _Digest(findings, settings)
    draft = made.draft()
    findings.passages = made.claims
    findings.digest = made.parts
    findings.nearest_only = made.nearest_only
    return draft


class _Digest:
    """One digest in the making."""

    def __init__(self, findings: Findings, settings: ResearchSettings) -> None:
        self._findings = findings
        self._question = findings.brief.question
        self._language = findings.brief.language or "en"
        # A report may be wanted in another language than the question is asked in.
        self._asked_in = guess(self._question) or self._language
        # What one report may cite; 0: as much as there is.
        self._left = settings.max_citations or 1_000
        self._standing = weigh(findings.settled(), findings.documents, self._question)
        distinct = {claim.claim_id: claim for claim in self._standing.values() if claim.verdict in KEPT}
        asks = [self._question, *(part.text for part in findings.sub_questions)]
        self._pool = PassagePool(findings.documents, distinct.values(), asks)
        self._distinct = distinct
        self._compared = len(findings.brief.scope.subjects) > 1
        # Where no site is about a thing that the question names, a chain of pages may hold the answer.
        self._at_home = self._pool.is_at_home(self._question) or self._pool.meant(self._question) > 0
        leads = not self._at_home and bool(names(self._question))
        self._chained = leads or any(part.depends_on for part in findings.sub_questions)
        self._ranking = PartRanking(
            self._pool, findings.brief.scope.subjects, self._asked_in, chained=self._chained, at_home=self._at_home
        )
        self.claims: dict[str, Claim] = {}
        self.parts: tuple[DigestPart, ...] = ()
        self.nearest_only = False

    def draft(self) -> Draft:
        """Choose, cite and arrange."""
        asked = self._asked()
        ranked = {part.id: self._ranking.of(part, several=len(asked) > 1) for part in asked}
        in_short = self._opening(asked, ranked)
        answer_only = self._findings.brief.request.mode == "answer"
        shown = {} if answer_only and in_short else self._chosen(asked, ranked)
        in_line = bool(answer_only and in_short)
        self.parts = tuple(
            DigestPart(part.id, part.text, len(shown.get(part.id, ())) or in_line)
            for part in asked
            if part.id != WHOLE_QUESTION
        )
        sections = tuple(self._sections(asked, shown))
        if not (sections or in_short or answer_only):
            sections = self._nearest(asked)
            self.nearest_only = bool(sections)
        return Draft(
            title=self._question[:200],
            in_short=in_short,
            sections=sections,
            differences=() if answer_only else self._differences(),
        )

    def _asked(self) -> list[SubQuestion]:
        """The sub-questions, then the question as a whole unless a sub-question is the same."""
        parts = list(self._findings.sub_questions)
        whole = self._findings.whole
        same = any(_plain(part.text) == _plain(whole.text) for part in parts)
        return parts if same else [*parts, whole]

    def _opening(self, asked: Sequence[SubQuestion], ranked: Mapping[str, list[RankedPassage]]) -> tuple[Sentence, ...]:
        """The one sentence that answers the question, whose passage then comes first; none where it takes more."""
        brief = self._findings.brief
        whole = next((part for part in asked if _plain(part.text) == _plain(brief.question)), asked[-1])
        # Parts that are all asked for cannot be answered in one sentence, parts that only lead to the answer can.
        several = len(asked) > 1 and not any(part.depends_on for part in asked)
        strict = brief.request.mode != "answer"
        if several and strict:
            return ()
        for found in ranked[whole.id][:_A_PART]:
            where = one_line(
                whole.text,
                found.passage.text,
                found.passage.heading,
                self._asked_in,
                found.passage.start,
                strict=strict,
            )
            if where and (claim := self._claim(found, whole, *where.span, text=where.text)):
                self._cite(claim)
                own = ranked[whole.id]
                own.insert(0, own.pop(own.index(found)))
                return (Sentence(text=where.text, claim_ids=(claim.claim_id,)),)
        return ()

    def _chosen(
        self, asked: Sequence[SubQuestion], ranked: Mapping[str, Sequence[RankedPassage]]
    ) -> dict[str, list[_Shown]]:
        """The passages of each part: one for every part before a second for any, while there are citations left."""
        shown: dict[str, list[_Shown]] = {part.id: [] for part in asked}
        offers = {part.id: iter(ranked[part.id]) for part in asked}
        most = {part.id: self._most(part, ranked[part.id]) for part in asked}
        alone = [part for part in asked if part.id != WHOLE_QUESTION]
        # The question as a whole counts beside its parts where these make a chain or are compared.
        together = self._compared or not alone or self._chained
        self._show(asked if together else alone, offers, shown, most)
        if not together and not all(shown[part.id] for part in alone):
            self._show([part for part in asked if part.id == WHOLE_QUESTION], offers, shown, most)
        there = [each.found for group in shown.values() for each in group]
        if any(one.relevance is FULL for one in there) or self._at_home:
            return self._in_order(shown, ranked)
        for part, found in linked_passages(
            self._pool, asked, there, list(self._distinct.values()), self._question, self._asked_in
        ):
            self._show_next(part, iter((found,)), shown, _OF_A_PAGE)
        return self._in_order(shown, ranked)

    def _in_order(
        self, shown: dict[str, list[_Shown]], ranked: Mapping[str, Sequence[RankedPassage]]
    ) -> dict[str, list[_Shown]]:
        for name, own in shown.items():
            order = {id(one): at for at, one in enumerate(ranked[name])}
            own.sort(key=lambda each: order.get(id(each.found), len(order)))
        return shown

    def _show(
        self,
        parts: Sequence[SubQuestion],
        offers: Mapping[str, Iterator[RankedPassage]],
        shown: dict[str, list[_Shown]],
        most: Mapping[str, int],
    ) -> None:
        for turn in range(max((most[part.id] for part in parts), default=0)):
            for part in parts:
                if turn < most[part.id]:
                    self._show_next(part, offers[part.id], shown, most[part.id])

    def _most(self, part: SubQuestion, ranked: Sequence[RankedPassage]) -> int:
        """How many passages a part may have: an outline all of its own."""
        if ranked and ranked[0].relevance is FULL:
            return len(ranked)
        if meant := self._pool.meant(part.text):
            return meant * of_each_meant(meant)
        things = sum(names_thing(part.text, name) for name in self._findings.brief.scope.subjects)
        return max(_A_PART, OF_A_THING * things if part.id != WHOLE_QUESTION else 0)

    def _show_next(
        self, part: SubQuestion, offers: Iterator[RankedPassage], shown: dict[str, list[_Shown]], most: int
    ) -> None:
        """Show the next passage that no part shows yet."""
        for found in offers:
            if self._left < 1:
                return
            others = [each.found.passage for group in shown.values() for each in group]
            own, page = shown[part.id], found.passage.document.source_id
            of_page = sum(each.found.passage.document.source_id == page for each in own)
            enough = of_each_meant(self._pool.meant(part.text)) or _OF_A_PAGE
            full = found.relevance is not FULL and of_page >= min(most, enough)
            if full or any(repeats(found.passage, other) for other in others):
                continue
            if claim := self._claim(found, part, found.passage.start, found.passage.end):
                self._cite(claim)
                own.append(_Shown(found, claim))
                return

    def _sections(
        self, asked: Sequence[SubQuestion], shown: Mapping[str, Sequence[_Shown]]
    ) -> Iterator[WrittenSection]:
        called = headings_in(self._language)
        # What sets things side by side comes first. A question that is not parted is the report's title already.
        for part in sorted(asked, key=lambda one: self._compared and one.id != WHOLE_QUESTION):
            blocks = tuple(one.block for one in shown.get(part.id, ()))
            heading = called.whole if part.id == WHOLE_QUESTION else part.text[:150]
            if blocks:
                yield WrittenSection(heading=heading if len(asked) > 1 else called.pages, blocks=blocks)

    def _nearest(self, asked: Sequence[SubQuestion]) -> tuple[WrittenSection, ...]:
        """Where nothing answers, what comes nearest to a part of the question, under a heading that says so."""
        shown: dict[str, list[_Shown]] = {part.id: [] for part in asked}
        for part in asked:
            near = self._pool.nearest(part.text, part.queries, self._asked_in)
            for found in near[:_NEAREST]:
                if sum(map(len, shown.values())) < _NEAREST:
                    self._show_next(part, iter((found,)), shown, _OF_A_PAGE)
        blocks = tuple(one.block for own in shown.values() for one in own)
        return (WrittenSection(heading=headings_in(self._language).nearest, blocks=blocks),) if blocks else ()

    def _differences(self) -> tuple[Sentence, ...]:
        """Where sources differ, as far as there are citations left."""
        found = differences(self._distinct.values(), self._question)
        needed = sum(len(numbered_quotes(self._distinct[name])) for one in found for name in one.claim_ids)
        if needed > self._left:
            return ()
        for sentence in found:
            self.claims |= {name: self._distinct[name] for name in sentence.claim_ids}
        self._left -= needed
        return found

    def _claim(self, found: RankedPassage, part: SubQuestion, start: int, end: int, text: str = "") -> Claim | None:
        """The claim that cites these words of a page; None where gate 1 or the screen refuses them."""
        passage = found.passage
        claim = cited_passage(passage, part, start, end, text, found.merit)
        asked = (part.text, self._question, *part.queries)
        checked = by_machine(claim, self._findings.documents)
        return checked if checked.verdict == "supported" and is_fit(checked, passage.document, asked) else None

    def _cite(self, claim: Claim) -> None:
        self.claims[claim.claim_id] = claim
        self._left -= 1


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?. ")

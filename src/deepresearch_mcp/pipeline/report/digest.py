"""Digest: the report without a model: for each sub-question the best passages, in the pages' own words."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import anyio.to_thread

from deepresearch_mcp.injection.fitness import is_fit
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, DigestPart, Findings
from deepresearch_mcp.pipeline.machine_gate import by_machine
from deepresearch_mcp.pipeline.numbering import numbered_quotes
from deepresearch_mcp.pipeline.report.differing import differences
from deepresearch_mcp.pipeline.report.passage_pool import PassagePool, PoolPassage, RankedPassage, repeats
from deepresearch_mcp.pipeline.report.weighing import weigh
from deepresearch_mcp.records.evidence import KEPT, Claim, Quote
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.text.chains import Chains, TitledText
from deepresearch_mcp.thinkers.extractive.one_line import one_line
from deepresearch_mcp.thinkers.extractive.relevance import FLOOR

_A_PART = 4
"""Passages for one sub-question."""
_BELOW_BEST = 0.5
"""A passage with less than this share of the best one's merit is left out."""
_OF_A_PAGE = 2
"""Passages of one page for one sub-question."""
_LINKED = 7
"""Passages that a name joins to one that answers, at most."""
_FIRM = 0.5
"""How firmly the name must join the two pages, 0 to 1: see `text.chains`."""
_STRONG = 2.5 * FLOOR
_ENOUGH = 4
"""A question that so many passages answer strongly by themselves needs no chain."""
_FEW = 2
"""With fewer passages a chain may begin between two of which neither answers alone."""
_TOGETHER = 0.6
"""The share of the question, rare words weighing more, that these two must hold."""
_STEPS = 2
"""How far a chain leads from a passage that answers."""
_ADDS = 0.12
"""The share of the question that the joined passage must add."""
_COVERED = 0.99
"""A passage with this share of what is asked leaves nothing to be completed."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A passage of the digest, and the claim that cites it."""

    found: RankedPassage
    claim: Claim


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
    return draft


class _Digest:
    """One digest in the making."""

    def __init__(self, findings: Findings, settings: ResearchSettings) -> None:
        self._findings = findings
        self._question = findings.brief.question
        self._language = findings.brief.language or "en"
        # What one report may cite; 0: as much as there is.
        self._left = settings.max_citations or 1_000
        self._standing = weigh(findings.settled(), findings.documents, self._question)
        distinct = {claim.claim_id: claim for claim in self._standing.values() if claim.verdict in KEPT}
        asks = [self._question, *(part.text for part in findings.sub_questions)]
        self._pool = PassagePool(findings.documents, distinct.values(), asks)
        self._distinct = distinct
        self.claims: dict[str, Claim] = {}
        self.parts: tuple[DigestPart, ...] = ()

    def draft(self) -> Draft:
        """Choose, cite and arrange."""
        asked = self._asked()
        ranked = {part.id: self._pool.ranked(part.text, part.queries, self._language) for part in asked}
        in_short = self._opening(asked, ranked)
        answer_only = self._findings.brief.request.mode == "answer"
        shown = {} if answer_only and in_short else self._chosen(asked, ranked)
        self.parts = tuple(
            DigestPart(part.id, part.text, len(shown.get(part.id, ()))) for part in asked if part.id != WHOLE_QUESTION
        )
        return Draft(
            title=self._question[:200],
            in_short=in_short,
            sections=tuple(self._sections(asked, shown)),
            differences=() if answer_only else self._differences(),
        )

    def _asked(self) -> list[SubQuestion]:
        """The sub-questions, then the question as a whole unless a sub-question is the same."""
        parts = list(self._findings.sub_questions)
        whole = self._findings.whole
        same = any(_plain(part.text) == _plain(whole.text) for part in parts)
        return parts if same else [*parts, whole]

    def _opening(
        self, asked: Sequence[SubQuestion], ranked: Mapping[str, Sequence[RankedPassage]]
    ) -> tuple[Sentence, ...]:
        """The one sentence that answers the question; none where it takes more than a sentence."""
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
                self._language,
                found.passage.start,
                strict=strict,
            )
            if where and (claim := self._claim(found, whole, *where.span, text=where.text)):
                self._cite(claim)
                return (Sentence(text=where.text, claim_ids=(claim.claim_id,)),)
        return ()

    def _chosen(
        self, asked: Sequence[SubQuestion], ranked: Mapping[str, Sequence[RankedPassage]]
    ) -> dict[str, list[_Shown]]:
        """The passages of each part: one for every part before a second for any, while there are citations left."""
        shown: dict[str, list[_Shown]] = {part.id: [] for part in asked}
        offers = {part.id: iter(self._worthy(ranked[part.id])) for part in asked}
        for _ in range(_A_PART):
            for part in asked:
                self._show_next(part, offers[part.id], shown)
        for part, found in self._linked(asked, shown):
            self._show_next(part, iter((found,)), shown)
        for one in shown.values():
            one.sort(key=lambda each: -each.found.merit)
        return shown

    def _show_next(self, part: SubQuestion, offers: Iterator[RankedPassage], shown: dict[str, list[_Shown]]) -> None:
        """Show the next passage that no part shows yet."""
        for found in offers:
            if self._left < 1:
                return
            own = shown[part.id]
            others = [each.found.passage for group in shown.values() for each in group]
            of_page = sum(each.found.passage.document.source_id == found.passage.document.source_id for each in own)
            if of_page >= _OF_A_PAGE or any(repeats(found.passage, other) for other in others):
                continue
            if claim := self._claim(found, part, found.passage.start, found.passage.end):
                self._cite(claim)
                own.append(_Shown(found, claim))
                return

    def _worthy(self, ranked: Sequence[RankedPassage]) -> list[RankedPassage]:
        least = _BELOW_BEST * ranked[0].merit if ranked else 0.0
        return [one for one in ranked if one.merit >= least]

    def _linked(
        self, asked: Sequence[SubQuestion], shown: Mapping[str, Sequence[_Shown]]
    ) -> list[tuple[SubQuestion, RankedPassage]]:
        """Passages that answer nothing alone, and complete one that answers: a name joins the two.

        "Where was the builder of that lighthouse born?": the page on the builder holds hardly a word of the question.
        """
        there = [each.found for group in shown.values() for each in group]
        claims = sorted(self._distinct.values(), key=lambda claim: (-claim.score, claim.claim_id))
        pages = {one.passage.document.source_id for one in there}
        others = [
            one
            for one in self._pool.around(claims, self._question, self._language)
            if one.passage.document.source_id not in pages
        ]
        firsts = {one.passage.document.source_id: one for one in reversed(others)}
        others = [one for one in others if firsts[one.passage.document.source_id] is one]
        every = [*there, *others]
        chains = Chains(self._question, [TitledText(one.passage.document.title, one.passage.text) for one in every])
        by_id = {part.id: part for part in asked}
        # A chain of facts leads to one answer; questions that stand side by side have none between them.
        strong = sum(one.relevance.score >= _STRONG or one.relevance.headed for one in there)
        chained = (len(asked) == 1 and strong < _ENOUGH) or any(part.depends_on for part in asked)
        full = max((chains.covered((at,)) for at in range(len(there))), default=0.0) >= _COVERED
        worth = chains.worth
        # A page on a thing that the question names says what that is, whatever else is asked of it.
        joined = {at: 1 + worth[at] for at in range(len(there), len(every)) if every[at].relevance.about}
        if chained and len(there) + len(joined) < _FEW:
            joined |= {at: 1 + worth[at] for at in _completing(chains, every) if at >= len(there)}
        for _ in range(_STEPS):
            seeds = {*range(len(there)), *joined}
            for pair, firm in chains.joined.items():
                for one, other in (pair, pair[::-1]):
                    if one in seeds and other not in seeds and firm >= _FIRM:
                        adds = chains.covered((one, other)) - chains.covered((one,))
                        if adds >= _ADDS or (chained and not full):
                            joined[other] = worth[other]
        best = sorted(joined, key=lambda at: (-joined[at], at))[:_LINKED]
        home = [next((claim.sub_question for claim in every[at].passage.claims), "") for at in best]
        return [(by_id.get(name, asked[-1]), every[at]) for at, name in zip(best, home, strict=True)]

    def _sections(
        self, asked: Sequence[SubQuestion], shown: Mapping[str, Sequence[_Shown]]
    ) -> Iterator[WrittenSection]:
        for part in asked:
            blocks = tuple(_block(one) for one in shown.get(part.id, ()))
            if blocks:
                rest = part.id == WHOLE_QUESTION and len(asked) > 1
                yield WrittenSection(heading=_WHOLE if rest else part.text[:150], blocks=blocks)

    def _differences(self) -> tuple[Sentence, ...]:
        """Where sources differ, as far as there are citations left."""
        found = differences(self._distinct.values())
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
        claim = _cited(passage, part, start, end, text, found.merit)
        asked = (part.text, self._question, *part.queries)
        checked = by_machine(claim, self._findings.documents)
        return checked if checked.verdict == "supported" and is_fit(checked, passage.document, asked) else None

    def _cite(self, claim: Claim) -> None:
        self.claims[claim.claim_id] = claim
        self._left -= 1


def _completing(chains: Chains, every: Sequence[RankedPassage]) -> tuple[int, ...]:
    """The two passages that a name joins and that hold most of the question together; none if that is too little."""
    pairs = [
        (chains.covered(pair), firm, pair)
        for pair, firm in chains.joined.items()
        if firm >= _FIRM and all(every[at].relevance.exact for at in pair)
    ]
    best = max(pairs, default=None)
    return best[2] if best and best[0] >= _TOGETHER else ()


_WHOLE = "On the question as a whole"


def _cited(passage: PoolPassage, part: SubQuestion, start: int, end: int, text: str, merit: float) -> Claim:
    document = passage.document
    words = document.text[start:end]
    digest = hashlib.sha256(f"{text or words}\0{document.source_id}\0{start}\0{end}".encode()).hexdigest()
    quote = Quote(
        source_id=document.source_id,
        snapshot=document.snapshot,
        start=start,
        end=end,
        text=words,
        context=passage.text,
        heading=passage.heading,
    )
    grounds = [claim for claim in passage.claims if claim.independent == passage.independent]
    return Claim(
        claim_id=f"c{digest[:10]}",
        sub_question=part.id,
        text=text or words,
        quotes=(quote,),
        score=merit,
        independent=passage.independent,
        corroborating=passage.backing,
        standing=grounds[0].standing if grounds else "fair",
    )


def _block(one: _Shown) -> Block:
    sentence = Sentence(text=one.found.passage.text, claim_ids=(one.claim.claim_id,))
    return Block(kind="passage", rows=((sentence,),), title=one.found.passage.title)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?. ")

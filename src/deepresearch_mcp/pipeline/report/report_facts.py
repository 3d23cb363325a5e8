"""The facts of a report while it is written: the claims that stand, and more of them on demand."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from deepresearch_mcp.events import Degraded, EventSink
from deepresearch_mcp.exceptions import BudgetExceeded, DeepResearchError, KeyRefused, ProviderError
from deepresearch_mcp.injection.screen import may_ask, planted_in
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.more_evidence import MoreEvidence
from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.report.editing import with_proposals
from deepresearch_mcp.pipeline.report.length import words_for, words_of
from deepresearch_mcp.pipeline.report.weighing import weigh
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import KEPT, Claim, ClaimDraft, FollowUp
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Gap, SectionDraft, ThinSpot, WrittenSection
from deepresearch_mcp.thinkers.base import Thinker, ThinkerTask

DECISIVE = 3
"""The weight of a fact that has to be told."""
_GAPS = 3
"""Gaps that are searched for at once; research sets aside as much."""
_OF_SECTIONS = 0.8
"""Share of the words that the sections have; the rest is the opening's."""
_SHORTEST = 80
"""Words of a section."""

R = TypeVar("R")


class ReportFacts:
    """Knows every claim that stands, and asks the thinker and the research for more of what a report needs.

    Where either cannot be had, nothing is added; `failed` keeps the reasons.
    """

    def __init__(
        self, findings: Findings, thinker: Thinker, emit: EventSink, more: MoreEvidence, *, in_rounds: bool = False
    ) -> None:
        """With `in_rounds` each round of questions counts: nothing is read again, proposed or searched for."""
        self.findings = findings
        self.thinker = thinker
        self.emit = emit
        self.in_rounds = in_rounds
        self.claims: Mapping[str, Claim] = {}
        """Every claim's id with the claim that stands for it."""
        self.failed: list[DeepResearchError] = []
        self._more = more
        self._found: dict[str, Claim] = {}
        """Claims that came while the report was written."""

    @property
    def brief(self) -> Brief:
        """What was asked."""
        return self.findings.brief

    @property
    def facts(self) -> list[Claim]:
        """Each claim that may be written, once."""
        kept = (claim for claim in self.claims.values() if claim.verdict in KEPT)
        return list({claim.claim_id: claim for claim in kept}.values())

    @property
    def words(self) -> int:
        """About how long the report should be."""
        return words_of(self.brief, len(self.facts))

    def share(self, facts: Sequence[Claim], parts: Sequence[Sequence[str]]) -> int:
        """The words of a section, by the weight of its facts among all that the sections hold.

        Roots are taken: a theme on which much was found does not crowd out the others.
        """
        weights = [sum(self.claims[name].weight for name in part) for part in parts]
        own = sum(fact.weight for fact in facts) ** 0.5
        share = _OF_SECTIONS * self.words * own / max(1.0, sum(weight**0.5 for weight in weights))
        return max(_SHORTEST, min(10 * round(share / 10), words_for(facts)))

    def standing(self, names: Sequence[str]) -> tuple[str, ...]:
        """The ids of the claims that stand for these."""
        return tuple(dict.fromkeys(self.claims[name].claim_id for name in names if name in self.claims))

    def unused(self, told: Sequence[Claim], lost: Sequence[Claim] = ()) -> list[Claim]:
        """What matters and is not told: by weight, what an edit lost before the rest."""
        known, gone = {one.claim_id for one in told}, {one.claim_id for one in lost}
        rest = [one for one in self.facts if one.weight >= DECISIVE - 1 and one.claim_id not in known]
        return sorted(rest, key=lambda one: (-one.weight, one.claim_id not in gone, -one.backing, -one.score))

    def settle(self, new: Sequence[Claim] = ()) -> list[Claim]:
        """Take in what the findings hold now; the claims that stand for `new` ones."""
        self._found |= {claim.claim_id: claim for claim in new}
        settled = {**self._found, **self.findings.settled()}
        self.claims = weigh(settled, self.findings.documents, self.brief.question)
        standing = (self.claims[claim.claim_id] for claim in new)
        return list({claim.claim_id: claim for claim in standing if claim.verdict in KEPT}.values())

    async def ask(self, task: ThinkerTask[R], step: Step, instead: R) -> R:
        """Ask the thinker; `instead` stands in where it cannot be asked.

        Raises:
            KeyRefused: Every later call would fail too.
        """
        try:
            return await self.thinker.ask(task, step)
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded) as error:
            self.failed.append(error)
            self.emit(Degraded(f"Could not {task.doing} ({error.message.rstrip('.')}); {task.instead}."))
            return instead

    async def from_pages(self, spots: Sequence[ThinSpot], needs: tuple[str, ...] = ()) -> list[Claim]:
        """What the stored pages say on these spots, which come from the steps `needs`."""
        wanted = [self._askable(spot) for spot in spots if self._may_ask(spot.query)]
        if self.in_rounds or not wanted:
            return []
        return await self._gathered(lambda: self._more.from_pages(wanted, needs))

    def gaps_to_search(self, wanted: Callable[[Gap], bool] = lambda _: True) -> list[FollowUp]:
        """A query of its own for the gaps that the stored pages left, the decisive ones first: else they are no gaps.

        Those for which a ceiling left no room before are among them: a later stage has a share of its own.
        """
        gaps = [one for one in self.findings.gaps if one.query and not one.queries and wanted(one)]
        gaps.sort(key=lambda one: not one.decisive)
        return [FollowUp(sub_question="", query=one.query, point=one.point) for one in gaps[:_GAPS]]

    async def from_search(self, queries: Sequence[FollowUp], needs: tuple[str, ...] = ()) -> list[Claim]:
        """What one more round of searching finds; each query goes to the sub-question that it fits.

        `needs`: the steps that the queries come from.
        """
        parts = self.findings.sub_questions
        wanted = [
            one if one.sub_question else one.model_copy(update={"sub_question": nearest_sub_question(one.query, parts)})
            for one in queries
            if self._may_ask(one.query)
        ]
        if self.in_rounds or not wanted:
            return []
        return await self._gathered(lambda: self._more.from_search(wanted, needs))

    async def proposed(self, drafts: Mapping[str, ClaimDraft]) -> Mapping[str, Claim]:
        """The claims that writers proposed, as far as they pass the gates."""
        if not drafts:
            return {}
        located: dict[str, Claim] = {}

        async def locate() -> Sequence[Claim]:
            located.update(await self._more.proposed(drafts))
            return ()

        await self._gathered(locate)
        self.settle(tuple(located.values()))
        return located

    async def sections_of(self, drafts: Mapping[int, SectionDraft]) -> dict[int, WrittenSection]:
        """The sections that were drafted, by their places, with what their writers proposed and the gates let pass."""
        proposed = {f"{at}.{name}": own for at, one in drafts.items() for name, own in one.proposed.items()}
        located = await self.proposed(proposed)

        def with_located(at: int, draft: SectionDraft) -> WrittenSection:
            named = {name: located[key] for name in draft.proposed if (key := f"{at}.{name}") in located}
            return with_proposals(draft.section, named, self.claims)

        return {at: with_located(at, draft) for at, draft in drafts.items()}

    async def _gathered(self, ask: Callable[[], Awaitable[Sequence[Claim]]]) -> list[Claim]:
        try:
            return list(await ask())
        except KeyRefused:
            raise
        except (ProviderError, BudgetExceeded) as error:
            self.failed.append(error)
            return []

    def _askable(self, spot: ThinSpot) -> ThinSpot:
        """The spot in words that no page dictated: pages are read and judged for what is missing."""
        return spot if self._may_ask(spot.missing) else spot.model_copy(update={"missing": spot.query})

    def _may_ask(self, query: str) -> bool:
        """Whether a query may be asked that was made after pages were read."""
        pages = self.findings.documents.values()
        unwanted = (page.text[one.start : one.end] for page in pages for one in planted_in(page))
        asked = (self.brief.question, *(part.text for part in self.findings.sub_questions))
        return may_ask(query, (*asked, *(fact.text for fact in self.facts)), unwanted)

"""What the workers of a sub-question have brought in, and which pages they want, with which words."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deepresearch_mcp.pipeline.pages import WantedPage
from deepresearch_mcp.records.evidence import Claim, Comparison


@dataclass(frozen=True, slots=True)
class Words:
    """A query that pages are read with."""

    query: str = ""
    lead: bool = False
    """A page pointed to it: it stands in the place of the sub-question, whose words the next fact of a chain often
    lacks. Else it follows up the sub-question, and stands beside it."""


PLANNED = Words()
"""The sub-question's own words."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page that is to be read, and with what words."""

    page: WantedPage
    words: Words = PLANNED
    """The query that led there, where it is not one of the plan's."""

    @property
    def key(self) -> str:
        """The same however the address was written."""
        return f"{self.page.address} {self.words.query}".strip()


@dataclass(slots=True)
class SubQuestionState:
    """What the workers of one sub-question have brought in; grows while they work."""

    claims: list[Claim] = field(default_factory=list[Claim])
    refused: list[Claim] = field(default_factory=list[Claim])
    steps: list[str] = field(default_factory=list[str])
    """Keys of the verifications, for steps that depend on the claims."""
    comparisons: list[Comparison] = field(default_factory=list[Comparison])
    opponents: dict[str, Claim] = field(default_factory=dict[str, Claim])
    """Claims that contradict each other, by id, those of other sub-questions among them."""
    late: list[Wanted] = field(default_factory=list[Wanted])
    """Pages that were not read when a round ended, most of them still loading."""
    sources: set[str] = field(default_factory=set[str])
    """What was read for it: an address that leads to the same page is not read again."""
    passages: set[str] = field(default_factory=set[str])
    """Ids of those that were read for it: a second reading of a page reads on."""
    leads: list[str] = field(default_factory=list[str])
    """Queries that pages pointed to and that were not followed yet."""
    asked: bool = False
    """Whether it was searched for."""
    tried: list[str] = field(default_factory=list[str])
    """Queries that were really sent."""
    spent: str = ""
    """The ceiling that stopped it, if one did."""

    def take(self, claims: Sequence[Claim]) -> None:
        """Add verified claims, best first whatever came first: a resumed run finds the same order."""
        self.claims = sorted((*self.claims, *claims), key=_order)


def _order(claim: Claim) -> tuple[float, str, int, str]:
    return -claim.score, claim.quotes[0].source_id, claim.quotes[0].start, claim.claim_id

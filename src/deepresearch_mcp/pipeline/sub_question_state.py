"""The state of a sub-question: what its workers have found, and which pages they want, with which words."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deepresearch_mcp.pipeline.pages import WantedPage
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.sources import Stretch


@dataclass(frozen=True, slots=True)
class Words:
    """A query that pages are read with."""

    query: str = ""
    lead: bool = False
    """Whether a page led to this query. It then replaces the words of the sub-question, which the next fact of a chain
    often lacks. Otherwise it stands beside them."""


PLANNED = Words()
"""The sub-question's own words."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page that is to be read, and the words to read it with."""

    page: WantedPage
    words: Words = PLANNED
    """The query that led there, if the plan does not have it."""

    @property
    def key(self) -> str:
        """Equal for all spellings of the address."""
        return f"{self.page.address} {self.words.query}".strip()


@dataclass(slots=True)
class SubQuestionState:
    """What the workers of one sub-question have found. It grows while they work."""

    claims: list[Claim] = field(default_factory=list[Claim])
    refused: list[Claim] = field(default_factory=list[Claim])
    steps: list[str] = field(default_factory=list[str])
    """Keys of the verifications; steps that use the claims depend on them."""
    late: list[Wanted] = field(default_factory=list[Wanted])
    """Pages that were not read when a round ended. Most of them were still loading."""
    sources: set[str] = field(default_factory=set[str])
    """Ids of the pages that were wanted for it and could be read. A second address of a page is no new page."""
    asked_with: set[Words] = field(default_factory=set[Words])
    """The words that passages were chosen with. The same words again get room for the new pages only."""
    shown: set[Stretch] = field(default_factory=set[Stretch])
    """What was read for it. A second reading takes other passages."""
    speaking: set[str] = field(default_factory=set[str])
    """Ids of the pages whose claims are being judged."""
    leads: list[str] = field(default_factory=list[str])
    """Queries that pages led to and that were not asked yet."""
    asked: bool = False
    """Whether it was searched for."""
    tried: list[str] = field(default_factory=list[str])
    """Queries that were sent."""
    spent: str = ""
    """The ceiling that stopped it; empty if none did."""

    def take(self, claims: Sequence[Claim]) -> None:
        """Add verified claims, ordered by their worth and not by their arrival: a resumed run gets the same order."""
        self.claims = sorted((*self.claims, *claims), key=_order)


def _order(claim: Claim) -> tuple[float, str, int, str]:
    return -claim.score, claim.quotes[0].source_id, claim.quotes[0].start, claim.claim_id

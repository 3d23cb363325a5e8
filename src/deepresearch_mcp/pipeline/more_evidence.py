"""What a report may still ask of the research: more of the pages read, more searching, its own claims checked."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from deepresearch_mcp.records.evidence import Claim, ClaimDraft, FollowUp
from deepresearch_mcp.records.report import ThinSpot


class MoreEvidence(Protocol):
    """Brings more verified claims into the findings of a run."""

    async def from_pages(self, spots: Sequence[ThinSpot]) -> Sequence[Claim]:
        """New claims from the pages of the run: they are ranked anew for each spot, and the best parts are read."""
        ...

    async def from_search(self, queries: Sequence[FollowUp]) -> Sequence[Claim]:
        """New claims from one more round of searching, as far as the ceilings allow."""
        ...

    async def proposed(self, drafts: Mapping[str, ClaimDraft]) -> Mapping[str, Claim]:
        """A writer's own claims by their names, as far as their quotes are found and both gates let them pass.

        `ClaimDraft.passage_id` is `SOURCE:START` of a block that the writer was shown.
        """
        ...

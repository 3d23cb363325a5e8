"""Evidence on demand: what the writing stage may ask of the research when the claims are not enough."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from typing_extensions import override

from deepresearch_mcp.records.evidence import Claim, ClaimDraft, FollowUp
from deepresearch_mcp.records.report import ThinSpot


class MoreEvidence(Protocol):
    """Finds claims while the report is written. All of them also land in the findings, through the same gates."""

    async def from_pages(self, spots: Sequence[ThinSpot], needs: tuple[str, ...] = ()) -> Sequence[Claim]:
        """Rank the stored pages of the run for each spot, read once, and return the new claims.

        `needs`: the steps that the spots come from.
        """
        ...

    async def from_search(self, queries: Sequence[FollowUp], needs: tuple[str, ...] = ()) -> Sequence[Claim]:
        """Search once more within the ceilings, and return the new claims; `needs` as above."""
        ...

    async def proposed(self, drafts: Mapping[str, ClaimDraft]) -> Mapping[str, Claim]:
        """A writer's own claims by the names that it gave them; those that fail a gate are left out.

        `ClaimDraft.passage_id` is `SOURCE_ID:START` of a block that the writer was shown.
        """
        ...


class NoMoreEvidence(MoreEvidence):
    """Stands in where nothing can be read or searched again."""

    @override
    async def from_pages(self, spots: Sequence[ThinSpot], needs: tuple[str, ...] = ()) -> Sequence[Claim]:
        return ()

    @override
    async def from_search(self, queries: Sequence[FollowUp], needs: tuple[str, ...] = ()) -> Sequence[Claim]:
        return ()

    @override
    async def proposed(self, drafts: Mapping[str, ClaimDraft]) -> Mapping[str, Claim]:
        return {}

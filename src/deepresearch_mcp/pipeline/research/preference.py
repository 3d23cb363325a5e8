"""Preference: which of the hits that engines place alike come first, by their sites, their age and the profile."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from deepresearch_mcp.quality.scale import Scale
from deepresearch_mcp.quality.sites import site_kind, worth_of
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.text.urls import host_of, in_domains

# Reciprocal ranks with k = 60 fall by a sixth from the first place to the tenth: a factor of 1.2 brings a hit from the
# end of a usual answer to its beginning, and leaves what several engines returned before what one did.
_WANTED = 1.2
"""Factor of a hit of a domain that the profile prefers."""
_FRESH = 1.08
"""Factor of a hit that is as new as the profile likes."""
_AUTHORITY = 0.06
"""The best kind of site gains so much, and the worst loses it: four places in an answer."""


@dataclass(frozen=True, slots=True)
class Preference:
    """What one research prefers among its hits."""

    scale: Scale
    """As the profile shifts it."""
    profile: Profile = field(default_factory=Profile)
    domains: tuple[str, ...] = ()
    """Those that the request prefers: their hits come before all others."""
    today: date = date.max

    def ordered(self, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits with their scores weighed, best first; equal ones stay in their order.

        Those of domains that the request names come first, as its user has decided so.
        """
        weighed = [hit.model_copy(update={"score": hit.score * self._factor(hit)}) for hit in hits]
        return sorted(weighed, key=lambda hit: (not in_domains(hit.url, self.domains), -hit.score))

    def _factor(self, hit: Hit) -> float:
        own, host = self.profile, host_of(hit.url)
        wanted = in_domains(hit.url, own.prefer_domains) or host.endswith(own.prefer_suffixes)
        authority, _ = worth_of(site_kind(hit.url, self.scale, hit.title), self.scale)
        fresh = bool(own.fresh_days and hit.published and hit.published >= self.today - timedelta(own.fresh_days))
        return (_WANTED if wanted else 1.0) * (_FRESH if fresh else 1.0) * (1 + _AUTHORITY * (2 * authority - 1))


def preference_of(brief: Brief, scale: Scale) -> Preference:
    """Return what a research prefers: what its request names, then what its profile does."""
    return Preference(scale, brief.profile, brief.request.prefer_domains, brief.today)

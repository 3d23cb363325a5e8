"""Route: which engines a query is put to, and why. What it asks and the profile decide."""

from collections.abc import Collection, Mapping, Sequence

from deepresearch_mcp.pipeline.means import SHELVES
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.specs import ENGINES
from deepresearch_mcp.text.subjects import subjects_in

MOST = 3
"""Data sources that one query is put to beside the web engines, the regular ones of the user's settings apart."""
_SUBJECTS: Mapping[str, tuple[str, ...]] = {spec.name: spec.subjects for spec in ENGINES if spec.subjects}
_NAMED = {
    "doi": "it names a DOI",
    "arxiv": "it names a paper of arXiv",
    "pubmed": "it asks for medical literature",
    "package": "it names a package",
    "repository": "it asks for source code",
    "code": "it names code or an error",
    "ticker": "it asks for shares of a company",
    "filing": "it asks for a filing",
    "series": "it asks for a statistic",
    "case": "it names a court or a case",
    "bill": "it names a bill or an act",
    "event": "it asks for news",
}


class Router:
    """Chooses the engines of each query among those that are open."""

    def __init__(self, profile: Profile | None = None, sparing: Collection[str] = ()) -> None:
        """`sparing`: the data sources that are asked only if a query or the profile calls for them."""
        self.profile = profile or Profile()
        """The profile of the request."""
        self._sparing = frozenset(sparing)

    def groups(
        self, query: str, engines: Sequence[SearchEngine], without: Collection[str] = ()
    ) -> list[list[SearchEngine]]:
        """Return groups of engines whose answers are merged.

        Our own store answers at once, and must not wait for the web. Data sources come before the web engines, of which
        the last stand in for those that fail. Engines named in `without` are not asked.
        """
        open_now = [engine for engine in engines if engine.name not in without]
        called = self.why(query, [engine.name for engine in open_now])
        shelves = [engine for engine in open_now if engine.name in SHELVES]
        by_name = {engine.name: engine for engine in open_now}
        data = [by_name[name] for name in called if name in by_name]
        web = [one for one in open_now if one not in shelves and one not in data and one.name not in self._sparing]
        return [group for group in (shelves, [*data, *web]) if group]

    def why(self, query: str, names: Collection[str]) -> dict[str, str]:
        """Return the data sources that a query is put to, in order, with the reason; at most three.

        What the query names goes before what the profile prefers.
        """
        subjects = subjects_in(query)
        found: dict[str, str] = {}
        for name in (name for name in _SUBJECTS if name in names and name in self._sparing):
            if told := next((_NAMED[one] for one in _SUBJECTS[name] if one in subjects), ""):
                found[name] = told
        for name in self.profile.sources:
            if name in names:
                found.setdefault(name, f"profile {self.profile.name}")
        return dict(list(found.items())[:MOST])

    def regular(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the engines that are asked with every query, in order: estimates and ceilings count these."""
        own = [name for name in self.profile.sources if name in names][:MOST]
        rest = [name for name in names if name not in own and name not in self._sparing]
        shelves = [name for name in rest if name in SHELVES]
        return (*shelves, *own, *(name for name in rest if name not in shelves))

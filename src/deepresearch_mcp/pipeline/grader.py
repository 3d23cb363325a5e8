"""Grade the sources of a run: by the page alone while it runs, with all that is known at its end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from deepresearch_mcp.quality.grading import SourceContext, grade
from deepresearch_mcp.quality.scale import Scale
from deepresearch_mcp.quality.signs import DocumentSigns
from deepresearch_mcp.quality.topics import topic_of
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.profile import GENERAL
from deepresearch_mcp.records.quality import STANDINGS, Quality
from deepresearch_mcp.records.sources import Document, Unread
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.text.library_urls import LIBRARY
from deepresearch_mcp.text.urls import host_of, normalise_url, site_of


@dataclass(frozen=True)
class Grader:
    """Grades for one brief.

    A grade that decides something during the run (which page is admitted, what is written first) uses the page alone:
    the page and the date are in the journal, while the known links and engines depend on which answer came first.
    """

    brief: Brief
    scale: Scale
    """As it was loaded, before the profile of the request shifts it."""
    _known: dict[str, Quality] = field(default_factory=dict[str, Quality], init=False, repr=False)
    _seen: dict[str, DocumentSigns] = field(default_factory=dict[str, DocumentSigns], init=False, repr=False)

    @cached_property
    def own_scale(self) -> Scale:
        """The scale as the request's profile shifts it."""
        return self.scale.under(self._shift)

    @property
    def _shift(self) -> str:
        grades = self.brief.profile.grades
        return grades if grades in self.scale.profiles else GENERAL

    @cached_property
    def topic(self) -> str:
        """What the question is about; it says how fast an answer ages."""
        return topic_of(self.brief.question, self._shift, self.scale, self.brief.today)

    @property
    def nothing_known(self) -> SourceContext:
        """What is known of any source before other pages are read."""
        return SourceContext(self.brief.today, self.topic)

    def alone(self, document: Document) -> Quality:
        """The grades of a page, by the page itself."""
        if document.source_id not in self._known:
            self._known[document.source_id] = self._grade(document, self.nothing_known)
        return self._known[document.source_id]

    def objection(self, document: Document, settings: ResearchSettings) -> Unread | None:
        """Why the page is not read for claims; None if it is. Documents of a collection are: their owner chose them."""
        profile = self.brief.profile
        least = max(settings.min_source_quality, profile.least_quality)
        if document.url.startswith(LIBRARY) or not (least or settings.require_peer_review or profile.peer_review):
            return None
        own = f"the profile {profile.name}"
        quality = self.alone(document)
        if (settings.require_peer_review or profile.peer_review) and not quality.peer_reviewed:
            asks = own if profile.peer_review else "research.require_peer_review"
            detail = f"Nothing on it shows that it was peer reviewed, which {asks} asks for."
            return Unread(url=document.url, reason="not_peer_reviewed", detail=detail)
        if quality.score < least:
            asks = own if profile.least_quality == least else "research.min_source_quality"
            detail = f"As a source it is worth {quality.score:.2f}, and {asks} asks for {least:.2f} at least."
            return Unread(url=document.url, reason="low_quality", detail=detail)
        return None

    def corroborates(self, document: Document) -> bool:
        """Whether a page is good enough to support what another page says, by the page alone."""
        return self.alone(document).score >= self.scale.thresholds.corroborates

    def marked(self, claim: Claim, documents: Mapping[str, Document]) -> Claim:
        """The claim with the standing of its source."""
        standing = self.alone(documents[claim.quotes[0].source_id]).standing
        return claim if standing == claim.standing else claim.model_copy(update={"standing": standing})

    def all(
        self, documents: Mapping[str, Document], claims: Sequence[Claim], returned: Mapping[str, set[str]]
    ) -> dict[str, Quality]:
        """The grades of all documents by id, with what links, engines and claims tell of them.

        `claims` are those kept, their witnesses counted; `returned` gives the engines by normalised address.
        """
        linked = linking_sites(documents)
        carried: dict[str, list[bool]] = {}
        outdone = dict.fromkeys(documents, 0)
        by_id = {claim.claim_id: claim for claim in claims}
        for claim in claims:
            opponents = [by_id[name] for name in claim.disputes if name in by_id]
            for source_id in {quote.source_id for quote in claim.quotes}:
                if (document := documents.get(source_id)) is None:
                    continue
                # A source that is not good enough itself is backed by any source that is.
                carried.setdefault(source_id, []).append(claim.backing > self.corroborates(document))
                own = STANDINGS.index(self.alone(document).standing)
                outdone[source_id] += any(STANDINGS.index(other.standing) < own for other in opponents)
        graded: dict[str, Quality] = {}
        for source_id, document in documents.items():
            addresses = {normalise_url(url) or url for url in (document.url, document.requested_url)}
            known = replace(
                self.nothing_known,
                question=self.brief.question,
                linked_from=len(linked.get(source_id, ())),
                engines=len(set[str]().union(*(returned.get(address, set[str]()) for address in addresses))),
                claims=len(carried.get(source_id, ())),
                shared=sum(carried.get(source_id, ())),
                disputed=outdone[source_id],
            )
            graded[source_id] = self._grade(document, known)
        return graded

    def _grade(self, document: Document, known: SourceContext) -> Quality:
        signs = self._seen.setdefault(document.source_id, DocumentSigns(document, self.own_scale))
        return grade(document, known, self.own_scale, signs)


def linking_sites(documents: Mapping[str, Document]) -> dict[str, set[str]]:
    """Which other sites among the documents link to each of them: source id → registrable domains."""
    by_address = {
        normalise_url(url): document
        for document in documents.values()
        for url in (document.requested_url, document.url)
        if url.startswith("http")
    }
    found: dict[str, set[str]] = {}
    # Most links lead to other hosts. A quick look at the host saves normalising them.
    hosts = {host_of(address).removeprefix("www.") for address in by_address}
    for document in documents.values():
        site = site_of(document.url)
        for link in document.links:
            if _host_at_a_glance(link.url) not in hosts:
                continue
            target = by_address.get(normalise_url(link.url))
            if target and site_of(target.url) != site:
                found.setdefault(target.source_id, set()).add(site or document.source_id)
    return found


def _host_at_a_glance(url: str) -> str:
    """The host of a usual address; perhaps a wrong one for an odd spelling (port, credentials, international name)."""
    return url.partition("://")[2].partition("/")[0].partition(":")[0].casefold().removeprefix("www.")

"""Which hits are read: each address once, few of one domain, none outside the limits of the request."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from deepresearch_mcp.pipeline.research.fusion import within_limits
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Document, Hit, Link, Unread
from deepresearch_mcp.text.library_urls import LIBRARY
from deepresearch_mcp.text.url_secrets import without_secrets
from deepresearch_mcp.text.urls import in_domains, normalise_url, site_of

_EASE = 60
"""Added to every rank, so that a page that several queries found comes before one that a single query placed first."""
_SHARED = 2
"""Best hits of a query that are read even if another sub-question reads them too."""


class Frontier:
    """The addresses that a run has admitted so far."""

    def __init__(self, filters: Filters, domain_cap: int, *, strict_dates: bool, web: bool = True) -> None:
        """`web=False`: no page is read but those of collections and of the request itself."""
        self._web = web
        self._filters = filters
        self._never = Filters(exclude_domains=filters.exclude_domains)
        """The limits that hold for the pages of the request too."""
        self._given: set[str] = set()
        """The pages that the request itself names."""
        self._cap = domain_cap
        self._strict = strict_dates
        self._seen: set[str] = set()
        self._sites: Counter[str] = Counter()
        self._known: dict[str, str] = {}
        self._readers: defaultdict[str, set[str]] = defaultdict(set)
        self._places: dict[str, dict[str, float]] = {}
        self.refused: dict[str, Unread] = {}
        """Hits outside the limits, by address."""
        self.crowded_out: dict[str, Unread] = {}
        """Best hits of a query that were not read because of the cap of their site, by normalised address."""
        self.returned: dict[str, set[str]] = {}
        """Engines that returned a page, by normalised address."""

    def notice(self, hits: Sequence[Hit]) -> list[Hit]:
        """The hits within the limits; leads may lead to them from now on. The others are kept as refused."""
        allowed, refused = within_limits(hits, self._filters, strict_dates=self._strict)
        for hit in allowed:
            address = normalise_url(hit.url) or hit.url
            self.returned.setdefault(address, set()).update(hit.engines)
            self._known.setdefault(address, hit.url)
        for unread in refused:
            self.refused.setdefault(unread.url, unread)
        return allowed

    def place(self, key: str, hits: Sequence[Hit]) -> None:
        """Note how well the pages are placed among the hits of one answer, which `key` names."""
        self._places[key] = {normalise_url(hit.url) or hit.url: 1 / (_EASE + rank) for rank, hit in enumerate(hits, 1)}

    def standing(self) -> dict[str, float]:
        """How well each page is placed among the hits of all answers: reciprocal ranks summed, 1 for the best page."""
        found: dict[str, float] = {}
        for key in sorted(self._places):
            for address, worth in self._places[key].items():
                found[address] = found.get(address, 0.0) + worth
        best = max(found.values(), default=1.0)
        return {address: worth / best for address, worth in found.items()}

    def within(self, urls: Iterable[str]) -> tuple[str, ...]:
        """The addresses named in a question that its limits allow; the others are kept as refused."""
        return self._allowed(urls, self._filters)

    def given(self, urls: Iterable[str]) -> tuple[str, ...]:
        """The pages of the request that may be read: all whose domain is not excluded, whatever else it limits."""
        allowed = self._allowed(urls, self._never)
        self._given.update(normalise_url(url) or url for url in allowed)
        return allowed

    def _allowed(self, urls: Iterable[str], filters: Filters) -> tuple[str, ...]:
        allowed, refused = within_limits([Hit(url=url) for url in urls], filters, strict_dates=False)
        for unread in refused:
            shown = without_secrets(unread.url)
            self.refused.setdefault(shown, unread.model_copy(update={"url": shown}))
        return tuple(hit.url for hit in allowed)

    def choose(self, hits: Sequence[Hit], wanted: int, sub_question: str, *, later: bool = False) -> list[Hit]:
        """The best `wanted` new hits within the limits; they count as admitted.

        One of the two best hits is taken beside these if another sub-question has admitted it: it is read for both and
        fetched once. The two best hits of a `later` query, which asks for what is missing, are not bound by the cap of
        a site.
        """
        chosen: list[Hit] = []
        for rank, hit in enumerate(self.notice(hits)):
            if wanted <= 0:
                break
            if not self._web and not self._is_own(hit.url):
                continue
            best = rank < _SHARED
            new = self._room_for(hit.url, beyond=best and later)
            if new or (best and self._shared(hit.url, sub_question)):
                wanted -= new
                chosen.append(hit)
                # At once, as the next hit may be of the same domain.
                self.restore([hit.url], sub_question)
        return chosen

    def pass_over(self, hits: Sequence[Hit]) -> None:
        """Note which of the two best hits stay unread because of the cap of their site."""
        allowed, _ = within_limits(hits, self._filters, strict_dates=self._strict)
        for hit in allowed[:_SHARED]:
            if (address := normalise_url(hit.url) or hit.url) not in self._seen and not self._room_for(hit.url):
                detail = f"{self._cap} pages of its site are read, as many as research.domain_cap allows."
                self.crowded_out[address] = Unread(url=hit.url, reason="domain_cap", detail=detail)

    def again(self, hits: Sequence[Hit], reader: str, most: int = _SHARED) -> list[Hit]:
        """Those of the `most` best hits that were admitted before for other readers. They cost no fetch."""
        found = [hit for hit in self.notice(hits)[:most] if self._shared(hit.url, reader)]
        self.restore((hit.url for hit in found), reader)
        return found

    def _shared(self, url: str, sub_question: str) -> bool:
        address = normalise_url(url) or url
        return address in self._seen and sub_question not in self._readers[address]

    def restore(self, urls: Iterable[str], sub_question: str) -> None:
        """Count addresses as admitted: just chosen, or chosen before a crash."""
        for url in urls:
            address = normalise_url(url) or url
            self._readers[address].add(sub_question)
            if address not in self._seen:
                self._seen.add(address)
                self.crowded_out.pop(address, None)
                self._sites[_site(url)] += 1

    def is_also_at(self, url: str, others: Iterable[str]) -> None:
        """Count the other addresses of a page that was read as admitted, for the same readers and at no site's cap."""
        own = normalise_url(url) or url
        for other in others:
            address = normalise_url(other) or other
            self._seen.add(address)
            self._readers[own] |= self._readers[address]
            self._readers[address] = self._readers[own]

    def may_follow(self, url: str, links: Sequence[Link]) -> bool:
        """Whether the address of a lead is a hit or a link on the page, and within the limits."""
        address = normalise_url(url)
        known = address in self._known or any(normalise_url(link.url) == address for link in links)
        if not self._web and not self._is_own(url):
            return False
        if not address or not known or in_domains(url, self._filters.exclude_domains):
            return False
        if any(normalise_url(refused) == address for refused in self.refused):
            return False
        inside = not self._filters.include_domains or in_domains(url, self._filters.include_domains)
        return inside and self._room_for(url)

    def _is_own(self, url: str) -> bool:
        return url.startswith(LIBRARY) or (normalise_url(url) or url) in self._given

    def as_known(self, url: str, links: Sequence[Link]) -> str:
        """The address of a lead as the hit or the link spells it.

        The fetcher may read the lead's own spelling differently (credentials, odd slashes).
        """
        address = normalise_url(url)
        return self._known.get(address) or next(link.url for link in links if normalise_url(link.url) == address)

    def objection(self, document: Document) -> Unread | None:
        """Why a fetched page is outside the limits, by its own date and its final address; None if it is inside.

        Engines often give no date. A page without a date stays.
        """
        engines = ("local",) if document.url.startswith(LIBRARY) else ()
        hit = Hit(url=document.url, published=document.published, engines=engines)
        own = {normalise_url(url) or url for url in (document.url, document.requested_url)} & self._given
        _, refused = within_limits([hit], self._never if own else self._filters, strict_dates=False)
        return refused[0] if refused else None

    def _room_for(self, url: str, *, beyond: bool = False) -> bool:
        if (normalise_url(url) or url) in self._seen:
            return False
        # A collection has no domain: a cap would limit the user's own documents.
        return beyond or url.startswith(LIBRARY) or self._sites[_site(url)] < self._cap


def _site(url: str) -> str:
    return url.split("/")[2] if url.startswith(LIBRARY) else site_of(url)

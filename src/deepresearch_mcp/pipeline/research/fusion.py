"""Merge the answers of several engines into one list, and apply the limits of the request. Pure functions."""

import math
from collections.abc import Sequence
from datetime import date

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Unread
from deepresearch_mcp.text.library_urls import LIBRARY
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.urls import in_domains, normalise_url

_LOCAL = "local"
"""The one engine whose word on a library address counts: it looks only into the collections asked for."""

_SAYS = 0.3
"""What the hit whose snippet says most gains; from the first place of an answer to the tenth a score falls by 0.13.

Key facts on the pages that `bench/reach.py` fetches: 0.776 without, 0.822, 0.839, 0.850 and 0.839 with a gain of 0.2,
0.3, 0.6 and 1; it is the least that helps both of its questions.
"""

RankedHit = tuple[int, int, Hit]
"""Rank in an answer from 1, which answer, and what stood there."""


def fuse_hits(answers: Sequence[Sequence[Hit]], k: int = 60) -> list[Hit]:
    """Merge ranked answers by reciprocal rank: a page scores the sum of 1 / (k + rank) over the answers that hold it.

    Pages are the same by `normalise_url`; of one answer only the best place of a page counts. A merged hit has the
    address of its best place, all engines, the longest snippet, the earliest date and the best-placed title that is
    not cut off. Of equal scores, the page of the earlier answer comes first. `k` as in the paper that introduced
    reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).
    """
    places: dict[str, list[RankedHit]] = {}
    for number, answer in enumerate(answers):
        seen: set[str] = set()
        for rank, found in enumerate(answer, 1):
            key = normalise_url(found.url) or found.url
            if key not in seen:
                seen.add(key)
                places.setdefault(key, []).append((rank, number, found))
    # fsum rounds once: the order in which answers come cannot change a score.
    scored = [(math.fsum(1 / (k + rank) for rank, _, _ in held), held) for held in places.values()]
    scored.sort(key=lambda pair: (-pair[0], pair[1][0][1], pair[1][0][0]))
    return [_merged(score, held) for score, held in scored]


def by_words(query: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits with their scores weighed by what titles and snippets say of the query's words, best first.

    An engine that ranks by words alone places ten release notes that name a function before the page whose snippet
    answers the query. Without snippets, or if none holds a word of the query, all stay as they are. Files of a library
    were ranked by all that they say: they keep their order, and gain as much as the best page.
    """
    said = Ranker([f"{hit.title}\n{hit.snippet}" for hit in hits]).scores(query)
    files = [hit.url.startswith(LIBRARY) for hit in hits]
    best = max((own for own, file in zip(said, files, strict=True) if not file), default=0.0)
    if best <= 0:
        return list(hits)
    weighed = [
        hit.model_copy(update={"score": hit.score * (1 + _SAYS * (1.0 if file else own / best))})
        for hit, own, file in zip(hits, said, files, strict=True)
    ]
    return sorted(weighed, key=lambda hit: -hit.score)


def within_limits(hits: Sequence[Hit], filters: Filters, *, strict_dates: bool) -> tuple[list[Hit], list[Unread]]:
    """The hits that may be read, and those that may not with the reasons; both in the order given.

    Domain limits concern the web: documents of a collection always meet them. Both ends of the dates are inclusive. A
    hit without a date stays, unless `strict_dates`. An address that is neither http(s) nor of the engine of collections
    is refused as `address_refused`, all else as `off_limits`.
    """
    admitted: list[Hit] = []
    refused: list[Unread] = []
    for found in hits:
        reason = _objection(found, filters, strict_dates)
        if reason is None:
            admitted.append(found)
        else:
            refused.append(Unread(url=found.url, reason=reason[0], detail=reason[1]))
    return admitted, refused


def _objection(found: Hit, filters: Filters, strict_dates: bool) -> tuple[str, str] | None:
    # Any engine may return a library address; trusted, it would open a collection that was not asked for.
    if not (found.url.startswith(LIBRARY) and _LOCAL in found.engines):
        if not normalise_url(found.url):
            return "address_refused", "It is no http or https address."
        if in_domains(found.url, filters.exclude_domains):
            return "off_limits", "Its domain is excluded."
        if filters.include_domains and not in_domains(found.url, filters.include_domains):
            return "off_limits", "Its domain is none of those asked for."
    return _date_objection(found.published, filters, strict_dates)


def _date_objection(published: date | None, filters: Filters, strict_dates: bool) -> tuple[str, str] | None:
    after, before = filters.published_after, filters.published_before
    if published is None:
        if strict_dates and (after or before):
            return "off_limits", "It has no date, and dates are strict."
        return None
    if (after and published < after) or (before and published > before):
        return "off_limits", f"It is of {published.isoformat()}, outside the dates asked for."
    return None


def _merged(score: float, held: Sequence[RankedHit]) -> Hit:
    ranked = [found for _, _, found in sorted(held, key=lambda place: place[:2])]
    titles = [found.title for found in ranked if found.title]
    whole = [title for title in titles if not title.endswith(("…", "..."))]
    dates = [found.published for found in ranked if found.published]
    return Hit(
        url=ranked[0].url,
        title=whole[0] if whole else max(titles, key=len, default=""),
        snippet=max((found.snippet for found in ranked), key=len),
        published=min(dates, default=None),
        engines=tuple(dict.fromkeys(engine for _, _, found in held for engine in found.engines)),
        score=score,
    )

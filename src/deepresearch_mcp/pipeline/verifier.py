"""Verify: hold each claim against its own words, by machine, then by one who sees nothing else; count witnesses."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from weakref import WeakKeyDictionary

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.screen import MACHINE, is_clean
from deepresearch_mcp.ports.journal import At
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.near_duplicates import is_near_duplicate, sketch
from deepresearch_mcp.text.numbers import missing_details, names
from deepresearch_mcp.text.planted import is_planted
from deepresearch_mcp.text.urls import addresses_in, site_of
from deepresearch_mcp.thinkers.base import Thinker

KEPT: frozenset[Verdict] = frozenset({"supported", "partly", "disputed"})
"""Verdicts that may be written."""

_SAME = 0.8
"""Share of content words in common when two claims say the same; numbers and names must be equal besides."""


async def verify(
    brief: Brief, claims: Sequence[Claim], documents: Mapping[str, Document], thinker: Thinker, at: At
) -> list[Claim]:
    """Give every claim a verdict, in the order given: gate 1 by machine, gate 2 by the thinker.

    A judgement that cannot be had, at a ceiling too, leaves a claim that passed the
    machine `supported` by it, and `checked_by` says so; one bad answer never ends a
    run, and what was read is never lost.

    Raises:
        KeyRefused: Going on would fail in the same way.
    """
    checked = [by_machine(claim, documents) for claim in claims]
    open_claims = [claim for claim in checked if claim.verdict == "supported"]
    if not open_claims:
        return checked
    try:
        judgements = await thinker.judge(brief, open_claims, at)
    except KeyRefused:
        raise
    except (ProviderError, BudgetExceeded):
        return checked
    given = {judgement.claim_id: judgement for judgement in judgements}
    return [_judged(claim, given.get(claim.claim_id)) for claim in checked]


def by_machine(claim: Claim, documents: Mapping[str, Document]) -> Claim:
    """Gate 1: the quote stands in the snapshot, and the claim's numbers, dates, negations and names stand by it."""
    quote = claim.quotes[0]
    document = documents[quote.source_id]
    if document.text[quote.start : quote.end] != quote.text:
        return claim.model_copy(
            update={"verdict": "unsupported", "reason": "the quote is not in the snapshot", "checked_by": "machine"}
        )
    if not is_clean(document, quote.start, quote.end) or is_planted(claim.text):
        return claim.model_copy(update={"verdict": "unsupported", "reason": MACHINE, "checked_by": "machine"})
    missing = missing_details(claim.text, quote.text)
    # A self-contained claim names what its quote calls "it": the name may stand around the quote or in the title.
    own, nearby = names(claim.text), missing_details(claim.text, f"{document.title}\n{quote.context}\n{quote.text}")
    missing = tuple(detail for detail in missing if detail not in own or detail in nearby)
    # An address is the program's to give: one that the quote does not hold was typed by the reader.
    missing += tuple(one for one in addresses_in(claim.text) if one.casefold() not in quote.text.casefold())
    verdict: Verdict = "unsupported" if missing else "supported"
    reason = f"not in the quote: {', '.join(missing)}" if missing else ""
    return claim.model_copy(update={"verdict": verdict, "reason": reason, "checked_by": "machine"})


def _judged(claim: Claim, judgement: Judgement | None) -> Claim:
    if claim.verdict != "supported" or judgement is None:
        return claim
    return claim.model_copy(
        update={"verdict": judgement.verdict, "reason": judgement.reason, "checked_by": judgement.by}
    )


def settle(claims: Sequence[Claim], documents: Mapping[str, Document]) -> dict[str, Claim]:
    """Gate 3: every claim's id with the claim that stands for it.

    Claims that say the same are one, the best founded of them, with the quotes that
    carry its verdict and the number of independent sources behind it.
    """
    merged: list[Claim] = []
    keys: list[tuple[frozenset[str], tuple[str, ...]]] = []
    stands_for: dict[str, int] = {}
    for claim in claims:
        words, details = _said(claim.text)
        for index, (other, its_details) in enumerate(keys):
            if details == its_details and _alike(words, other) >= _SAME:
                merged[index] = _join(merged[index], claim)
                stands_for[claim.claim_id] = index
                break
        else:
            stands_for[claim.claim_id] = len(merged)
            merged.append(claim)
            keys.append((words, details))
    witnesses = Witnesses(documents)
    counted = [witnesses.count(claim) for claim in merged]
    return {name: counted[index] for name, index in stands_for.items()}


@lru_cache(maxsize=2048)
def _said(text: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The stems of a claim, and its details in their order: who outdoes whom is told by nothing else."""
    return frozenset(map(stem, content_words(text))), missing_details(text, "")


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    # A word put in the place of another may be its opposite: one claim may only say more than the other.
    return len(one & other) / max(1, len(one | other)) if one <= other or other <= one else 0.0


def _join(first: Claim, second: Claim) -> Claim:
    stronger, weaker = (first, second) if _weight(first) >= _weight(second) else (second, first)
    # Words that carry a claim in part are no witness of the whole; a dispute keeps both sides.
    carried = weaker.quotes if stronger.verdict in {weaker.verdict, "disputed"} else ()
    quotes = dict.fromkeys((*stronger.quotes, *carried))
    return stronger.model_copy(update={"quotes": tuple(quotes), "score": max(first.score, second.score)})


def _weight(claim: Claim) -> int:
    return {"disputed": 2, "supported": 1}.get(claim.verdict, 0)


def publisher(document: Document) -> str:
    """Whose word a document is: its registrable domain."""
    # A collection is one shelf, not one author: there each document is a witness.
    return document.source_id if document.url.startswith("library://") else site_of(document.url)


_sketches: WeakKeyDictionary[Document, tuple[int, ...]] = WeakKeyDictionary()
"""A report settles its claims once for each section; a page is sketched once, as long as it is held."""


def _sketch(document: Document) -> tuple[int, ...]:
    if document not in _sketches:
        _sketches[document] = sketch(document.text)
    return _sketches[document]


class Witnesses:
    """How many independent sources a claim has; copies of one text and the pages of one domain are one."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._group: dict[str, str] = {}
        holders: dict[int, list[str]] = {}
        for source_id, document in documents.items():
            own = _sketch(document)
            # Only pages with a hash in common can be copies: the others need no look.
            near = {name for value in own for name in holders.get(value, ())}
            twin = next(
                (name for name in documents if name in near and is_near_duplicate(own, _sketch(documents[name]))), None
            )
            self._group[source_id] = self._group[twin] if twin else publisher(document)
            for value in own:
                holders.setdefault(value, []).append(source_id)

    def count(self, claim: Claim) -> Claim:
        """The claim with its number of independent sources."""
        groups = {self._group.get(quote.source_id, quote.source_id) for quote in claim.quotes}
        return claim.model_copy(update={"independent": len(groups)})

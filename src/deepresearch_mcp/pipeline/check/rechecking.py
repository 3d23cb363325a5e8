"""Check a stored run again: its quotes, its snapshots, its verdicts. Nothing is fetched."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import anyio.to_thread

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.pipeline.check.evidence import CitedPage
from deepresearch_mcp.pipeline.check.evidence import page_verdict as page_gate
from deepresearch_mcp.pipeline.machine_gate import by_machine, is_for_a_reader, is_readers_word
from deepresearch_mcp.pipeline.numbering import link_to
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.ports.web import Screener
from deepresearch_mcp.records.checks import CheckedClaim
from deepresearch_mcp.records.evidence import Claim, Judgement, Quote
from deepresearch_mcp.records.report import SourceRow
from deepresearch_mcp.records.run import QuoteCount, Run
from deepresearch_mcp.records.sources import Document


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as it was, with those of its sources that are still intact."""

    run: Run
    documents: Mapping[str, Document]
    """By source id; only texts that still have the hash under which they were stored."""
    unusable: Mapping[str, str]
    """Sources that are stored but cannot be used → why. A source in neither mapping is no longer stored."""
    claims: tuple[CheckedClaim, ...]
    """The claims of the run with the machine's verdict of now; for `supported` a judge decides."""
    open_claims: tuple[Claim, ...]
    """The claims that a judge decides."""
    quotes: QuoteCount
    """How many quotes of all claims are still at their offsets in their snapshots."""
    unsure: frozenset[str] = frozenset()
    """Open claims that the machine refuses only for a negation that it is not sure of. A judge may overrule it."""


async def load_old(run: Run, documents: Documents, screener: Screener) -> StoredRun:
    """Load what is stored of a run, and check its quotes against it."""
    found: dict[str, Document] = {}
    lost: dict[str, str] = {}
    screenings = {card.snapshot: card.screening for card in await documents.cards(run.run_id)}
    for source in run.sources:
        text = await documents.text(source.snapshot)
        if text is None:
            continue
        if hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() != source.snapshot:
            lost[source.source_id] = CHANGED
            continue
        document = _document(source, text).model_copy(update={"screening": screenings.get(source.snapshot)})
        try:
            found[source.source_id] = await screener.screened(document)
        except FetchFailed:
            lost[source.source_id] = SLOW
    return await anyio.to_thread.run_sync(_held, run, found, lost, abandon_on_cancel=True)


GONE = "is no longer stored"
CHANGED = "was changed since"
SLOW = "could not be searched in time"
"""Why a snapshot cannot be used."""


def _held(run: Run, found: Mapping[str, Document], unusable: Mapping[str, str]) -> StoredRun:
    """The run with the verdicts of the machine."""
    claims: list[CheckedClaim] = []
    open_claims: list[Claim] = []
    unsure: set[str] = set()
    # An earlier check kept no words for what it could not decide.
    decided = [check for check in run.checks if check.quotes and check.verdict != "unverifiable"]
    for claim in (*run.claims, *map(_as_claim, decided)):
        lost = [quote.source_id for quote in claim.quotes if quote.source_id not in found]
        if lost:
            reasons = [unusable[name] for name in lost if name in unusable]
            why = CHANGED if CHANGED in reasons else next(iter(reasons), GONE)
            reason = f"its snapshot {why}"
            now = claim.model_copy(update={"verdict": "unverifiable", "reason": reason, "checked_by": "none"})
        elif claim.sub_question == _CHECKED:
            now = _page_gate(claim, found)
        else:
            now = by_machine(claim, found)
        if not lost and claim.sub_question != _CHECKED and is_for_a_reader(now, found):
            unsure.add(now.claim_id)
        if now.verdict == "supported" or now.claim_id in unsure:
            open_claims.append(now)
        claims.append(_checked(now, claim, run, found))
    quotes = [quote for claim in (*run.claims, *decided) for quote in claim.quotes]
    return StoredRun(
        run=run,
        documents=found,
        unusable=unusable,
        claims=tuple(claims),
        open_claims=tuple(open_claims),
        unsure=frozenset(unsure),
        quotes=QuoteCount(located=sum(_stands(quote, found) for quote in quotes), total=len(quotes)),
    )


def checked_again(old: StoredRun, given: Mapping[str, Judgement]) -> tuple[CheckedClaim, ...]:
    """The claims of the run, each with the verdict of today and that of then.

    A claim that another source contradicts stays `disputed`: its own words cannot change that.
    """
    contradicted = {claim.claim_id: claim for claim in old.run.claims if claim.verdict == "disputed" and claim.disputes}
    return tuple(
        _judged(one, given.get(one.claim_id), contradicted.get(one.claim_id), unsure=one.claim_id in old.unsure)
        for one in old.claims
    )


def _judged(
    one: CheckedClaim, judgement: Judgement | None, contradicted: Claim | None, *, unsure: bool
) -> CheckedClaim:
    if judgement is None or not (one.verdict == "supported" or (unsure and is_readers_word(judgement))):
        return one
    if contradicted and judgement.verdict == "supported":
        return one.model_copy(update={"verdict": "disputed", "reason": contradicted.reason, "checked_by": judgement.by})
    return one.model_copy(update={"verdict": judgement.verdict, "reason": judgement.reason, "checked_by": judgement.by})


_CHECKED = "check"
"""Stands for the sub-question of what an earlier check checked."""


def _as_claim(check: CheckedClaim) -> Claim:
    return Claim(
        claim_id=check.claim_id, sub_question=_CHECKED, text=check.text, quotes=check.quotes, verdict=check.verdict
    )


def _page_gate(claim: Claim, documents: Mapping[str, Document]) -> Claim:
    """The verdict of the gate for checks, which searches the whole page for names, as it did then."""
    quote = claim.quotes[0]
    if not _stands(quote, documents):
        return by_machine(claim, documents)
    page = CitedPage(documents[quote.source_id])
    found = page.find(claim.text, page.language)
    verdict, reason = page_gate(found) if found else ("unsupported", "nothing on the page speaks of it")
    return claim.model_copy(update={"verdict": verdict, "reason": reason, "checked_by": "machine"})


def _stands(quote: Quote, documents: Mapping[str, Document]) -> bool:
    document = documents.get(quote.source_id)
    return document is not None and document.text[quote.start : quote.end] == quote.text


def _checked(now: Claim, then: Claim, run: Run, documents: Mapping[str, Document]) -> CheckedClaim:
    quote = now.quotes[0]
    source = next((one for one in run.sources if one.source_id == quote.source_id), None)
    url = source.url if source else ""
    marks = tuple(f"[{one.key}]" for one in run.citations if now.claim_id in one.claim_ids)
    earlier = next((check for check in run.checks if check.claim_id == now.claim_id), None)
    return CheckedClaim(
        claim_id=now.claim_id,
        text=now.text,
        start=earlier.start if earlier else 0,
        end=earlier.end if earlier else 0,
        cites=earlier.cites if earlier else marks,
        urls=earlier.urls if earlier else (url,) if url else (),
        verdict=now.verdict,
        reason=now.reason,
        checked_by=now.checked_by,
        quotes=now.quotes,
        url=url,
        link=link_to(url, quote.text, source.kind, leaf=quote.page) if source and quote.source_id in documents else url,
        before=then.verdict,
    )


def _document(source: SourceRow, text: str) -> Document:
    return Document.model_validate(
        {
            **source.model_dump(exclude={"cited", "quality", "summary"}),
            "requested_url": source.url,
            "text": text,
        }
    )

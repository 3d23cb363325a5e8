from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.pipeline.check.rechecking import CHANGED, StoredRun, checked_again, load_old
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.records.checks import CheckedClaim
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from deepresearch_mcp.records.report import Citation, SourceRow
from deepresearch_mcp.records.run import QuoteCount, Run
from deepresearch_mcp.records.sources import Document, DocumentCard
from deepresearch_mcp.store.sqlite import open_sqlite_store
from pipeline_fakes import claim, page

ICE = page("https://ice.example/a", "Ice floats on water. It is about 9 percent less dense than water.", title="Ice")
GONE = page("https://gone.example/b", "Snow is white and cold.")


def row(document: Document) -> SourceRow:
    known = document.model_dump(include=set(SourceRow.model_fields))
    return SourceRow.model_validate(known | {"cited": True})


def run_of(claims: Sequence[Claim], checks: Sequence[CheckedClaim] = (), *documents: Document) -> Run:
    cited = [
        Citation(
            number=number,
            claim_ids=(one.claim_id,),
            url="",
            link="",
            **one.quotes[0].model_dump(include={"source_id", "snapshot", "start", "end"}),
            quote=one.quotes[0].text,
        )
        for number, one in enumerate(claims, 1)
    ]
    return Run(
        run_id="old",
        status="completed",
        stage="ended",
        question="Why?",
        claims=tuple(claims),
        checks=tuple(checks),
        citations=tuple(cited),
        sources=tuple(row(one) for one in documents or (ICE,)),
    )


class Kept:
    """The texts of documents by their snapshots."""

    def __init__(self, *documents: Document, **changed: str) -> None:
        self._texts = {one.snapshot: one.text for one in documents} | changed

    async def text(self, snapshot: str) -> str | None:
        return self._texts.get(snapshot)

    async def cards(self, run_id: str) -> list[DocumentCard]:
        """They were stored without a screening."""
        del run_id
        return []


class Searches:
    """Screens documents, but for those whose words nobody can search."""

    def __init__(self, *endless: str) -> None:
        self._endless = endless

    async def screened(self, document: Document) -> Document:
        if document.source_id in self._endless:
            raise FetchFailed(document.url, "timed_out", "Screening the page's text took too long.")
        return page(document.url, document.text, title=document.title)


async def load(run: Run, *documents: Document, endless: tuple[str, ...] = (), **changed: str) -> StoredRun:
    kept: Documents = Kept(*documents, **changed)  # pyright: ignore[reportAssignmentType] - nothing else is asked for
    return await load_old(run, kept, Searches(*endless))


def judged(old: StoredRun, verdict: Verdict) -> list[CheckedClaim]:
    given = {one.claim_id: Judgement(claim_id=one.claim_id, verdict=verdict, reason="so") for one in old.open_claims}
    return list(checked_again(old, given))


FLOATS = claim(ICE, "Ice floats on water.")


async def test_what_stands_as_it_was_is_judged_again_with_its_marks_and_links() -> None:
    old = await load(run_of([FLOATS]), ICE)
    [one] = judged(old, "supported")

    assert old.quotes == QuoteCount(located=1, total=1)
    assert (one.verdict, one.before, one.cites, one.url) == ("supported", "supported", ("[1]",), ICE.url)
    assert one.link.endswith("#:~:text=Ice%20floats%20on%20water.")
    [other] = judged(old, "partly")
    assert (other.verdict, other.before, other.reason) == ("partly", "supported", "so")


async def test_real_snapshots_are_found_by_their_hash(tmp_path: Path) -> None:
    async with open_sqlite_store(tmp_path, HandClock()) as store:
        await store.documents.save(ICE, "old")

        old = await load_old(run_of([FLOATS]), store.documents, Searches())

    assert old.documents[ICE.source_id].text == ICE.text


async def test_a_snapshot_that_is_gone_or_changed_leaves_its_claims_unverifiable() -> None:
    lost = claim(GONE, "Snow is white and cold.")
    gone = await load(run_of([lost], (), GONE))
    changed = await load(run_of([lost], (), GONE), **{GONE.snapshot: "Snow is black."})

    assert [(one.verdict, one.reason) for one in gone.claims] == [("unverifiable", "its snapshot is no longer stored")]
    assert [(one.verdict, one.reason) for one in changed.claims] == [("unverifiable", "its snapshot was changed since")]
    assert changed.unusable == {GONE.source_id: CHANGED}
    assert (changed.open_claims, changed.quotes) == ((), QuoteCount(located=0, total=1))


async def test_a_snapshot_that_cannot_be_searched_in_time_leaves_its_claims_unverifiable() -> None:
    old = await load(run_of([FLOATS]), ICE, endless=(ICE.source_id,))

    [one] = old.claims
    assert (one.verdict, one.reason) == ("unverifiable", "its snapshot could not be searched in time")
    assert (old.documents, old.open_claims) == ({}, ())


async def test_a_quote_that_was_moved_fails_and_so_does_a_figure_that_is_not_in_it() -> None:
    moved = FLOATS.model_copy(update={"quotes": (FLOATS.quotes[0].model_copy(update={"start": 1, "end": 21}),)})
    wrong = claim(ICE, "It is about 9 percent less dense than water.", "It is 12 percent less dense than water.")
    old = await load(run_of([moved, wrong]), ICE)

    assert [(one.verdict, one.reason) for one in judged(old, "supported")] == [
        ("unsupported", "the quote is not in the snapshot"),
        ("unsupported", "not in the quote: 12%"),
    ]
    assert old.quotes == QuoteCount(located=1, total=2)


@pytest.mark.parametrize(("now", "shown"), [("supported", "disputed"), ("unsupported", "unsupported")])
async def test_a_claim_that_another_source_contradicts_stays_disputed(now: Verdict, shown: Verdict) -> None:
    contested = FLOATS.model_copy(update={"verdict": "disputed", "reason": "others differ", "disputes": ("c1",)})
    [one] = judged(await load(run_of([contested]), ICE), now)

    assert (one.verdict, one.before) == (shown, "disputed")


async def test_an_earlier_check_is_checked_by_the_rules_of_a_check() -> None:
    def check(name: str, text: str, verdict: Verdict) -> CheckedClaim:
        return CheckedClaim(
            claim_id=name, text=text, start=5, end=9, cites=("[7]",), urls=("u",), verdict=verdict, quotes=FLOATS.quotes
        )

    earlier = [
        check("k1", "Ice floats on water.", "supported"),
        check("k2", "Ice is 12 percent less dense than water.", "supported"),
        check("k3", "Nobody knows.", "unverifiable"),
        check("k4", "Zebras gallop.", "unsupported"),
    ]
    broken = check("k5", "Ice floats on water.", "supported")
    broken = broken.model_copy(update={"quotes": (FLOATS.quotes[0].model_copy(update={"end": 3}),)})
    old = await load(run_of([], [*earlier, broken]), ICE)
    found = judged(old, "supported")

    assert [(one.claim_id, one.verdict) for one in found] == [
        ("k1", "supported"),
        ("k2", "disputed"),
        ("k4", "unsupported"),
        ("k5", "unsupported"),
    ]
    assert (found[0].start, found[0].end, found[0].cites, found[0].urls) == (5, 9, ("[7]",), ("u",))


LOCK = page("https://lock.example/a", "Other ships are prevented from entering or leaving the port in winter.")


@pytest.mark.parametrize(("by", "verdict"), [("self", "supported"), ("machine", "unsupported")])
async def test_a_denial_that_may_be_none_is_put_to_a_reader_again(by: Any, verdict: Verdict) -> None:
    own = claim(LOCK, LOCK.text, "Other ships cannot enter or leave the port in winter.")
    old = await load(run_of([own], (), LOCK), LOCK)

    assert [one.claim_id for one in old.open_claims] == [own.claim_id]
    [now] = checked_again(old, {own.claim_id: Judgement(claim_id=own.claim_id, verdict="supported", by=by)})
    assert (now.verdict, now.before) == (verdict, "supported")

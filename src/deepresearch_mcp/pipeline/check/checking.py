"""Check every statement of a cited text against the pages that it cites, and nothing else."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import anyio
import anyio.to_thread

from deepresearch_mcp.cited_text.parse import CitedText, Statement, parse_cited_text
from deepresearch_mcp.events import Claimed, StageEntered
from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.check.citing_order import cited_addresses, in_batches
from deepresearch_mcp.pipeline.check.evidence import BestWords, CitedPage, best_pages, page_verdict
from deepresearch_mcp.pipeline.check.rechecking import StoredRun, checked_again
from deepresearch_mcp.pipeline.check.verdicts import CitedPair, checked, paired
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.pipeline.pages import Pages, WantedPage
from deepresearch_mcp.pipeline.scope import scope
from deepresearch_mcp.pipeline.signal import at_most
from deepresearch_mcp.pipeline.telling import tell_verdicts
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.checks import CheckedClaim, CheckRequest
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import QuoteCount
from deepresearch_mcp.records.sources import Document, Unread
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.url_secrets import without_secrets
from deepresearch_mcp.text.urls import normalise_url
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.staged import goes_by_rules
from deepresearch_mcp.thinkers.tasks import JudgeClaims

_SAMPLE = 20
"""Statements from which the language of a text is guessed."""
_PAGES = 3
"""Pages that a judge is shown for one statement, one by one: those that hold most of it."""
_COMPARING = 10.0
"""Seconds that the machine has for the rest, once the time of the check is over."""
_AT_A_TIME = 20
"""Statements that are compared in one go, before other tasks get a turn."""


@dataclass(slots=True)
class CheckFindings:
    """Grows while a check runs. A report can be made of it at any moment."""

    request: CheckRequest
    brief: Brief
    cited: CitedText = field(default_factory=lambda: CitedText((), (), ()))
    checks: tuple[CheckedClaim, ...] = ()
    documents: Mapping[str, Document] = field(default_factory=dict[str, Document])
    unread: Sequence[Unread] = ()
    quotes: QuoteCount = field(default_factory=QuoteCount)
    """The quotes of the run that is checked again: those that are still in their snapshots."""
    old: StoredRun | None = None
    by_rule: str = ""
    """`judge` if the last resort judged something that a model did not; empty otherwise."""
    ceiling: str = ""
    """The ceiling that cut the check short, if one did."""

    @property
    def cut_short(self) -> bool:
        """Whether the check is partial."""
        return bool(self.ceiling)

    @property
    def worth_writing(self) -> bool:
        """Whether anything was judged."""
        return bool(self.checks)


class Checking:
    """One check of a text, or of a stored run. `findings` grows while it runs."""

    def __init__(self, request: CheckRequest, parts: Dependencies, old: StoredRun | None = None) -> None:
        self._request = request
        self._parts = parts
        self._pages: dict[str, WantedPage] = {}
        self._prepared: dict[str, CitedPage] = {}
        brief = scope(ResearchRequest(question=request.question), date.min)
        self.findings = CheckFindings(request, brief, old=old)

    async def run(self) -> None:
        """Read the text, fetch what it cites, and judge. All results go into `findings`.

        Raises:
            KeyRefused: A model's key is not accepted; every later call would fail too.
            ModelUnusable: The first call to the model that was asked for failed.
        """
        parts, findings = self._parts, self.findings
        today = await parts.journal.step(Step(steps.TODAY), self._today, kind="decision", result=date)
        findings.brief = scope(ResearchRequest(question=self._request.question), today)
        if findings.old:
            self._speak([claim.text for claim in findings.old.open_claims])
            parts.emit(StageEntered("reflecting"))
            await self._judged(self._again)
            return
        findings.cited = await anyio.to_thread.run_sync(parse_cited_text, self._request.text, abandon_on_cancel=True)
        self._speak([statement.text for statement in findings.cited.claims])
        parts.emit(Claimed("", len(findings.cited.claims), 0))
        parts.emit(StageEntered("researching"))
        await self._fetch()
        parts.emit(StageEntered("reflecting"))
        await self._judged(self._weigh)

    async def write_up(self) -> None:
        """Judge what was read so far, at once and without cost."""
        if not self.findings.checks:
            self.findings.by_rule = "judge"
            await (self._again if self.findings.old else self._weigh)(self._parts.last_resort)

    async def _today(self) -> date:
        return self._parts.clock.today()

    def _speak(self, statements: Sequence[str]) -> None:
        """Set the language of what is checked, from the statements themselves."""
        language = guess(" ".join(statements[:_SAMPLE])[:5000])
        self.findings.brief = self.findings.brief.model_copy(update={"language": language})

    def _met(self, ceiling: str) -> None:
        self.findings.ceiling = self.findings.ceiling or ceiling

    async def _fetch(self) -> None:
        """Fetch the first page of every statement before the second of any; no more pages than the ceiling allows."""
        parts, findings = self._parts, self.findings
        wanted = list(cited_addresses(findings.cited.claims))
        tried, rest = wanted[: self._request.shape.max_pages], wanted[self._request.shape.max_pages :]
        if rest:
            self._met("max_pages")
        async with anyio.create_task_group() as tasks:
            pages = Pages(parts.web, tasks, parts.emit)

            async def all_read() -> None:
                limiter = anyio.CapacityLimiter(_AT_ONCE)

                async def one(url: str) -> None:
                    async with limiter:
                        page = pages.want(url, "", ())
                        self._pages[normalise_url(url)] = page
                        await page.done.wait()

                await anyio.amap(one, tried)

            try:
                if not await at_most(parts.clock, parts.ledger.research_seconds_left, all_read):
                    self._met("max_minutes")
            finally:
                findings.documents = pages.documents
                beyond = [
                    Unread(
                        url=without_secrets(url), reason="ceiling", detail="More addresses are cited than max_pages."
                    )
                    for url in rest
                ]
                findings.unread = [*pages.unread, *beyond]
                if any(one.reason == "ceiling" for one in pages.unread):
                    self._met(parts.ledger.fullest)
                tasks.cancel_scope.cancel()

    async def _judged(self, judge: Callable[[Thinker], Awaitable[None]]) -> None:
        """Judge with the thinker; if the time ends, with the last resort."""
        parts = self._parts

        async def ask() -> None:
            await judge(parts.thinker)

        if not await at_most(parts.clock, parts.ledger.seconds_left, ask):
            self._met("max_minutes")
            self.findings.by_rule = "judge"

            async def compare() -> None:
                await judge(parts.last_resort)

            if not await at_most(parts.clock, _COMPARING, compare):
                self._unjudged()
        self._met(parts.ledger.refused)
        kept = sum(one.verdict == "supported" for one in self.findings.checks)
        tell_verdicts("", self.findings.checks, kept, parts.emit)

    def _unjudged(self) -> None:
        """Without time to judge: a stored run keeps the verdicts of the machine, a text has none."""
        if old := self.findings.old:
            self._keep(old, {})
            return
        slow = [
            (statement, [CitedPair(mark, unread=Unread(url=mark.url, reason="slow")) for mark in statement.marks])
            for statement in self.findings.cited.claims
        ]
        self.findings.checks = tuple(
            checked(statement, [paired(pair, {}) for pair in pairs], self.findings.documents)
            for statement, pairs in slow
        )

    async def _weigh(self, thinker: Thinker) -> None:
        """Every statement against the pages it cites."""
        claims = self.findings.cited.claims
        pairs: list[list[CitedPair]] = []
        for first in range(0, len(claims), _AT_A_TIME):
            # In a thread and in small groups: the event loop stays free, and a cancellation takes effect soon.
            some = claims[first : first + _AT_A_TIME]
            pairs += await anyio.to_thread.run_sync(self._all_pairs, some, abandon_on_cancel=True)
        judgeable = {
            pair.found.claim.claim_id: pair.found
            for own in pairs
            for pair in own
            if pair.found and (pair.found.unsure or page_verdict(pair.found)[0] == "supported")
        }
        # Rules compare words, and two languages have none in common.
        by_rules = goes_by_rules(thinker)
        asked = [one.claim for one in judgeable.values() if not ((one.foreign or one.unsure) and by_rules)]
        given = await self._ask(asked, thinker)
        self.findings.checks = tuple(
            checked(statement, [paired(pair, given) for pair in own], self.findings.documents)
            for statement, own in zip(claims, pairs, strict=True)
        )

    def _all_pairs(self, statements: Sequence[Statement]) -> list[list[CitedPair]]:
        return [self._pairs(statement) for statement in statements]

    def _pairs(self, statement: Statement) -> list[CitedPair]:
        """The statement with each page that it cites; of the pages read, only the best are judged."""
        language = self.findings.brief.language
        found: list[BestWords] = []
        pairs: list[CitedPair] = []
        # A number without letters stands for all quotes of its page, which is searched once.
        known: dict[str, tuple[BestWords | None, bool]] = {}
        for mark in statement.marks:
            page = self._pages.get(normalise_url(mark.url)) if mark.url else None
            if page is None or page.document is None or "paywalled" in page.document.flags:
                pairs.append(CitedPair(mark, unread=_why_unread(page)))
                continue
            if page.document.source_id not in known:
                prepared = self._page(page.document)
                best = prepared.find(statement.text, language)
                known[page.document.source_id] = (best, prepared.foreign(statement.text, language))
                found += [best] if best else []
            best, foreign = known[page.document.source_id]
            pairs.append(CitedPair(mark, best, foreign=foreign, read=True))
        kept = {one.claim.claim_id for one in best_pages(found, _PAGES)}
        return [pair for pair in pairs if pair.found is None or pair.found.claim.claim_id in kept]

    def _page(self, document: Document) -> CitedPage:
        if document.source_id not in self._prepared:
            self._prepared[document.source_id] = CitedPage(document)
        return self._prepared[document.source_id]

    async def _again(self, thinker: Thinker) -> None:
        """Judge every claim of the stored run against its words of then."""
        old = self.findings.old
        if old is None:
            return
        self._keep(old, await self._ask(old.open_claims, thinker))

    def _keep(self, old: StoredRun, judged: Mapping[str, Judgement]) -> None:
        self.findings.checks = checked_again(old, judged)
        self.findings.documents = old.documents
        self.findings.quotes = old.quotes
        self._parts.emit(Claimed("", len(self.findings.checks), 0))

    async def _ask(self, claims: Sequence[Claim], thinker: Thinker) -> dict[str, Judgement]:
        """A judgement for every claim, in batches; the last resort judges what the thinker leaves open.

        Raises:
            KeyRefused: Every later call would fail too.
        """
        size = self._parts.settings.batch_chars

        async def one(batch: Sequence[Claim]) -> Sequence[Judgement]:
            step = Step(steps.check(claim.claim_id for claim in batch))
            try:
                return await thinker.ask(JudgeClaims(self.findings.brief, batch), step)
            except KeyRefused:
                raise
            except (ProviderError, BudgetExceeded):
                return ()

        answers = await anyio.amap(one, list(in_batches(claims, size)))
        given = {judgement.claim_id: judgement for answer in answers for judgement in answer}
        left = [claim for claim in claims if claim.claim_id not in given]
        if left:
            self.findings.by_rule = "judge"
            step = Step(steps.check(claim.claim_id for claim in left)).part("rest")
            rest = await self._parts.last_resort.ask(JudgeClaims(self.findings.brief, left), step)
            given |= {judgement.claim_id: judgement for judgement in rest}
        return given


_AT_ONCE = 16
"""Pages that are fetched at once. The web room allows fewer for each host."""


def _why_unread(page: WantedPage | None) -> Unread | None:
    """Why a cited page does not count. A reader cannot look up what is behind a paywall."""
    if page is None or page.document is None:
        return page and (page.unread or Unread(url=page.url, reason="slow"))
    return Unread(url=page.url, reason="paywalled")

from collections.abc import Mapping
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import Claimed, PageRead, StageEntered, Verified
from deepresearch_mcp.exceptions import BudgetExceeded, FetchFailed, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.check.checking import CheckFindings, Checking
from deepresearch_mcp.pipeline.check.rechecking import StoredRun
from deepresearch_mcp.pipeline.dependencies import Dependencies
from deepresearch_mcp.records.checks import CheckedClaim, CheckRequest
from deepresearch_mcp.records.evidence import Judgement
from deepresearch_mcp.records.run import QuoteCount, Run
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from pipeline_fakes import FakeWeb, Heard, MemoryJournal, ScriptedThinker, claim, drive, page

ICE = page("https://ice.example/a", "Ice floats on water. It is about 9 percent less dense than water.", title="Ice")
LAKES = page("https://lakes.example/b", "Lakes freeze from above. That is since ice floats on water.", title="Lakes")
TEXT = """Ice floats on water [1]. Ice is about 12 percent less dense than water [1].

Lakes freeze from above [2]. Snow is cold and white [3].

[1]: https://ice.example/a
[2]: https://lakes.example/b
[3]: https://gone.example/c
"""


class World:
    """A check over fakes."""

    def __init__(
        self,
        text: str = TEXT,
        pages: Mapping[str, Document | Exception] | None = None,
        *,
        delays: Mapping[str, float] | None = None,
        extractive: bool = False,
        seconds: float = 0.0,
        script: Mapping[str, Any] | None = None,
        last: Extractive | None = None,
        old: StoredRun | None = None,
        **given: Any,
    ) -> None:
        self.clock, self.heard, self.journal = HandClock(), Heard(), MemoryJournal()
        self.last = last or Extractive()
        self.thinker = ScriptedThinker(clock=self.clock, seconds={"judge": seconds}, **(script or {}))
        request = CheckRequest(text=text, **given)
        known = pages if pages is not None else {one.url: one for one in (ICE, LAKES)}
        self.web = FakeWeb(known, clock=self.clock, delays=delays)
        self.checking = Checking(
            request,
            Dependencies(
                thinker=self.last if extractive else self.thinker,
                last_resort=self.last,
                engines=(),
                search_window=0.0,
                web=self.web,
                journal=self.journal,
                ledger=Ledger(request.shape, self.clock),
                clock=self.clock,
                emit=self.heard.append,
                settings=ResearchSettings(),
            ),
            old,
        )

    async def check(self) -> CheckFindings:
        # Small steps: the threads that look for words take real time, and the clock must not run away from them.
        await drive(self.clock, self.checking.run, limit=1000, step=0.02)
        return self.checking.findings


def verdicts(findings: CheckFindings) -> list[str]:
    return [one.verdict for one in findings.checks]


async def test_every_statement_is_held_against_the_page_it_cites() -> None:
    world = World()
    findings = await world.check()

    assert verdicts(findings) == ["supported", "disputed", "supported", "unverifiable"]
    assert [one.checked_by for one in findings.checks] == ["model", "machine", "model", "none"]
    assert findings.checks[1].quotes[0].text == "It is about 9 percent less dense than water."
    assert findings.checks[3].reason == "the page was not read: not found"
    assert [one.reason for one in findings.unread] == ["not_found"]
    assert findings.ceiling == ""
    assert world.web.fetched == [ICE.url, LAKES.url, "https://gone.example/c"]


async def test_the_machine_alone_judges_without_a_model() -> None:
    findings = await World(extractive=True).check()

    assert verdicts(findings) == ["supported", "disputed", "supported", "unverifiable"]
    assert findings.brief.language == "en"
    assert {one.checked_by for one in findings.checks} == {"machine", "none"}


async def test_a_judge_is_shown_each_statement_with_the_words_of_one_page() -> None:
    world = World("Ice floats on water [1][2].\n\n[1]: https://ice.example/a\n[2]: https://lakes.example/b")
    await world.check()

    [call] = world.thinker.called("judge")
    asked = call.args[1]
    assert all(len({quote.source_id for quote in one.quotes}) == 1 for one in asked)
    assert {one.quotes[0].source_id for one in asked} == {ICE.source_id, LAKES.source_id}
    assert {one.text for one in asked} == {"Ice floats on water."}


async def test_events_tell_how_far_it_is_in_the_words_of_every_run() -> None:
    world = World()
    await world.check()

    assert [event.stage for event in world.heard.of(StageEntered)] == ["researching", "reflecting"]
    assert [event.claims for event in world.heard.of(Claimed)] == [4]
    assert len(world.heard.of(PageRead)) == 2
    [verified] = world.heard.of(Verified)
    assert (verified.kept, verified.refused) == (2, 2)


async def test_no_more_addresses_are_tried_than_the_ceiling_has_pages() -> None:
    links = " ".join(f"Ice number {number} is cold [link](https://p{number}.example/x)." for number in range(400))
    world = World(links, {}, max_pages=5)
    findings = await world.check()

    assert len(world.web.fetched) == 5
    assert findings.ceiling == "max_pages"
    assert len(findings.unread) == 400
    assert {one.reason for one in findings.unread} == {"not_found", "ceiling"}
    assert findings.checks[-1].reason == "the page was not read: past a limit of the run"


async def test_every_statements_first_page_comes_before_any_second() -> None:
    text = "Ice is cold [1][2]. Lakes are deep [3].\n\n" + "\n".join(f"[{n}]: https://p{n}.example" for n in (1, 2, 3))
    world = World(text, {})
    await world.check()

    assert world.web.fetched == [f"https://p{number}.example" for number in (1, 3, 2)]


async def test_pages_that_do_not_come_in_time_leave_the_rest_checked() -> None:
    world = World(delays={LAKES.url: 10_000}, max_minutes=2)
    findings = await world.check()

    assert verdicts(findings) == ["supported", "disputed", "unverifiable", "unverifiable"]
    assert findings.ceiling == "max_minutes"
    assert findings.checks[2].reason == "the page was not read: too slow"


async def test_a_judge_that_does_not_answer_in_time_is_replaced_by_the_machine() -> None:
    findings = await World(seconds=10_000, max_minutes=2).check()

    assert verdicts(findings) == ["supported", "disputed", "supported", "unverifiable"]
    assert findings.checks[0].checked_by == "machine"
    assert findings.ceiling == "max_minutes"


async def test_a_check_ends_past_its_time_although_comparing_never_comes_back() -> None:
    class Endless(Extractive):
        async def ask(self, task: Any, step: Any) -> Any:
            await anyio.sleep_forever()

    world = World(seconds=10_000, max_minutes=2, last=Endless())
    findings = await world.check()

    assert verdicts(findings) == ["unverifiable"] * 4
    assert findings.checks[0].reason == "the page was not read: too slow"
    assert findings.ceiling == "max_minutes"


async def test_a_run_checked_again_keeps_what_the_machine_says_although_judging_never_comes_back() -> None:
    class Endless(Extractive):
        async def ask(self, task: Any, step: Any) -> Any:
            await anyio.sleep_forever()

    kept = claim(ICE, "Ice floats on water.", verdict="supported")
    checked = CheckedClaim(
        claim_id=kept.claim_id, text=kept.text, start=0, end=len(kept.text), cites=("[1]",), urls=(ICE.url,),
        verdict="supported", quotes=kept.quotes,
    )  # fmt: skip
    old = StoredRun(
        run=Run(run_id="old", status="completed", stage="ended", question="Why?", claims=(kept,)),
        documents={ICE.source_id: ICE},
        unusable={},
        claims=(checked,),
        open_claims=(kept,),
        quotes=QuoteCount(located=1, total=1),
    )
    findings = await World(seconds=10_000, max_minutes=2, last=Endless(), old=old).check()

    assert [(one.text, one.verdict) for one in findings.checks] == [("Ice floats on water.", "supported")]
    assert (findings.quotes, list(findings.documents)) == (QuoteCount(located=1, total=1), [ICE.source_id])
    assert findings.ceiling == "max_minutes"


@pytest.mark.parametrize("error", [ProviderError("p", "gone"), BudgetExceeded("max_usd", 1.0, 1.0)])
async def test_what_a_judge_leaves_open_is_judged_by_the_machine(error: Exception) -> None:
    findings = await World(script={"judge": error}).check()

    assert verdicts(findings) == ["supported", "disputed", "supported", "unverifiable"]
    assert {one.checked_by for one in findings.checks} == {"machine", "none"}


async def test_a_refused_key_ends_the_check() -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await World(script={"judge": KeyRefused("p", "no")}).check()

    assert caught.group_contains(KeyRefused)


async def test_a_verdict_of_the_judge_stands_with_its_reason() -> None:
    def judge(brief: Any, claims: Any, at: Any) -> list[Judgement]:
        return [Judgement(claim_id=one.claim_id, verdict="partly", reason="it says less") for one in claims]

    findings = await World(script={"judge": judge}).check()

    assert (findings.checks[0].verdict, findings.checks[0].reason) == ("partly", "it says less")


async def test_a_page_behind_a_wall_supports_nothing() -> None:
    walled = ICE.model_copy(update={"flags": ("paywalled",)})
    findings = await World(pages={ICE.url: walled}).check()

    assert (findings.checks[0].verdict, findings.checks[0].reason) == (
        "unverifiable",
        "the page was not read: paywalled",
    )


async def test_a_check_cut_off_is_written_up_from_what_was_read() -> None:
    world = World(seconds=10_000)
    findings = world.checking.findings
    await world.checking.write_up()
    assert findings.checks == ()

    await world.check()
    await world.checking.write_up()
    assert len(findings.checks) == 4


async def test_a_ceiling_of_the_ledger_is_told() -> None:
    spent = BudgetExceeded("max_pages", 1.0, 1.0)
    findings = await World(pages={ICE.url: spent, LAKES.url: FetchFailed(LAKES.url, "robots", "No.")}).check()

    assert findings.ceiling
    assert [one.reason for one in findings.unread] == ["ceiling", "robots", "not_found"]


async def test_nothing_is_asked_of_a_page_that_is_cited_by_name_alone() -> None:
    world = World("Ice floats on water (Doe, 2001). Lakes freeze from above [7].")
    findings = await world.check()

    assert verdicts(findings) == ["unverifiable", "unverifiable"]
    assert world.web.fetched == []
    assert world.thinker.called("judge") == []

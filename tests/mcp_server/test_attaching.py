"""How calls stay with runs: a model that follows the text it is given reaches the report, whatever its client is."""

import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, types
from mcp.server.mcpserver import Context

from calls import call_of
from clocks import HandClock
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.mcp_server.progress import CALLED
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from deepresearch_mcp.mcp_server.server_context import open_server_context
from deepresearch_mcp.mcp_server.tools import get_report
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.system_clock import SystemClock
from job_fakes import FakeRuntime, until
from scholar import Scholar
from small_web import QUESTION, SmallWeb, said, settings_for
from tasking import Tasking
from wires import Scripted, serve

PARTIAL = f"Not everything could be researched: the time limit was reached; see the end.\n\n# {QUESTION}"
"""How the report of a run begins that took longer than it may."""

ASK = {"question": QUESTION, "effort": "quick"}
FIVE_MINUTES = 300.0


class Caller:
    """A model that makes the exact call that the last text names, and keeps how long it was told to wait."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.calls = 0
        self.given_up = 0
        self.waits: list[int] = []
        self.shortest_text = 10**6

    async def report(self, tool: str, arguments: dict[str, Any]) -> str:
        while True:
            text = await self.answer(tool, arguments)
            self.calls += 1
            if text is None:
                self.given_up += 1
                continue
            if not (named := re.search(r"Next: (\w+)\((.*)\)$", text)):
                return text
            self.shortest_text = min(self.shortest_text, len(text))
            tool, given = named.groups()
            arguments = {name: json.loads(value) for name, value in re.findall(r'(\w+)=("[^"]*"|\d+)', given)}
            self.waits.append(arguments["wait_seconds"])

    async def answer(self, tool: str, arguments: dict[str, Any]) -> str | None:
        """What a call says; None where the client gave up first."""
        return said(await self.client.call_tool(tool, arguments))


class HastyCaller(Caller):
    """Its client gives up after five seconds of the clock, and tells its model to try again."""

    clock: HandClock

    async def answer(self, tool: str, arguments: dict[str, Any]) -> str | None:
        text = None
        async with anyio.create_task_group() as tasks:

            async def give_up() -> None:
                await self.clock.sleep(5)
                tasks.cancel_scope.cancel()

            tasks.start_soon(give_up)
            text = await super().answer(tool, arguments)
            tasks.cancel_scope.cancel()
        return text


@asynccontextmanager
async def slow(
    home: Path, clock: HandClock, *, opening: float = 0, **server: float
) -> AsyncGenerator[tuple[ResearchServer, Any]]:
    """A server whose researches take five minutes of the clock, and whose parts open in so many real seconds."""
    async with open_sqlite_store(home, clock) as store:
        runtime: Any = FakeRuntime(store, clock, delay=FIVE_MINUTES)

        @asynccontextmanager
        async def parts() -> AsyncGenerator[Jobs]:
            await anyio.sleep(opening)
            async with open_jobs(runtime) as jobs:
                yield jobs

        settings = Settings.model_validate({"home": home, "server": server})
        yield build_server(settings, parts=lambda _: parts()), store


async def called(
    home: Path,
    *,
    name: str,
    ask: Callable[[Caller], Awaitable[str]],
    hasty: bool = False,
    step: float = 0.2,
    **client_options: Any,
) -> tuple[Caller, str]:
    clock, reports = HandClock(), list[str]()
    async with slow(home, clock) as (server, store):
        info = types.Implementation(name=name, version="1")
        async with Client(server, client_info=info, **client_options) as client:
            caller = HastyCaller(client) if hasty else Caller(client)
            if isinstance(caller, HastyCaller):
                caller.clock = clock

            async def follow() -> None:
                reports.append(await ask(caller))

            async def done() -> bool:
                return bool(reports)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(follow)
                await until(clock, store, done, step=step)
    return caller, reports[0]


async def deep(caller: Caller) -> str:
    return await caller.report("deep_research", {"question": QUESTION, "depth": 1, "max_minutes": 6})


@pytest.mark.parametrize(
    ("name", "mode", "waits", "calls"),
    [
        ("some-host", "legacy", 45, 7),
        ("claude-code", "auto", 45, 7),
        ("mcp", "legacy", 45, 8),
        ("mcp", "auto", 45, 8),
        # Its code mode takes three turns of the model for what is not answered within 30 seconds.
        ("codex-mcp-client", "legacy", 25, 12),
    ],
)
async def test_five_minutes_are_waited_for_in_calls_that_every_client_stays_for(
    tmp_path: Path, name: str, mode: Any, waits: int, calls: int
) -> None:
    caller, report = await called(tmp_path, name=name, ask=deep, mode=mode)

    assert report.startswith(PARTIAL)
    assert 1 < caller.calls <= calls
    # What it is told to wait, not what the clock says: that runs on while a busy machine answers.
    assert set(caller.waits) == {waits}


async def test_a_client_of_the_newer_protocol_waits_in_rounds_of_one_call(tmp_path: Path) -> None:
    caller, report = await called(tmp_path, name="some-host", ask=deep)

    assert report.startswith(PARTIAL)
    assert caller.calls == 1


async def test_a_client_that_takes_tasks_makes_one_call_however_long_it_takes(tmp_path: Path) -> None:
    caller, report = await called(tmp_path, name="inspector-cli", ask=deep, extensions=[Tasking()])

    assert report.startswith(PARTIAL)
    assert caller.calls == 1


async def test_a_client_known_to_give_up_after_five_seconds_is_never_told_to_wait_longer(tmp_path: Path) -> None:
    caller, report = await called(tmp_path, name="openai-agents", ask=deep, mode="legacy")

    assert report.startswith(PARTIAL)
    assert set(caller.waits) == {4}
    # "Nothing new" costs a calling model less than 60 tokens.
    assert caller.shortest_text < 4 * 60


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_caller_without_a_name_that_gives_up_once_is_told_shorter_waits(tmp_path: Path, mode: Any) -> None:
    # In small steps: how long the first call takes is the machine's time, and counts against its five seconds.
    caller, report = await called(tmp_path, name="mcp", ask=deep, hasty=True, mode=mode, step=0.05)

    assert report.startswith(PARTIAL)
    assert caller.waits[0] == 45
    # 0.7 of its five seconds; less where a busy machine was late to hear of the call that it left.
    assert set(caller.waits[1:]) <= {1, 2, 3}


@pytest.mark.parametrize(("name", "mode"), [("claude-code", "auto"), ("codex-mcp-client", "legacy")])
async def test_a_client_that_gave_up_once_is_answered_in_time_from_then_on(
    tmp_path: Path, name: str, mode: Any
) -> None:
    caller, report = await called(tmp_path, name=name, ask=deep, hasty=True, mode=mode)

    assert report.startswith(PARTIAL)
    # The clock runs on while a busy machine answers: there it may be too late once more.
    assert 1 <= caller.given_up <= caller.calls // 10
    # 0.7 of its five seconds, told as whole ones.
    assert set(caller.waits) <= {1, 2, 3}


async def test_what_a_client_has_waited_for_the_server_to_open_counts(tmp_path: Path) -> None:
    # No one moves the clock: whoever waits for the run beyond that waits for ever.
    async with slow(tmp_path, HandClock(), opening=0.2, wait_seconds=0.1) as (server, _), Client(server) as client:
        text = said(await client.call_tool("deep_research", {"question": QUESTION}))

    assert text.startswith("Still ")


def form(answer: dict[str, Any], asked: list[Any]) -> Any:
    async def show(_: Any, params: Any) -> types.ElicitResult:
        asked.append(params)
        return types.ElicitResult.model_validate(answer)

    return show


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ({"action": "accept", "content": {"approve": True}}, f"# {QUESTION}"),
        ({"action": "decline"}, r"Run \w+ is cancelled, and no report was written"),
        ({"action": "cancel"}, "Waiting for the user: run "),
    ],
)
async def test_a_plan_is_put_before_the_user_in_either_era(
    era: str, server: ResearchServer, answer: dict[str, Any], outcome: str
) -> None:
    asked: list[Any] = []
    async with Client(server, mode=era, elicitation_callback=form(answer, asked)) as client:
        result = await client.call_tool("deep_research", {**ASK, "approve_plan": True})

    [params] = asked
    assert re.match(outcome, said(result))
    assert f"1. {QUESTION}" in params.message
    assert "It never uses more than $0.20" in params.message


async def test_a_changed_plan_is_put_before_the_user_again(era: str, server: ResearchServer, web: SmallWeb) -> None:
    asked: list[str] = []
    answers = [
        {"approve": False, "change": "How thick is lake ice?", "max_usd": 0.05},
        {"approve": True},
    ]

    async def show(_: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult.model_validate({"action": "accept", "content": answers[len(asked) - 1]})

    async with Client(server, mode=era, elicitation_callback=show) as client:
        result = await client.call_tool("deep_research", {**ASK, "approve_plan": True})

    assert len(asked) == 2
    assert "1. How thick is lake ice?" in asked[1]
    assert "It never uses more than $0.05" in asked[1]
    assert any("thick" in query for query in web.asked)
    assert named(result)


def named(result: types.CallToolResult) -> str:
    found = re.search(r"Run ([0-9a-z]{26})", said(result))
    assert found, said(result)
    return found.group(1)


async def test_a_fresh_research_that_asks_is_started_once(server: ResearchServer) -> None:
    asked: list[Any] = []
    answer = {"action": "accept", "content": {"approve": True}}
    async with Client(server, elicitation_callback=form(answer, asked)) as client:
        await client.call_tool("deep_research", {**ASK, "approve_plan": True, "fresh": True})
        runs = await client.call_tool("list_runs", {})

    assert len((runs.structured_content or {})["runs"]) == 1


async def test_a_forged_round_is_refused(held_web: SmallWeb, tmp_path: Path) -> None:
    host = types.Implementation(name="some-host", version="1")
    async with Client(build_server(settings_for(tmp_path, held_web.base, wait_seconds=0)), client_info=host) as client:
        first = await client.session.call_tool("deep_research", ASK, allow_input_required=True)
        assert isinstance(first, types.InputRequiredResult)
        assert (first.input_requests, bool(first.request_state)) == (None, True)
        with pytest.raises(Exception, match=r"[Rr]equest ?[Ss]tate"):
            await client.session.call_tool(
                "deep_research", ASK, request_state=f"{first.request_state}x", allow_input_required=True
            )


async def test_with_tasks_no_call_is_needed_after_the_first(server: ResearchServer) -> None:
    async with Client(server, extensions=[Tasking()]) as client:
        result = await client.call_tool("deep_research", ASK)

    assert said(result).startswith(f"# {QUESTION}")


async def test_a_client_that_breaks_its_word_about_forms_is_given_the_text(server: ResearchServer) -> None:
    async def show(_: Any, params: Any) -> types.ErrorData:
        return types.ErrorData(code=types.INTERNAL_ERROR, message="no screen")

    async with Client(server, mode="legacy", elicitation_callback=show) as client:
        result = await client.call_tool("deep_research", {**ASK, "approve_plan": True})

    assert said(result).startswith("Waiting for the user: run ")


async def test_a_question_back_is_a_form_too_and_never_is_never(era: str, tmp_path: Path, web: SmallWeb) -> None:
    back = [{"question": "Which ice is meant?", "options": ["frozen seas", "dry carbon"]}]
    plan = Scholar().plan("") | {"ask": back}
    scholar = Scholar()
    scholar.instead["plan"] = lambda asked: plan
    asked: list[Any] = []
    answer = {"action": "accept", "content": {"answer_1": "Frozen seas."}}
    async with serve(script := Scripted(scholar.answer)) as model:
        table = settings_for(tmp_path, web.base).model_dump()
        table["model"] |= {"use": "openai:scholar", "openai_base_url": f"{model}/v1", "retries": 0}
        server = build_server(Settings.model_validate(table))
        async with Client(server, mode=era, elicitation_callback=form(answer, asked)) as client:
            never = await client.call_tool("deep_research", {**ASK, "clarify": "never"})
            unasked = list(asked)
            result = await client.call_tool("deep_research", ASK)

    assert unasked == []
    assert said(never).startswith("# Floating ice")
    assert said(result).startswith("# Floating ice")
    assert [one.requested_schema["properties"]["answer_1"]["title"] for one in asked] == ["Which ice is meant?"]
    assert any("the user said: Frozen seas." in one["prompt"] for one in script.asked)


@pytest.mark.parametrize(
    ("answer", "status", "searches"),
    [
        # The plan's three queries, and a name to follow where a page gave it in time.
        ({"action": "accept", "content": {"decision": "raise"}}, "completed", {3, 4}),
        ({"action": "accept", "content": {"decision": "narrow"}}, "partial", {1}),
        ({"action": "accept", "content": {"decision": "stop"}}, "cancelled", {0}),
        ({"action": "decline"}, "cancelled", {0}),
    ],
)
async def test_money_that_is_too_little_is_asked_about_by_a_form_before_anything_is_spent(
    era: str, tmp_path: Path, web: SmallWeb, answer: dict[str, Any], status: str, searches: set[int]
) -> None:
    asked: list[Any] = []
    settings = paid(tmp_path, web)

    async def show(_: Any, params: Any) -> types.ElicitResult:
        assert web.asked == []
        asked.append(params)
        return types.ElicitResult.model_validate(answer)

    async with Client(build_server(settings), mode=era, elicitation_callback=show) as client:
        result = await client.call_tool("deep_research", {**ASK, "max_usd": 0.02})
        [line] = ((await client.call_tool("list_runs", {})).structured_content or {})["runs"]

    [params] = asked
    assert "The research would use about $0.1700, and max_usd is $0.0200." in params.message
    titles = {one["const"]: one["title"] for one in params.requested_schema["properties"]["decision"]["oneOf"]}
    assert titles["raise"] == "Raise max_usd to $0.26"
    assert line["status"] == status
    assert len(web.asked) in searches
    assert not web.asked or f"${len(web.asked) * 0.01:.2f} of " in line["progress"]
    if status == "partial":
        assert "max_usd allows $0.0200: it is narrowed to fit" in said(result).replace("\\", "")


@pytest.mark.parametrize("given", [{"clarify": "never"}, {"max_usd": 5}, {}])
async def test_no_one_is_asked_about_money_without_need(
    era: str, tmp_path: Path, web: SmallWeb, given: dict[str, Any]
) -> None:
    asked: list[Any] = []
    low = {"max_usd": 0.02} if "clarify" in given else {}
    server = build_server(paid(tmp_path, web))
    async with Client(server, mode=era, elicitation_callback=form({"action": "cancel"}, asked)) as client:
        result = await client.call_tool("deep_research", {**ASK, **low, **given})

    assert asked == []
    assert f"# {QUESTION}" in said(result)


async def test_a_client_that_shows_no_forms_has_its_run_narrowed_and_is_told(
    era: str, tmp_path: Path, web: SmallWeb
) -> None:
    async with Client(build_server(paid(tmp_path, web)), mode=era) as client:
        result = await client.call_tool("deep_research", {**ASK, "max_usd": 0.02})

    assert said(result).startswith(f"# {QUESTION}")
    assert "max_usd allows $0.0200: it is narrowed to fit" in said(result).replace("\\", "")
    assert len(web.asked) == 1


def paid(home: Path, web: SmallWeb) -> Settings:
    """Settings under which a query costs a cent."""
    table = settings_for(home, web.base).model_dump()
    table["search"]["prices"] = {"searxng": 0.01}
    return Settings.model_validate(table)


async def test_the_report_of_a_call_that_has_waited_already_is_waited_for_no_longer(
    tmp_path: Path, held_web: SmallWeb
) -> None:
    class Calling(Context[Any]):
        desk: Any

        @property
        def request_context(self) -> Any:
            call = call_of("claude-code")
            call.session.client_capabilities, call.lifespan_context = None, self.desk
            return call

        @property
        def session(self) -> Any:
            return self.request_context.session

        async def report_progress(
            self, progress: float, total: float | None = None, message: str | None = None
        ) -> None: ...

    async with open_server_context(settings_for(tmp_path, held_web.base)) as desk:
        jobs = await desk.jobs()
        row = await jobs.start_or_join(checked_request(ASK))
        # The first call opens the parts: on a slow machine that takes long.
        CALLED.set(SystemClock().monotonic() - 50)
        with anyio.fail_after(20):
            result = await get_report(row.run_id, Calling(desk=desk))

    assert said(result).startswith("Still")

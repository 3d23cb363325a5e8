"""Agents' frameworks with a model that follows the text: a run that outlasts their time-out still ends in a report.

Real processes, wires and time-outs, but short ones: openai-agents gives up after its own five seconds, the others after
six that the test sets, of which the server is told by `server.wait_seconds` where a test does not say otherwise.
How many calls five minutes take under sixty seconds, on a clock moved by hand: `mcp_server/test_attaching.py`.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from foreign import SERVER, Seen, seen_by
from small_web import QUESTION, SmallWeb

SCRIPTS = Path(__file__).parent / "clients"
LIMIT = 6
SHORT_WAITS = {"DEEPRESEARCH_SERVER__WAIT_SECONDS": "2"}

pytestmark = [pytest.mark.interop, pytest.mark.timeout(300)]

Run = Callable[..., Awaitable[Seen]]


@pytest.fixture
def run(tmp_path: Path, child_env: dict[str, str], server_env: dict[str, str]) -> Run:
    """Runs one of our programs for a client; without an address it starts the server itself."""

    async def runs(python: str, script: str, *, env: dict[str, str] | None = None, **given: Any) -> Seen:
        reached = {} if "url" in given else {"command": SERVER, "env": server_env | (env or {})}
        return await seen_by([python, str(SCRIPTS / script)], {"limit": LIMIT, **reached, **given}, tmp_path, child_env)

    return runs


@pytest.mark.parametrize("lasts", [17.0])
async def test_openai_agents_with_its_own_five_seconds(agents: str, run: Run, slow_web: SmallWeb) -> None:
    seen = await run(agents, "openai_agent.py")

    assert seen.ended_in_a_report(slow_web)
    assert seen.seconds > LIMIT
    assert seen.more["final"] == "Done."
    # It gives no name, so it is tried whether it waits long; what follows stays below its limit.
    assert len(seen.faults) >= 1
    assert 1 <= seen.calls[-1][1]["wait_seconds"] < 5


@pytest.mark.parametrize("lasts", [8.0])
async def test_openai_agents_that_was_given_more_time_needs_few_turns(
    agents: str, run: Run, slow_web: SmallWeb
) -> None:
    seen = await run(agents, "openai_agent.py", patience=60)

    assert seen.ended_in_a_report(slow_web)
    assert seen.seconds > LIMIT
    assert (seen.tools, seen.faults) == (["deep_research", "get_report"], [])


async def test_an_agent_of_pydantic_ai_over_http(agents: str, run: Run, slow_web: SmallWeb, address: str) -> None:
    seen = await run(agents, "pydantic_ai_agent.py", url=address)

    assert seen.ended_in_a_report(slow_web)
    assert seen.seconds > LIMIT
    assert (seen.faults, seen.more["final"]) == ([], "Done.")


async def test_an_agent_of_pydantic_ai_over_stdio(agents: str, run: Run, slow_web: SmallWeb) -> None:
    seen = await run(agents, "pydantic_ai_agent.py", env=SHORT_WAITS)

    assert seen.ended_in_a_report(slow_web)
    assert seen.seconds > LIMIT
    assert seen.faults == []


async def test_langchain_s_adapters_with_a_session_for_each_call(
    langchain: str, run: Run, slow_web: SmallWeb, address: str
) -> None:
    seen = await run(langchain, "langchain_agent.py", one_session=False, url=address)

    assert seen.ended_in_a_report(slow_web)
    assert seen.seconds > LIMIT
    assert seen.faults == []
    # A link would reach the model as a file at an address that the APIs of OpenAI and Anthropic refuse.
    assert seen.more["kinds"] == ["text"]


async def test_langchain_s_adapters_over_stdio(langchain: str, run: Run, slow_web: SmallWeb) -> None:
    seen = await run(langchain, "langchain_agent.py", one_session=True, env=SHORT_WAITS)

    assert seen.ended_in_a_report(slow_web)
    assert seen.seconds > LIMIT
    assert (seen.faults, seen.more["kinds"]) == ([], ["text"])
    assert (seen.tools[0], set(seen.tools[1:])) == ("deep_research", {"get_report"})


@pytest.mark.parametrize("lasts", [10.0])
async def test_langchain_s_adapters_with_a_server_process_for_each_call(
    langchain: str, run: Run, slow_web: SmallWeb
) -> None:
    seen = await run(langchain, "langchain_agent.py", one_session=False, limit=60)

    # The first server was gone after four seconds, in the middle of the run; the second went on with it.
    assert seen.ended_in_a_report(slow_web)
    assert (seen.tools, seen.faults) == (["deep_research", "get_report"], [])


@pytest.mark.parametrize(("mode", "following"), [("auto", set()), ("legacy", {"get_report"})])
async def test_fastmcp_hears_progress_and_reads_the_report_as_a_resource(
    agents: str, run: Run, slow_web: SmallWeb, mode: str, following: set[str]
) -> None:
    seen = await run(agents, "fastmcp_client.py", mode=mode, env=SHORT_WAITS)

    assert seen.ended_in_a_report(slow_web)
    assert seen.seconds > LIMIT
    # In the newer protocol the client goes on by itself, in rounds of one call.
    # On a busy machine the server may not be open when the first call has to be answered: it is told to come back.
    assert following <= set(seen.tools[1:]) <= {"get_report"}
    assert seen.faults == []
    assert any(message.startswith("planning") for message in seen.more["progress"])
    assert seen.report.startswith(seen.more["read"].rstrip())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_fastmcp_that_gave_up_joins_its_run_with_the_same_question(
    agents: str, run: Run, slow_web: SmallWeb, mode: str
) -> None:
    seen = await run(agents, "fastmcp_client.py", mode=mode)

    assert seen.ended_in_a_report(slow_web)
    assert seen.seconds > LIMIT
    assert len(seen.faults) >= 1
    # On a slow machine the second call may be answered before the report is there, and names the next.
    assert seen.tools[:2] == ["deep_research", "deep_research"]
    assert set(seen.tools[2:]) <= {"deep_research", "get_report"}


@pytest.mark.parametrize("lasts", [0.0])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_fastmcp_s_user_approves_a_plan_by_its_own_form(
    agents: str, run: Run, slow_web: SmallWeb, mode: str
) -> None:
    given = {"mode": mode, "forms": True, "limit": 60, "arguments": {"approve_plan": True}}

    seen = await run(agents, "fastmcp_client.py", **given)

    assert seen.ended_in_a_report(slow_web)
    [asked] = seen.more["asked"]
    assert f"1. {QUESTION}" in asked
    assert (seen.tools, seen.faults) == (["deep_research"], [])


async def test_fastmcp_that_takes_tasks_waits_for_its_run_in_one_call(
    tasked: str, run: Run, slow_web: SmallWeb
) -> None:
    seen = await run(tasked, "fastmcp_client.py", mode="auto", tasks=True, limit=60)

    assert seen.ended_in_a_report(slow_web)
    assert (seen.tools, seen.faults) == (["deep_research"], [])


async def test_fastmcp_that_takes_tasks_reads_the_report_over_http(
    tasked: str, run: Run, slow_web: SmallWeb, address: str
) -> None:
    seen = await run(tasked, "fastmcp_client.py", mode="auto", tasks=True, url=address)

    assert seen.ended_in_a_report(slow_web)
    assert seen.seconds > LIMIT
    assert seen.faults == []

"""Programs with the TypeScript SDKs, which follow the text: a run that outlasts their time-out still ends in a report.

Real processes, wires and time-outs, but short ones: they give up after six seconds and not sixty, of which the server
is told by `server.wait_seconds` where a test does not say otherwise.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from foreign import SERVER, Seen, seen_by
from small_web import QUESTION, SmallWeb

LIMIT = 6
SHORT_WAITS = {"DEEPRESEARCH_SERVER__WAIT_SECONDS": "2"}
MODERN = {"pin": "2026-07-28"}
EACH = pytest.mark.parametrize(("script", "mode"), [("sdk_v1.mjs", None), ("sdk_v2.mjs", MODERN)])
"""Version 1 of the SDK knows the older protocol alone."""

pytestmark = [pytest.mark.interop, pytest.mark.timeout(300)]

Run = Callable[..., Awaitable[Seen]]


@pytest.fixture
def run(node: Path, tmp_path: Path, node_env: dict[str, str], server_env: dict[str, str]) -> Run:
    """Runs one of our programs for a client; without an address it starts the server itself."""

    async def runs(script: str, *, env: dict[str, str] | None = None, **given: Any) -> Seen:
        reached = {} if "url" in given else {"command": SERVER, "env": server_env | (env or {})}
        return await seen_by(["node", str(node / script)], {"limit": LIMIT, **reached, **given}, tmp_path, node_env)

    return runs


def check(seen: Seen, web: SmallWeb) -> None:
    """It read the one report of the one run, as text and by its link."""
    assert seen.ended_in_a_report(web)
    there = f"research://runs/{seen.runs['runs'][0]['run_id']}/report"
    assert seen.more["links"] == [there, f"{there}.json"]
    assert seen.report.startswith(seen.more["read"].rstrip())


@pytest.mark.parametrize(
    ("script", "mode", "following"),
    [
        ("sdk_v1.mjs", None, {"get_report"}),
        ("sdk_v2.mjs", "legacy", {"get_report"}),
        # In the newer protocol the client goes on by itself, in rounds of one call.
        ("sdk_v2.mjs", MODERN, set()),
    ],
)
async def test_a_program_that_follows_the_text_reaches_the_report(
    run: Run, slow_web: SmallWeb, script: str, mode: Any, following: set[str]
) -> None:
    seen = await run(script, mode=mode, env=SHORT_WAITS)

    check(seen, slow_web)
    assert seen.seconds > LIMIT
    assert seen.faults == []
    # On a busy machine the server may not be open when the first call has to be answered: it is told to come back.
    assert seen.tools[0] == "deep_research"
    assert following <= set(seen.tools[1:]) <= {"get_report"}


@EACH
async def test_the_same_over_http(run: Run, slow_web: SmallWeb, address: str, script: str, mode: Any) -> None:
    seen = await run(script, mode=mode, url=address)

    check(seen, slow_web)
    assert seen.faults == []


@EACH
async def test_a_program_whose_patience_progress_renews_needs_one_call(
    run: Run, slow_web: SmallWeb, script: str, mode: Any
) -> None:
    often = {"DEEPRESEARCH_SERVER__PROGRESS_SECONDS": "1"}

    seen = await run(script, mode=mode, patient=True, env=often)

    check(seen, slow_web)
    assert seen.seconds > LIMIT
    assert (len(seen.calls), seen.faults) == (1, [])
    values = [one["progress"] for one in seen.more["progress"]]
    assert values == sorted(set(values))
    assert any(one["message"].startswith("planning") for one in seen.more["progress"])


@EACH
async def test_a_program_that_gave_up_joins_its_run_with_the_same_question(
    run: Run, slow_web: SmallWeb, script: str, mode: Any
) -> None:
    seen = await run(script, mode=mode)

    check(seen, slow_web)
    assert len(seen.faults) >= 1
    # On a slow machine the second call may be answered before the report is there, and names the next.
    assert seen.tools[:2] == ["deep_research", "deep_research"]
    assert set(seen.tools[2:]) <= {"deep_research", "get_report"}


@pytest.mark.parametrize("lasts", [0.0])
@EACH
async def test_a_plan_is_approved_by_the_program_s_own_form(
    run: Run, slow_web: SmallWeb, script: str, mode: Any
) -> None:
    seen = await run(script, mode=mode, forms=True, limit=60, arguments={"approve_plan": True})

    check(seen, slow_web)
    [asked] = seen.more["asked"]
    assert f"1. {QUESTION}" in asked
    assert (len(seen.calls), seen.faults) == (1, [])

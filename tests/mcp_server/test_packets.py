"""A run that thinks with its client's own model, reached by whichever way the client has."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client, types

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server.packets import answered_by, requests_of, work_text
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.work import ClientAnswer, ModelTask
from deepresearch_mcp.text.tokens import estimate
from scholar import Scholar
from small_web import QUESTION, SmallWeb, said, settings_for
from tasking import Tasking
from thinking import Mind

ASK: dict[str, Any] = {"question": QUESTION, "model": "client"}
WRITTEN = "# Floating ice\n"
"""The Scholar's title: no engine without a model gives one."""


@pytest.fixture
def server(web: SmallWeb, tmp_path: Path) -> ResearchServer:
    return build_server(settings_for(tmp_path, web.base, wait_seconds=30.0))


async def test_a_client_without_sampling_thinks_by_the_text_it_is_given(era: str, server: ResearchServer) -> None:
    mind = Mind()
    async with Client(server, mode=era) as client:
        report = await mind.follow(client, ASK)

    assert report.startswith(WRITTEN)
    assert "model: client" in report
    assert len(mind.rounds) <= 8
    assert max(map(estimate, mind.rounds)) <= 9_000


async def test_sampling_answers_a_whole_run_within_one_call(era: str, server: ResearchServer) -> None:
    mind = Mind()
    async with Client(server, mode=era, sampling_callback=mind.sample) as client:
        report = said(await client.call_tool("deep_research", ASK))

    assert report.startswith(WRITTEN)
    assert mind.requests > 5


async def test_a_task_asks_the_client_s_model(server: ResearchServer) -> None:
    mind = Mind()
    tasking = Tasking(sampled=mind.sampled)
    async with Client(server, extensions=[tasking], sampling_callback=mind.sample) as client:
        report = said(await client.call_tool("deep_research", ASK))

    assert report.startswith(WRITTEN)
    waited = [state["statusMessage"] for state in tasking.seen if state["status"] == "input_required"]
    assert "waiting for your model · Work for the client's own model: plan (1)." in waited
    assert any("read (" in state for state in waited)


async def test_a_task_of_a_client_without_sampling_ends_with_the_work_in_words(server: ResearchServer) -> None:
    mind = Mind()
    async with Client(server, extensions=[Tasking()]) as client:
        report = await mind.follow(client, ASK)

    assert report.startswith(WRITTEN)


async def test_a_user_who_does_not_allow_sampling_leaves_the_work_to_the_text(server: ResearchServer) -> None:
    asked: list[str] = []

    async def refuse(_: Any, params: types.CreateMessageRequestParams) -> types.ErrorData:
        asked.append(params.system_prompt or "")
        return types.ErrorData(code=-1, message="The user said no.")

    mind = Mind()
    async with Client(server, mode="legacy", sampling_callback=refuse) as client:
        report = await mind.follow(client, ASK)

    assert report.startswith(WRITTEN)
    assert asked


async def test_what_a_call_has_no_round_left_for_is_asked_in_the_next_call(server: ResearchServer) -> None:
    # Nothing it writes can be used: every paragraph is asked for twice.
    mind, texts = Mind(Scholar(instead={"read": {}, "sketch": {}})), list[str]()
    async with Client(server, sampling_callback=mind.sample) as client:
        await client.call_tool("deep_research", {**ASK, "wait_seconds": 0})
        [run] = (await client.call_tool("list_runs", {})).structured_content["runs"]
        called = {"run_id": run["run_id"]}
        texts.append(said(await client.call_tool("get_report", {**called, "wait_seconds": 30})))
        while texts[-1].endswith(f'Next: continue_research(run_id="{run["run_id"]}")'):
            texts.append(said(await client.call_tool("continue_research", called)))

    assert len(texts) > 1
    assert "model: client" in texts[-1]


def a_packet(name: str, **more: Any) -> ModelTask:
    given = {"mark": "m" * 32, "task": "read", "system": "Read.", "prompt": f"Material of {name}", "max_tokens": 100}
    return ModelTask.model_validate({**given, "packet_id": name, **more})


def a_run(*packets: ModelTask) -> Run:
    inquiry = InputRequest(inquiry_id="work/3", kind="work", text="Work.", packets=packets)
    return Run(run_id="r1", status="input_required", stage="planning", question="Why?", waiting=inquiry)


def test_the_text_names_each_open_packet_once_and_the_call_that_hands_them_in() -> None:
    shape = {"type": "object", "properties": {"claims": {"type": "array", "items": {"type": "string"}}}}
    done = a_packet("3.1", answered=ClientAnswer(text="{}"))
    text = work_text(
        a_run(done, a_packet("3.2", answer_schema=shape), a_packet("3.3", answer_schema=shape), a_packet("3.4")), 40_000
    )

    assert "Round 3: 3 packets of work" in text
    assert text.count("\nRead.\n") == 1
    assert "# Task: read (packet 3.2, 3.3, 3.4)" in text
    assert "Material of 3.1" not in text
    assert 'Each answer is one JSON object: {"claims": ["…", …]}' in text
    assert text.endswith('Next: continue_research(run_id="r1", work={"3.2": {…}, "3.3": {…}, "3.4": "…"})')


def test_what_was_wrong_is_said_without_the_material() -> None:
    text = work_text(a_run(a_packet("3.1"), a_packet("3.2")), 40_000, {"3.1": "it is empty"})

    assert "- 3.1: it is empty" in text
    assert "Without an answer so far: 3.2" in text
    assert "Material" not in text


def test_a_run_whose_work_is_all_done_is_told_to_go_on() -> None:
    assert "has its answers and is continuing" in work_text(a_run(), 40_000)


def test_a_request_needs_nothing_beside_it_and_looks_the_same_twice() -> None:
    inquiry = a_run(a_packet("3.1", answer_schema={"type": "object"}), a_packet("3.2")).waiting
    assert inquiry
    requests = requests_of(inquiry)

    assert requests == requests_of(inquiry)
    assert requests["3.1"].params.system_prompt == (
        'Read.\n\nAnswer with one JSON object and nothing else. It fits this JSON Schema:\n{"type":"object"}'
    )
    assert (requests["3.2"].params.system_prompt, requests["3.2"].params.max_tokens) == ("Read.", 100)


@pytest.mark.parametrize(
    ("given", "heard"),
    [
        ({"content": {"type": "text", "text": "Yes."}, "model": "m-1"}, ClientAnswer(text="Yes.", model="m-1")),
        ({"content": [{"type": "text", "text": "A"}, {"type": "image"}]}, ClientAnswer(text="A")),
        ({"content": {"type": "text", "text": "A"}, "stopReason": "maxTokens"}, ClientAnswer(text="A", cut=True)),
        ({"content": {"type": "image", "data": ""}}, None),
        ({"content": {"type": "text", "text": ""}}, None),
        ({"content": "Yes."}, None),
        ("Yes.", None),
        (None, None),
    ],
)
def test_results_of_sampling_are_answers_where_they_hold_text(given: Any, heard: ClientAnswer | None) -> None:
    assert answered_by({"1.1": given}) == ({"1.1": heard} if heard else {})


async def test_citations_are_checked_by_the_client_s_model_as_well(server: ResearchServer, web: SmallWeb) -> None:
    text = f"Ice is about 9 percent less dense than liquid water ({web.base}/density)."
    mind = Mind()
    async with Client(server) as client:
        begun = (await client.call_tool("check_citations", {"text": text, "model": "client"})).structured_content
        report = await mind.follow(client, {"run_id": begun["run_id"]}, tool="get_report")
        ended = (await client.call_tool("check_citations", {"text": text, "model": "client"})).structured_content
    by_sampling = Mind()
    async with Client(server, sampling_callback=by_sampling.sample) as client:
        again = await client.call_tool("check_citations", {"text": text, "model": "client", "fresh": True})

    assert (begun["status"], begun["next"]) == (
        "input_required",
        f'get_report(run_id="{begun["run_id"]}", wait_seconds=30)',
    )
    assert len(mind.rounds) == 1
    assert "self-checked" in report
    assert ended["verdicts"] == again.structured_content["verdicts"] == {"supported": 1}


def test_work_that_is_too_long_for_one_result_comes_packet_by_packet() -> None:
    run = a_run(*(a_packet(f"3.{number}", prompt="Лёд легче воды. " * 100) for number in range(1, 6)))

    text = work_text(run, 9_000)

    assert len(text.encode()) <= 9_000
    assert "Round 3: 2 of 5 packets of work" in text
    assert text.endswith('Next: continue_research(run_id="r1", work={"3.1": "…", "3.2": "…"})')
    assert "5 packets of work" in work_text(run, 40_000)


def test_one_packet_that_is_too_long_comes_in_pages_that_join() -> None:
    prompt = " ".join(f"冰浮在水上{number}。" for number in range(3_000))
    run = a_run(a_packet("3.1", prompt=prompt))
    whole, text, offset = work_text(run, 10**6), "", 0

    while True:
        page = work_text(run, 9_000, offset=offset)
        assert len(page.encode()) <= 9_000
        body, more, last = page.partition("\n\n[Characters ")
        text += body
        if not more:
            break
        offset = int(last.rpartition("offset=")[2].rstrip(")]"))

    assert "".join(text.split()) == "".join(whole.split())
    with pytest.raises(InvalidRequest, match="is past the end of the work"):
        work_text(run, 9_000, offset=10**6)

"""Whole runs whose thinking is done by the model of whoever asked, round by round."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.attempts import resume_run
from deepresearch_mcp.jobs.handing import fault_of, hand_in, work_of
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.jobs.replies import reply
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.records.consent import Reply
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.work import ClientAnswer, ModelTask
from scholar import Scholar
from small_web import small_web
from thinking import Mind
from whole_runs import checked, opened, researched

Answer = Callable[[ModelTask], Any]
Round = tuple[ModelTask, ...]


async def begun(jobs: Jobs, **given: Any) -> Run:
    return await researched(jobs, **{"effort": "standard", "model": "client", **given})


async def answered(jobs: Jobs, run: Run, answer: Answer, **options: Any) -> Run:
    """One round."""
    assert run.waiting
    work = {packet.packet_id: said for packet in run.waiting.open if (said := answer(packet)) is not None}
    await hand_in(jobs, run.run_id, work_of(work), **options)
    await jobs.follow(run.run_id)
    return await jobs.result(run.run_id)


async def to_the_end(jobs: Jobs, run: Run, answer: Answer) -> tuple[Run, list[Round]]:
    """Round after round; the run in its end, and what was asked in each."""
    rounds: list[Round] = []
    while run.waiting:
        rounds.append(run.waiting.open)
        run = await answered(jobs, run, answer)
    return run, rounds


async def test_a_standard_run_takes_eight_rounds_at_most_and_says_that_it_judged_itself(tmp_path: Path) -> None:
    more = {"research": {"stop_score": 11}}  # Never enough: both rounds of research are made.
    async with small_web() as web, opened(tmp_path, web, more=more) as jobs:
        run, rounds = await to_the_end(jobs, await begun(jobs), Mind().answer)

        await checked(jobs, run)
        assert (run.status, run.provenance and run.provenance.models) == ("completed", ("client",))
        assert len(rounds) <= 8
        assert {claim.checked_by for claim in run.claims} == {"self"}
        assert run.metrics.usd == 0.0
        assert run.metrics.usd_known
        assert run.metrics.model_calls == sum(map(len, rounds))
        assert run.metrics.input_tokens > run.metrics.output_tokens > 0
        async with jobs.runtime.store.journal(run.run_id) as journal:
            kinds = {row.key.partition("/")[0] for row in await journal.rows()}
        # A fork does anew what lies behind its stage: every kind of step belongs to one, but what is given.
        assert kinds - set(steps.kinds_from("planner")) <= {"background", "clock", "judges", "nonce"}


async def test_a_run_left_waiting_goes_on_in_another_process_with_nothing_asked_twice(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()

    def answer(packet: ModelTask) -> Any:
        asked[packet.mark] += 1
        return Mind().answer(packet)

    async with small_web() as web:
        async with opened(tmp_path, web) as jobs:
            run = await answered(jobs, await begun(jobs), answer)
        searched = list(web.asked)
        while run.waiting:
            async with opened(tmp_path, web) as jobs:
                run = await answered(jobs, await jobs.result(run.run_id), answer)

        async with opened(tmp_path, web) as jobs:
            await checked(jobs, run)
    assert run.status == "completed"
    assert set(asked.values()) == {1}
    assert len(web.asked) == len(set(web.asked)) >= len(searched) > 0
    assert len(web.read) == len(set(web.read))


async def test_a_malformed_answer_is_corrected_once_and_then_made_by_rule(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run = await begun(jobs)
        assert run.waiting
        [plan] = run.waiting.open

        first = await hand_in(jobs, run.run_id, work_of({plan.packet_id: "I would rather not."}))
        left = (await jobs.result(run.run_id)).waiting
        second = await hand_in(jobs, run.run_id, work_of({plan.packet_id: {"thoughts": "none"}}))
        await jobs.follow(run.run_id)
        run, _ = await to_the_end(jobs, await jobs.result(run.run_id), Mind().answer)

    assert first.faults == {plan.packet_id: "there is no JSON in it that can be read"}
    assert left
    assert [packet.packet_id for packet in left.open] == [plan.packet_id]
    assert second.faults == {}
    assert any(
        "client could not plan the research; the extractive engine did it instead" in one for one in run.warnings
    )


def all_but_the_look_back(packet: ModelTask) -> Any:
    return None if packet.task == "look_back" else Mind().answer(packet)


async def test_what_stays_unanswered_twice_is_made_by_rule(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run, asked = await begun(jobs), 0
        while run.waiting:
            asked += any(packet.task == "look_back" for packet in run.waiting.open)
            run = await answered(jobs, run, all_but_the_look_back, enough=True)

    assert (asked, run.status) == (2, "completed")
    assert any("Why: it left this unanswered" in one for one in run.warnings)


async def test_with_no_answer_at_all_the_rest_is_made_without_a_model(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run = await answered(jobs, await begun(jobs), Mind().answer)
        run = await answered(jobs, run, lambda _: None, enough=True)

        await checked(jobs, run)
    assert run.status == "partial"
    assert any("Why: it no longer answers" in one for one in run.warnings)


async def test_cancelling_between_two_rounds_writes_up_what_was_found_and_the_run_can_be_gone_on_with(
    tmp_path: Path,
) -> None:
    more = {"research": {"stop_score": 11}}
    async with small_web() as web:
        async with opened(tmp_path, web, more=more) as jobs:
            run = await begun(jobs)
            while not any(packet.task == "assess" for packet in (run.waiting.open if run.waiting else ())):
                run = await answered(jobs, run, Mind().answer)
            searched = list(web.asked)
        # In another process, as where the client was started anew meanwhile.
        async with opened(tmp_path, web, more=more) as jobs:
            row = await jobs.cancel(run.run_id)
            run = await jobs.result(run.run_id)

            assert (row.status, run.status, run.waiting) == ("cancelled", "cancelled", None)
            assert run.report
            await checked(jobs, run)
            assert list(web.asked) == searched
            assert (await jobs.cancel(run.run_id)).status == "cancelled"

            await resume_run(jobs, run.run_id)
            await jobs.follow(run.run_id)
            run, rounds = await to_the_end(jobs, await jobs.result(run.run_id), Mind().answer)

            assert "assess" in {packet.task for packet in rounds[0]}
            assert run.status == "completed"
            await checked(jobs, run)


async def test_who_declines_the_work_gets_what_the_answers_so_far_allow(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run = await answered(jobs, await begun(jobs), Mind().answer)
        assert run.waiting

        # Some of the round's answers are in when the user has enough of it.
        [first, *others] = run.waiting.open
        await hand_in(jobs, run.run_id, work_of({first.packet_id: Mind().answer(first)}))
        row = await reply(jobs, run.run_id, Reply(decision="decline"))
        again = await reply(jobs, run.run_id, Reply(decision="decline"))

        assert others
        assert (row.status, again.status) == ("cancelled", "cancelled")
        kinds = [event.kind for event in await jobs.runtime.store.events.of(run.run_id)]
        assert (kinds.count("ended"), kinds[-1]) == (1, "ended")
        assert (await jobs.result(run.run_id)).report


async def test_answers_that_come_twice_are_heard_once_and_those_to_nothing_are_refused(tmp_path: Path) -> None:
    async with small_web(held=True) as web, opened(tmp_path, web) as jobs:
        web.open.set()
        run = await begun(jobs)
        assert run.waiting
        work = work_of({packet.packet_id: Mind().answer(packet) for packet in run.waiting.open})
        await hand_in(jobs, run.run_id, work)
        again = await hand_in(jobs, run.run_id, work)
        with pytest.raises(InvalidRequest, match="waits for no work"):
            await hand_in(jobs, run.run_id, work_of({"7.1": {}, "x": "y"}))
        with pytest.raises(InvalidRequest, match="waits for no work"):
            await hand_in(jobs, run.run_id, work_of({"1.9": {}}))

        assert (again.row.run_id, again.faults) == (run.run_id, {})


async def test_names_that_were_never_given_are_told_and_those_of_earlier_rounds_are_not(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run = await answered(jobs, await begun(jobs), Mind().answer)
        assert run.waiting
        [first, *_] = run.waiting.open

        handed = await hand_in(
            jobs, run.run_id, work_of({"bogus": {}, "9.1": {}, "1.1": {}, first.packet_id: Mind().answer(first)})
        )

        assert handed.faults == {"bogus": "no packet has this name", "9.1": "no packet has this name"}
        waiting = (await jobs.result(run.run_id)).waiting
        assert waiting
        assert first.packet_id not in {packet.packet_id for packet in waiting.open}


async def test_what_a_sampling_client_sends_is_cut_where_it_does_not_end(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run = await answered(jobs, await begun(jobs), Mind().answer)
        await hand_in(
            jobs, run.run_id, {"2.1": ClientAnswer(text="x" * 70_000), "9.9": ClientAnswer(text="?")}, check=False
        )
        left = (await jobs.result(run.run_id)).waiting

    assert left
    [cut, other] = left.packets
    assert cut.answered == ClientAnswer(text="x" * 60_000, cut=True)
    assert other.answered is None


async def test_a_ceiling_is_met_before_the_client_is_asked(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run, rounds = await to_the_end(jobs, await begun(jobs, max_tokens=9_000), Mind().answer)

    assert run.status == "partial"
    assert run.metrics.input_tokens + run.metrics.output_tokens <= 9_000
    assert rounds


async def test_a_plan_is_approved_before_anything_is_read(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run = await answered(jobs, await begun(jobs, approve_plan=True), Mind().answer)

    assert run.waiting
    assert run.waiting.kind == "approval"
    assert web.read == []


async def test_depth_nought_is_one_round(tmp_path: Path) -> None:
    async with small_web() as web, opened(tmp_path, web) as jobs:
        scholar = Scholar(instead={"text": "Because its lattice is open."})
        run, rounds = await to_the_end(jobs, await begun(jobs, depth=0), Mind(scholar).answer)

    assert "Because its lattice is open." in run.report
    assert [[packet.task for packet in packets] for packets in rounds] == [["text"]]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"claims": []}', ""),
        ('Here you are:\n```json\n{"claims": []}\n```', ""),
        ('[{"claim": "Ice floats."}]', ""),
        ("", "it is empty"),
        ("none", "there is no JSON in it that can be read"),
        ('{"answer": 1}', "it has none of 'claims'"),
        ("[" * 50_000, "there is no JSON in it that can be read"),
        ("x" * 60_001, "it has 60,001 characters, and at most 60,000 are read"),
    ],
)
def test_an_answer_is_looked_at_as_far_as_its_shape_tells(text: str, fault: str) -> None:
    schema: Any = {
        "type": "object",
        "properties": {"claims": {"type": "array", "items": {"type": "object"}}},
        "required": ["claims"],
    }
    given: Any = {"packet_id": "1.1", "mark": "m", "task": "read", "system": "", "prompt": "", "max_tokens": 9}

    assert fault_of(text, ModelTask(**given, answer_schema=schema)) == fault
    assert fault_of(text, ModelTask(**given)) == (fault if not text or len(text) > 60_000 else "")


def test_answers_are_taken_as_json_or_as_text() -> None:
    found = work_of({" 1.1 ": {"a": ["ä"]}, "1.2": '{"a": 1}', "1.3": None})

    assert {name: one.text for name, one in found.items()} == {"1.1": '{"a": ["ä"]}', "1.2": '{"a": 1}', "1.3": "null"}

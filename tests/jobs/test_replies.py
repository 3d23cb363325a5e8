"""Runs that wait for their user, and what the user says to them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun
from deepresearch_mcp.jobs.asking import reply_of
from deepresearch_mcp.jobs.attempts import fork_run, resume_run
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.jobs.replies import decided, reply
from deepresearch_mcp.jobs.soundness import examine_run
from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.plan import Clarification
from deepresearch_mcp.records.request import Limits, ResearchRequest
from deepresearch_mcp.records.run import ENDED, Run, RunRow, RunStatus
from deepresearch_mcp.store.orphans import has_orphans
from deepresearch_mcp.store.sqlite import open_sqlite_store
from job_fakes import FULL, PLAN, QUESTION, FakeRuntime, FallibleStore, until
from pipeline_fakes import part

YES = reply_of(approve=True)
NO = reply_of(approve=False)
ASKING = PLAN.model_copy(
    update={"questions": (Clarification(question="Which ice is meant?", options=("frozen water", "dry carbon")),)}
)


class World:
    """Jobs on a store in a folder, with time moved by hand."""

    def __init__(self, runtime: FakeRuntime, jobs: Jobs) -> None:
        self.runtime, self.jobs = runtime, jobs
        self.clock, self.store = runtime.clock, runtime.store

    async def start(self, **given: Any) -> RunRow:
        asked = {"question": QUESTION, "depth": 1, "breadth": 3, "approve_plan": True} | given
        return await self.jobs.start_or_join(ResearchRequest.model_validate(asked))

    async def until(self, run_id: str, *statuses: RunStatus) -> Run:
        async def reached() -> bool:
            idle = run_id not in self.jobs._live
            return idle and (await self.jobs.get(run_id)).status in statuses

        await until(self.clock, self.store, reached)
        return await self.jobs.result(run_id)

    async def asks(self, **given: Any) -> Run:
        return await self.until((await self.start(**given)).run_id, "input_required")

    async def ends(self, run_id: str) -> Run:
        return await self.until(run_id, *ENDED)

    async def kinds(self, run_id: str) -> list[str]:
        return [event.kind for event in await self.store.events.of(run_id)]


@asynccontextmanager
async def world(
    home: Path, clock: HandClock | None = None, *, adopting: bool = False, fallible: bool = False, **script: Any
) -> AsyncGenerator[World]:
    clock = clock or HandClock()
    async with open_sqlite_store(home, clock) as store:
        runtime = FakeRuntime(FallibleStore(store) if fallible else store, clock, **script)
        async with open_jobs(runtime, adopting=adopting) as jobs:
            yield World(runtime, jobs)


async def test_nothing_is_searched_before_the_plan_is_approved_and_then_the_report_comes(tmp_path: Path):
    async with world(tmp_path) as it:
        waiting = await it.asks()
        searched = list(it.runtime.engine.asked)
        row = await it.jobs.get(waiting.run_id)
        await reply(it.jobs, waiting.run_id, YES)
        run = await it.ends(waiting.run_id)
        row_after = await it.jobs.get(waiting.run_id)

        assert searched == []
        assert (waiting.status, waiting.report, row.owner) == ("input_required", "", None)
        assert waiting.waiting is not None
        assert waiting.waiting.plan is not None
        assert [one.text for one in waiting.waiting.plan.sub_questions] == [QUESTION]
        assert waiting.waiting.plan.estimate is not None
        assert (run.status, run.error, run.waiting) == ("completed", None, None)
        assert row_after.fence == 3
        kinds = await it.kinds(run.run_id)
        assert kinds.count("inquired") == 1
        assert kinds.index("inquired") < kinds.index("replied") < kinds.index("answered")


async def test_what_was_answered_is_in_the_record_and_is_not_asked_again(tmp_path: Path):
    clock = HandClock()
    async with world(tmp_path, clock, delay=1e6) as it:
        run_id = (await it.asks()).run_id
        await reply(it.jobs, run_id, YES)

        async def searching() -> bool:
            return bool(it.runtime.engine.asked)

        await until(clock, it.store, searching)

    async with world(tmp_path, clock, adopting=True) as it:
        run = await it.ends(run_id)
        rows = {row.key: row for row in await it.store.spending.steps(run_id)}
        kinds = await it.kinds(run_id)

    assert run.status == "completed"
    assert (rows["plan/approve/1"].kind, rows["plan/approve/1"].status) == ("decision", "done")
    assert (kinds.count("inquired"), kinds.count("replied")) == (1, 1)


async def test_waiting_takes_none_of_the_runs_minutes(tmp_path: Path):
    async with world(tmp_path) as it:
        run_id = (await it.asks(max_minutes=2)).run_id
        it.clock.advance(24 * 3600)
        await reply(it.jobs, run_id, YES)
        run = await it.ends(run_id)

    assert run.status == "completed"
    assert run.metrics.seconds < 60


async def test_a_run_that_waits_holds_no_place_of_those_that_run_at_once(tmp_path: Path):
    async with world(tmp_path, runs_at_once=1) as it:
        run_id = (await it.asks()).run_id
        other = await it.ends((await it.start(question="And how do lakes freeze?", approve_plan=False)).run_id)
        await reply(it.jobs, run_id, YES)

        assert other.status == "completed"
        assert (await it.ends(run_id)).status == "completed"


async def test_asking_the_same_question_joins_the_run_that_waits_and_sees_what_it_asks(tmp_path: Path):
    clock = HandClock()
    async with world(tmp_path, clock) as it, world(tmp_path, clock) as other:
        waiting = await it.asks()

        joined = [await there.start() for there in (it, other)]
        followed = await other.jobs.follow(waiting.run_id)

        assert {row.run_id for row in joined} == {waiting.run_id}
        assert followed.status == "input_required"
        assert (await other.jobs.result(waiting.run_id)).waiting == waiting.waiting
        assert [row.run_id for row in await other.jobs.find(status="input_required")] == [waiting.run_id]
        assert (await other.jobs.progress(followed)).line().startswith("waiting for an answer")


async def test_an_answer_that_another_process_gives_reaches_the_one_that_asked(tmp_path: Path):
    clock = HandClock()
    async with world(tmp_path, clock) as it, world(tmp_path, clock) as other:
        run_id = (await it.asks()).run_id
        row = await reply(other.jobs, run_id, YES, take_up=False)
        run = await it.ends(run_id)

        assert (row.status, row.owner) == ("queued", None)
        assert run.status == "completed"
        assert it.runtime.engine.asked
        assert not other.runtime.engine.asked


async def test_a_question_and_its_answer_outlive_every_server(tmp_path: Path):
    clock = HandClock()
    async with world(tmp_path, clock) as it:
        run_id = (await it.asks()).run_id
    orphaned = [has_orphans(tmp_path)]
    async with world(tmp_path, clock, adopting=True) as it:
        clock.advance(5)
        await it.jobs.adopt()
        left_alone = await it.jobs.get(run_id)
    async with world(tmp_path, clock) as it:
        await reply(it.jobs, run_id, YES, take_up=False)
    orphaned.append(has_orphans(tmp_path))
    async with world(tmp_path, clock, adopting=True) as it:
        run = await it.ends(run_id)

    assert left_alone.status == "input_required"
    assert orphaned == [False, True]
    assert run.status == "completed"


async def test_an_answer_in_a_server_of_another_setup_is_kept_for_one_of_the_runs_own(tmp_path: Path):
    clock = HandClock()
    async with world(tmp_path, clock) as it:
        run_id = (await it.asks()).run_id
    async with world(tmp_path, clock) as it:
        it.runtime.setup = "with another key"
        row = await reply(it.jobs, run_id, YES)
        assert (row.status, row.owner) == ("queued", None)
        # Whoever wants it to go on here all the same says so.
        await resume_run(it.jobs, run_id)
        assert (await it.ends(run_id)).status == "completed"


async def test_the_same_answer_given_twice_counts_once_and_another_is_refused(tmp_path: Path):
    async with world(tmp_path) as it:
        run_id = (await it.asks()).run_id
        await reply(it.jobs, run_id, YES)
        again = await reply(it.jobs, run_id, YES)
        with pytest.raises(InvalidRequest, match=r"has already been answered \(approve\)"):
            await reply(it.jobs, run_id, NO)
        run = await it.ends(run_id)

        assert again.run_id == run_id
        assert run.status == "completed"
        assert (await reply(it.jobs, run_id, YES)).status == "completed"


async def test_of_two_that_answer_at_once_one_is_heard(tmp_path: Path):
    clock = HandClock()
    async with world(tmp_path, clock) as it, world(tmp_path, clock) as other:
        run_id = (await it.asks()).run_id
        heard: list[str] = []

        async def say(there: World, word: str) -> None:
            try:
                await reply(there.jobs, run_id, NO if word == "no" else YES, take_up=False)
                heard.append(word)
            except InvalidRequest:
                pass

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(say, it, "yes")
            tasks.start_soon(say, other, "no")
        status = (await other.jobs.get(run_id)).status

    assert len(heard) == 1
    assert status in ({"cancelled"} if heard == ["no"] else {"queued", "running"})


async def test_a_run_that_asks_nothing_takes_no_answer(tmp_path: Path):
    async with world(tmp_path) as it:
        run_id = (await it.start(approve_plan=False)).run_id
        await it.ends(run_id)

        with pytest.raises(InvalidRequest, match="waits for no answer: it is completed"):
            await reply(it.jobs, run_id, YES)
        with pytest.raises(UnknownRun):
            await reply(it.jobs, "nobody", YES)


async def test_declining_ends_the_run_and_it_can_be_taken_up_again_which_asks_anew(tmp_path: Path):
    async with world(tmp_path) as it:
        run_id = (await it.asks()).run_id
        row = await reply(it.jobs, run_id, NO)
        kinds, found = await it.kinds(run_id), await examine_run(it.jobs, run_id)
        twice = await reply(it.jobs, run_id, NO)
        await resume_run(it.jobs, run_id)
        again = await it.until(run_id, "input_required")
        await reply(it.jobs, run_id, YES)

        assert (row.status, row.stage, twice.status) == ("cancelled", "ended", "cancelled")
        assert kinds[-2:] == ["replied", "ended"]
        assert found.faults == ()
        assert again.waiting is not None
        assert (await it.ends(run_id)).status == "completed"


async def test_a_run_that_waits_can_be_cancelled(tmp_path: Path):
    async with world(tmp_path) as it:
        run_id = (await it.asks()).run_id
        row = await it.jobs.cancel(run_id)

        assert row.status == "cancelled"
        assert (await it.kinds(run_id))[-1] == "ended"
        assert (await examine_run(it.jobs, run_id)).faults == ()
        with pytest.raises(InvalidRequest, match="waits for no answer: it is cancelled"):
            await reply(it.jobs, run_id, YES)


async def test_sub_questions_given_are_taken_word_for_word_and_shown_again(tmp_path: Path):
    async with world(tmp_path) as it:
        run_id = (await it.asks()).run_id
        said = reply_of(sub_questions=["How  thick is lake ice?", QUESTION])
        await reply(it.jobs, run_id, said)
        again = await it.until(run_id, "input_required")
        sent_twice = await reply(it.jobs, run_id, said)
        await reply(it.jobs, run_id, YES)
        run = await it.ends(run_id)

    assert again.waiting is not None
    assert again.waiting.plan is not None
    parts = again.waiting.plan.sub_questions
    assert [one.text for one in parts] == ["How thick is lake ice?", QUESTION]
    assert parts[1].queries == PLAN.sub_questions[0].queries
    assert all(one.queries for one in parts)
    assert sent_twice.status == "input_required"
    assert run.provenance is not None
    assert [one["text"] for one in run.provenance.plan["sub_questions"]] == [one.text for one in parts]


async def test_changes_that_come_with_the_approval_are_followed_at_once(tmp_path: Path):
    async with world(tmp_path) as it:
        run_id = (await it.asks()).run_id
        await reply(it.jobs, run_id, reply_of(approve=True, sub_questions=["How thick is lake ice?"], max_pages=1))
        run = await it.ends(run_id)
        row = await it.jobs.get(run_id)

        assert row.request.max_pages == 1
        assert run.metrics.pages <= 1
        assert run.provenance is not None
        assert [one["text"] for one in run.provenance.plan["sub_questions"]] == ["How thick is lake ice?"]
        assert (await it.kinds(run_id)).count("inquired") == 1


async def test_a_note_is_read_by_the_planner_with_the_plan_it_is_about(tmp_path: Path):
    told: list[tuple[str, ...]] = []

    def plan(brief: Any, *rest: Any) -> Any:
        told.append(brief.wishes)
        text = "How thick is lake ice?" if brief.wishes else QUESTION
        return PLAN.model_copy(update={"sub_questions": (part("q1", text, ("ice thickness lakes",)),)})

    async with world(tmp_path, plan=plan) as it:
        run_id = (await it.asks()).run_id
        await reply(it.jobs, run_id, reply_of(note="Only how thick it is.", max_usd=0.05))
        again = await it.until(run_id, "input_required")

    assert told[-1] == (f"Of the plan (1) {QUESTION} the user says: Only how thick it is.",)
    assert again.waiting is not None
    assert again.waiting.plan is not None
    assert [one.text for one in again.waiting.plan.sub_questions] == ["How thick is lake ice?"]
    assert again.waiting.ceilings is not None
    assert again.waiting.ceilings.max_usd == 0.05


async def test_a_question_back_is_asked_once_and_its_answer_changes_the_plan(tmp_path: Path):
    told: list[tuple[str, ...]] = []

    def plan(brief: Any, *rest: Any) -> Any:
        told.append(brief.wishes)
        return ASKING

    async with world(tmp_path, plan=plan) as it:
        asked = await it.asks(approve_plan=False)
        await reply(it.jobs, asked.run_id, reply_of(answers=["frozen water"]))
        run = await it.ends(asked.run_id)

    assert asked.waiting is not None
    assert asked.waiting.kind == "clarification"
    assert [one.options for one in asked.waiting.questions] == [("frozen water", "dry carbon")]
    assert told[-1] == ("Asked “Which ice is meant?”, the user said: frozen water",)
    assert run.status == "completed"


async def test_anyone_who_cannot_answer_is_not_asked(tmp_path: Path):
    async with world(tmp_path, plan=ASKING) as it:
        run = await it.ends((await it.start(approve_plan=False, clarify="never")).run_id)

        assert run.status == "completed"
        assert "inquired" not in await it.kinds(run.run_id)


async def test_a_question_may_be_left_to_the_planner(tmp_path: Path):
    async with world(tmp_path, plan=ASKING) as it:
        asked = await it.asks(approve_plan=False)
        await reply(it.jobs, asked.run_id, YES)

        assert (await it.ends(asked.run_id)).status == "completed"


@pytest.mark.parametrize(
    ("made_by", "said", "why"),
    [
        ("scripted", {"answers": ["a"]}, "asks no questions, and 1 were answered"),
        ("extractive", {"note": "Shorter."}, "No language model planned this"),
    ],
)
async def test_an_answer_that_does_not_fit_is_refused_and_the_run_waits_on(
    tmp_path: Path, made_by: str, said: dict[str, Any], why: str
):
    async with world(tmp_path, plan=PLAN.model_copy(update={"made_by": made_by})) as it:
        run_id = (await it.asks()).run_id

        with pytest.raises(InvalidRequest, match=why):
            await reply(it.jobs, run_id, reply_of(**said))
        assert (await it.jobs.get(run_id)).status == "input_required"


async def test_new_ceilings_that_cannot_be_held_are_refused(tmp_path: Path):
    async with world(tmp_path) as it:
        run_id = (await it.asks()).run_id
        it.runtime.refusal = InvalidRequest("max_usd cannot be held.")

        with pytest.raises(InvalidRequest, match="cannot be held"):
            await reply(it.jobs, run_id, reply_of(max_usd=1))
        assert (await it.jobs.get(run_id)).status == "input_required"


async def test_a_disk_that_is_full_when_the_question_is_to_be_kept_fails_the_run_with_its_reason(tmp_path: Path):
    async with world(tmp_path, fallible=True) as it:
        it.store.inquiries.broken["put"] = FULL
        run = await it.ends((await it.start()).run_id)

    assert run.status == "failed"
    assert run.error is not None
    assert "the disk is full" in run.error["message"]


async def test_a_wish_to_cancel_that_comes_while_the_question_is_kept_is_honoured(tmp_path: Path):
    clock = HandClock()
    async with world(tmp_path, clock, fallible=True) as it, world(tmp_path, clock) as other:
        row = await it.start()

        async def cancelled_meanwhile() -> None:
            await other.store.runs.request_cancel(row.run_id, 0.0)

        it.store.inquiries.held["put"] = cancelled_meanwhile
        run = await it.ends(row.run_id)

    assert run.status == "cancelled"


async def test_a_fork_from_behind_the_plan_asks_nothing_and_one_from_the_planner_asks_anew(tmp_path: Path):
    async with world(tmp_path) as it:
        run_id = (await it.asks()).run_id
        await reply(it.jobs, run_id, YES)
        await it.ends(run_id)
        rewritten = await fork_run(it.jobs, run_id, "writer")
        planned = await fork_run(it.jobs, run_id, "planner")

        assert (await it.ends(rewritten.run_id)).status == "completed"
        assert (await it.until(planned.run_id, "input_required")).waiting is not None


async def test_a_run_that_waits_can_be_deleted_with_all_it_asks(tmp_path: Path):
    async with world(tmp_path) as it:
        run_id = (await it.asks()).run_id

        assert await it.store.runs.delete(run_id, 0.0) is not None
        assert await it.store.inquiries.open(run_id) is None


@pytest.mark.parametrize("said", [reply_of(approve=True, note="Only seas."), reply_of(sub_questions=["Why?"])])
async def test_a_question_about_money_takes_no_changes_of_a_plan(tmp_path: Path, said: Any) -> None:
    async with world(tmp_path) as one:
        row = await one.start(max_tokens=500, asks=True, approve_plan=False)
        run = await one.until(row.run_id, "input_required", *ENDED)
        if run.waiting is None:
            pytest.fail("nobody was asked")
        with pytest.raises(InvalidRequest, match="about its budget only"):
            await reply(one.jobs, row.run_id, said)
        await reply(one.jobs, row.run_id, NO)

        assert (await one.ends(row.run_id)).status == "cancelled"
    assert one.runtime.engine.asked == []


@pytest.mark.parametrize(
    ("raised", "word", "said"),
    [
        (None, "raise", "The day's ceiling can only be raised in the settings. Answer narrow or stop."),
        (None, "more", "'more' is not one of the options. Answer narrow or stop."),
        (Limits(max_usd=2), "more", "'more' is not one of the options. Answer raise, narrow or stop."),
    ],
)
def test_an_answer_about_money_that_was_not_offered_is_refused_with_those_that_are(
    raised: Limits | None, word: str, said: str
):
    asked = InputRequest(inquiry_id="plan/afford", kind="budget", text="So?", raised=raised)

    with pytest.raises(InvalidRequest) as caught:
        decided(asked, word)
    assert str(caught.value) == said

"""Whole runs through the real parts: a site and a search on loopback, and models over the wires they really speak."""

from pathlib import Path
from typing import Any

import anyio
import pytest

from deepresearch_mcp.jobs.replies import reply
from deepresearch_mcp.pipeline.report.assemble import OWN_KNOWLEDGE
from deepresearch_mcp.pipeline.report.ending import with_ending
from deepresearch_mcp.records.consent import Reply
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.request import ResearchRequest
from scholar import Scholar
from small_web import QUESTION, small_web
from whole_runs import checked, opened, researched
from wires import Drop, Fault, Scripted, serve


async def test_a_keyless_run_gives_a_report_whose_every_quote_is_there(tmp_path: Path):
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run = await researched(jobs)

        await checked(jobs, run)
        assert run.status == "completed"
        assert run.provenance is not None
        assert run.provenance.thinker == "extractive"
        assert any("No language model wrote this report" in warning for warning in run.warnings)
        assert (run.metrics.usd, run.metrics.model_calls) == (0.0, 0)
        assert run.metrics.pages == 3
        assert "Ignore all previous instructions" not in run.report


@pytest.mark.parametrize("name", ["openai:scholar", "anthropic:scholar"])
async def test_a_model_over_its_own_wire_gives_the_same_kind_of_report(tmp_path: Path, name: str):
    scholar = Scholar()
    async with small_web() as web, serve(script := Scripted(scholar.answer)) as model:
        key = {"model": {"anthropic_key": "k"}} if name.startswith("anthropic") else None
        async with opened(tmp_path, web, model, more=key) as jobs:
            run = await researched(jobs, model=name, template="timeline")

            await checked(jobs, run)
    assert run.status == "completed", run.error
    assert [one.heading for one in run.sections][:2] == ["In short", "Part a"]
    assert run.report.startswith("# Floating ice\n\n**In short.** ")
    assert run.provenance is not None
    assert run.provenance.thinker == name
    assert run.provenance.models == (name,)
    assert run.metrics.model_calls == sum(scholar.calls.values()) == len(script.asked)
    assert run.metrics.input_tokens > 0
    assert sum(run.metrics.tokens_by_role.values()) == run.metrics.input_tokens + run.metrics.output_tokens
    assert {"plan", "read", "judge", "assess", "sketch", "section", "edit", "review"} <= set(scholar.calls)
    assert all("Today is 20" in one["prompt"] for one in script.asked)
    told = [
        one["prompt"] for one in script.asked if "the user wants a timeline. Events stand in the order" in one["prompt"]
    ]
    assert len(told) >= scholar.calls["sketch"] + scholar.calls["section"] + scholar.calls["edit"]
    assert any("Form of the report: timeline, whose sections are: Events (" in one["prompt"] for one in script.asked)
    made = run.provenance
    assert (len(made.calls), made.template["name"]) == (run.metrics.model_calls, "timeline")
    assert made.roles["planner"] == (name,)
    assert {one.role for one in made.calls} == made.roles.keys()
    assert all(len(one.request) >= 16 and one.started <= one.ended for one in made.calls)
    assert len(made.prompts["sketch"]) == 64


async def test_two_rounds_over_a_wire_pay_no_step_twice(tmp_path: Path):
    scholar = Scholar(
        instead={
            "assess": {
                "sufficiency": 2,
                "open": [{"point": "d1", "status": "thin", "missing": "why ice swims", "queries": ["why ice swims"]}],
            }
        }
    )
    async with small_web() as web, serve(Scripted(scholar.answer)) as model:
        more = {"research": {"stop_score": 11}}
        async with opened(tmp_path, web, model, more=more) as jobs:
            run = await researched(jobs, model="openai:scholar", effort="standard")

            await checked(jobs, run)
            assert run.status == "completed", run.error
            assert run.metrics.rounds == 2
            assert "why ice swims" in web.asked
            async with jobs.runtime.store.journal(run.run_id) as journal:
                rows = await journal.rows()
    assert {row.attempt for row in rows} == {1}
    assert {row.status for row in rows} == {"done"}


async def test_enough_after_the_first_round_is_enough(tmp_path: Path):
    async with small_web() as web, serve(Scripted(Scholar().answer)) as model:
        more = {
            "research": {"stop_score": 8, "min_records": 1, "min_cited": 1, "min_domains": 1, "min_corroborated": 0}
        }
        async with opened(tmp_path, web, model, more=more) as jobs:
            run = await researched(jobs, model="openai:scholar", effort="deep")

    assert run.status == "completed", run.error
    assert run.metrics.rounds == 1


@pytest.mark.parametrize("name", ["extractive", "openai:scholar"])
async def test_an_answer_is_short_and_has_its_sources(tmp_path: Path, name: str):
    async with small_web() as web, serve(Scripted(Scholar().answer)) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model=name, mode="answer")

        await checked(jobs, run)
    assert 0 < len(run.answer) <= 140
    assert [one.heading for one in run.sections] == ["In short", "References"]


async def test_depth_zero_answers_from_the_model_and_says_so(tmp_path: Path):
    async with small_web() as web, serve(Scripted(Scholar().answer)) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:scholar", depth=0)

    assert run.status == "completed", run.error
    assert run.answer == "Because ice is less dense than liquid water."
    assert OWN_KNOWLEDGE in run.report
    assert (run.citations, run.sources, web.asked) == ((), (), [])


async def test_dead_engines_end_the_run_before_any_model_is_paid(tmp_path: Path):
    async with small_web() as web, serve(script := Scripted(Scholar().answer)) as model:
        web.broken = True
        async with opened(tmp_path, web, model, more={"search": {"timeout": 5}}) as jobs:
            run = await researched(jobs, model="openai:scholar")

    assert run.status == "failed"
    assert run.error is not None
    assert run.error["name"] == "ENGINES_DEAD"
    assert script.asked == []
    assert "No search engine answered" in run.report


async def test_a_search_that_finds_nothing_is_no_failure_and_is_told_truthfully(tmp_path: Path):
    async with small_web() as web, serve(Scripted(Scholar().answer)) as model:
        web.empty = True
        async with opened(tmp_path, web, model) as jobs:
            run = await researched(jobs, model="openai:scholar")

    assert run.status == "partial", run.error
    assert "The search found no page for this question" in run.report
    assert (run.answer, run.citations) == ("", ())


async def test_a_refused_key_stops_the_run_at_once_and_says_whose_it_is(tmp_path: Path):
    scholar = Scholar(instead={"plan": Fault(401, "bad key")})
    async with (
        small_web() as web,
        serve(script := Scripted(scholar.answer)) as model,
        opened(tmp_path, web, model, more={"model": {"openai_key": "sk-secret"}}) as jobs,
    ):
        run = await researched(jobs, model="openai:scholar")

    assert run.status == "failed"
    assert run.error is not None
    assert run.error["name"] == "MODEL_UNUSABLE"
    assert "openai" in run.error["message"]
    assert "OPENAI_API_KEY" in run.error["action"]
    assert "sk-secret" not in run.model_dump_json()
    assert scholar.calls["section"] == 0
    assert len(script.asked) < 6


async def test_a_model_that_goes_away_does_not_end_the_run(tmp_path: Path):
    scholar = Scholar(instead={"section": Drop(), "edit": Fault(500, "no")})
    async with small_web() as web, serve(Scripted(scholar.answer)) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:scholar")

        await checked(jobs, run)
    assert run.status == "partial", run.error
    assert any("extractive engine did it instead" in warning for warning in run.warnings)


WRITING = ("sketch", "section", "edit", "opening", "review", "judge", "repair")


@pytest.mark.parametrize(
    "fault",
    [Fault(400, "maximum context length is 8192", "context_length_exceeded"), Fault(500, "no"), "I cannot help."],
    ids=["overflows", "fails", "refuses"],
)
async def test_a_model_that_cannot_write_leaves_the_best_passages_in_the_pages_own_words(tmp_path: Path, fault: Any):
    scholar = Scholar(instead=dict.fromkeys((*WRITING, "text"), fault))
    async with small_web() as web, serve(Scripted(scholar.answer)) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:scholar")

        await checked(jobs, run)
    assert run.status == "partial", run.error
    [told] = [warning for warning in run.warnings if "extractive engine did it instead" in warning]
    assert "no section of the report could be written" in told
    verified = [claim for claim in run.claims if claim.verdict == "supported"]
    cited = {name for citation in run.citations for name in citation.claim_ids}
    assert {claim.claim_id for claim in verified} == cited
    lines = [line for claim in verified for line in claim.text.split("\n\n")]
    assert len(lines) > len(verified)
    assert all(f"> {line.rstrip('.')}" in run.report.replace("\\", "") for line in lines)


async def test_tokens_at_their_ceiling_give_a_partial_report_and_are_never_passed(tmp_path: Path):
    async with small_web() as web, serve(Scripted(Scholar().answer)) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:scholar", max_tokens=9_000)

    assert run.status == "partial"
    assert run.metrics.input_tokens + run.metrics.output_tokens <= 9_000
    assert any("max_tokens was met" in warning for warning in run.warnings)


async def test_money_at_its_ceiling_gives_a_partial_report_and_is_never_passed(tmp_path: Path):
    more = {"model": {"prices": {"openai:scholar": {"input": 10.0, "output": 50.0}}}}
    async with (
        small_web() as web,
        serve(Scripted(Scholar().answer)) as model,
        opened(tmp_path, web, model, more=more) as jobs,
    ):
        run = await researched(jobs, model="openai:scholar", max_usd=0.25)

    assert run.status == "partial"
    assert 0 < run.metrics.usd <= 0.25
    # All was asked that was planned; what the money no longer paid for, rules did.
    told = next(line for line in run.report.splitlines() if line.startswith("Note: The run reached the cost limit"))
    assert "its last steps were done without the model" in told
    assert run.report.split("\n\n")[1].startswith("**In short.** ")
    assert run.assessment is not None
    assert (run.assessment.why, bool(run.assessment.gate)) == ("max_usd", True)
    assert not any(one in run.report.replace("\\", "") for one in run.assessment.limitations)
    assert any("max_usd was met" in warning for warning in run.warnings)


async def test_of_several_drafts_each_is_written_and_one_is_taken(tmp_path: Path):
    scholar = Scholar()
    async with small_web() as web, serve(Scripted(scholar.answer)) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:scholar", drafts=2, max_tokens=500_000)

        await checked(jobs, run)
    assert run.status == "completed", run.error
    assert scholar.calls["review"] == 2
    assert scholar.calls["section"] >= 4


async def test_cancelling_ends_the_calls_in_flight_and_writes_up_what_is_verified(tmp_path: Path):
    held = anyio.Event()

    async def never(asked: Any) -> None:
        held.set()
        await anyio.sleep_forever()

    scholar = Scholar(instead={"sketch": never})
    async with small_web() as web, serve(Scripted(scholar.answer)) as model, opened(tmp_path, web, model) as jobs:
        request = ResearchRequest(question=QUESTION, effort="quick", model="openai:scholar")
        row = await jobs.start_or_join(request)
        await held.wait()
        async with anyio.create_task_group() as tasks:

            async def hear(progress: Any) -> None:
                if progress.verified:
                    tasks.cancel_scope.cancel()

            tasks.start_soon(lambda: jobs.follow(row.run_id, on_progress=hear))

        await jobs.cancel(row.run_id)
        run = await jobs.result(row.run_id)

        await checked(jobs, run)
        async with jobs.runtime.store.journal(row.run_id) as journal:
            in_doubt = [one.key for one in await journal.rows() if one.status == "started"]
    assert run.status == "cancelled"
    assert "sketch" in in_doubt


async def test_collections_alone_are_enough_and_only_what_meets_the_conditions_is_read(tmp_path: Path):
    async with small_web() as web, opened(tmp_path, web) as jobs:
        store = jobs.runtime.store
        from deepresearch_mcp.ports.documents import FileStamp
        from pipeline_fakes import page

        await store.collections.of(LOCAL_CALLER).put("notes", str(tmp_path), 0.0)
        text = "Ice floats on water because it is about nine percent less dense than the liquid."
        for name, said in (("ice.md", text), ("draft.md", f"In a draft: {text}")):
            note = page(f"library://notes/{name}", said, title="Ice")
            await store.collections.of(LOCAL_CALLER).add("notes", FileStamp(name, 1, 1), note)
        run = await researched(jobs, collections=("notes",), where=("path!=draft*",), web=False)

        await checked(jobs, run)
    assert web.asked == []
    assert [one.link for one in run.citations] == ["library://notes/ice.md"]
    assert str(tmp_path) not in run.report
    assert "draft.md" not in run.model_dump_json(exclude={"provenance"})


@pytest.mark.parametrize("shared", [False, True])
async def test_what_only_a_collection_says_reaches_the_web_only_if_the_user_allows_it(tmp_path: Path, shared: bool):
    from deepresearch_mcp.ports.documents import FileStamp
    from pipeline_fakes import page

    asks = ["why ice swims", "Bergholt raft of pykrete"]
    points = [{"point": "d1", "status": "thin", "missing": one, "queries": [one]} for one in asks]
    read = Scholar()

    def reading(asked: Any) -> Any:
        return read.read(asked["prompt"]) | {"leads": [{"query": "pykrete from Norrvik"}], "links": ["l1"]}

    scholar = Scholar(instead={"assess": {"sufficiency": 2, "open": points}, "read": reading})
    async with small_web() as web, serve(Scripted(scholar.answer)) as model:
        more = {"research": {"stop_score": 11, "library_to_web": shared}}
        async with opened(tmp_path, web, model, more=more) as jobs:
            collections = jobs.runtime.store.collections.of(LOCAL_CALLER)
            await collections.put("notes", str(tmp_path), 0.0)
            text = "Ice floats on water. Project Bergholt makes a raft of pykrete, ice with pulp from Norrvik."
            note = page("library://notes/ice.md", text, title="Ice", links=[f"{web.base}/norrvik"])
            await collections.add("notes", FileStamp("ice.md", 1, 1), note)

            run = await researched(jobs, model="openai:scholar", effort="standard", collections=("notes",))

            await checked(jobs, run)
    sent = " ".join((*web.asked, *web.missed)).casefold()
    told = any("research.library_to_web" in warning for warning in run.warnings)
    assert "library://notes/ice.md" in {one.link for one in run.citations}
    assert "why ice swims" in web.asked
    assert (any(word in sent for word in ("bergholt", "pykrete", "norrvik")), told) == (shared, not shared)


async def test_a_follow_up_starts_from_what_was_established(tmp_path: Path):
    async with (
        small_web() as web,
        serve(script := Scripted(Scholar().answer)) as model,
        opened(tmp_path, web, model) as jobs,
    ):
        first = await researched(jobs, model="openai:scholar")
        script.asked.clear()
        second = await researched(jobs, "And on salt water?", model="openai:scholar", follow_up_of=first.run_id)

    assert second.status == "completed", second.error
    [planned] = script.of("plan")
    assert "<background>" in planned["prompt"]
    assert first.answer in planned["prompt"]


async def test_a_follow_up_reads_what_the_first_run_read_without_fetching_it_again(tmp_path: Path):
    async with small_web() as web, opened(tmp_path, web, more={"web": {"cache_seconds": 0}}) as jobs:
        first = await researched(jobs)
        web.read.clear()
        second = await researched(jobs, "How does ice float on water?", follow_up_of=first.run_id)

        await checked(jobs, second)
    known = {source.url for source in first.sources}
    assert known & {source.url for source in second.sources if source.cited}
    assert not known & set(web.read)
    assert second.metrics.engines["earlier"]["answered"] > 0


async def test_a_follow_up_on_another_topic_starts_afresh_and_says_so(tmp_path: Path):
    async with small_web() as web, opened(tmp_path, web) as jobs:
        first = await researched(jobs)
        second = await researched(jobs, "Which electric cars charge fastest?", follow_up_of=first.run_id)

    said = f"The topic is not that of run {first.run_id}, so nothing from it was used."
    assert said in second.warnings
    assert "earlier" not in second.metrics.engines


async def test_a_report_says_that_the_sites_asked_for_hold_no_answer(tmp_path: Path):
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run = await researched(jobs, include_domains=("nothing.example",))

    assert not run.citations
    assert "No page of nothing.example (include_domains) was found" in run.report.replace("\\", "")


async def test_near_a_ceiling_low_parts_are_left_out_and_the_report_lists_them(tmp_path: Path):
    left_out = "Who was first to photograph a snow crystal?"

    async def plan_late(asked: Any) -> Any:
        [live] = jobs._live.values()
        await live.news.wait_until(lambda: live.progress.read == 1)
        planned = scholar.plan(asked["prompt"])
        planned["sub_questions"][1] |= {"question": left_out, "queries": ["snow crystal photograph"]}
        return planned

    scholar = Scholar(instead={"plan": plan_late})
    async with small_web() as web, serve(Scripted(scholar.answer)) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:scholar", max_pages=1)

        await checked(jobs, run)
    assert "snow crystal photograph" not in web.asked
    assert run.metrics.pages == 1
    assert f"Not asked, as the page limit left no room for it: {left_out}" in run.report.replace("\\", "")
    assert any("max_pages leaves room for 1 of 17 queries in round 1" in warning for warning in run.warnings)


async def test_at_the_end_of_the_minutes_calls_in_flight_are_cancelled_and_the_rest_is_written_up(tmp_path: Path):
    async def never(asked: Any) -> None:
        await anyio.sleep_forever()

    scholar = Scholar(instead={"sketch": never})
    async with small_web() as web, serve(Scripted(scholar.answer)) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:scholar", max_minutes=0.1)

        await checked(jobs, run)
        async with jobs.runtime.store.journal(run.run_id) as journal:
            in_doubt = [one.key for one in await journal.rows() if one.status == "started"]
    assert run.status == "partial"
    assert run.metrics.seconds < 7.5
    assert "sketch" in in_doubt
    assert any("max_minutes was met" in warning for warning in run.warnings)


async def test_a_plan_approved_in_the_next_server_is_not_paid_for_again(tmp_path: Path):
    scholar = Scholar()
    async with small_web() as web, serve(Scripted(scholar.answer)) as model:
        async with opened(tmp_path, web, model) as jobs:
            asked = await researched(jobs, model="openai:scholar", approve_plan=True)
            planned = dict(scholar.calls)
        async with opened(tmp_path, web, model) as jobs:
            await reply(jobs, asked.run_id, Reply(decision="approve"))
            await jobs.follow(asked.run_id)
            run = await jobs.result(asked.run_id)
            rows = await jobs.runtime.store.spending.steps(run.run_id)

            await checked(jobs, run)
    assert (asked.status, planned, web.asked[:1]) == ("input_required", {"plan": 1}, [QUESTION])
    assert (run.status, run.error) == ("completed", None)
    assert scholar.calls["plan"] == 1
    assert run.metrics.model_calls == sum(scholar.calls.values())
    # Waiting is the one thing that both lives did.
    assert {row.key for row in rows if row.attempt > 1} == {"plan/approve/1"}


async def test_a_search_that_finds_nothing_is_a_partial_run_that_says_what_was_tried(tmp_path: Path):
    async with small_web() as web, opened(tmp_path, web) as jobs:
        web.empty = True
        run = await researched(jobs)

    assert run.status == "partial"
    assert run.assessment is not None
    assert run.assessment.why == "nothing_found"
    assert "## What was tried" in run.report
    assert run.provenance is not None
    assert {one.query for one in run.provenance.searched} == set(web.asked)
    for query in web.asked:
        assert f"“{query}”: searxng 0 hits" in run.report.replace("\\", "")
    assert with_ending(run).startswith("Nothing was found that answers the question")


async def test_a_token_ceiling_that_is_met_early_still_reads_what_was_fetched_by_rule_and_for_nothing(tmp_path: Path):
    async with small_web() as web, serve(Scripted(Scholar().answer)) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:scholar", max_tokens=4_000)

        await checked(jobs, run)
    assert run.status == "partial"
    assert run.metrics.input_tokens + run.metrics.output_tokens <= 4_000
    assert run.metrics.tokens_by_role.get("reader", 0) == 0
    assert {source.url for source in run.sources if source.cited} <= set(web.read)
    assert any("could not read passages" in one and "for nothing" in one for one in run.warnings)
    assert "The run reached the token limit (max_tokens)" in run.report


async def test_a_gate_that_is_not_met_is_told_after_the_last_round_too(tmp_path: Path):
    more = {"research": {"min_domains": 3, "min_records": 1, "min_cited": 1, "min_corroborated": 0.0}}
    async with (
        small_web() as web,
        serve(Scripted(Scholar().answer)) as model,
        opened(tmp_path, web, model, more=more) as jobs,
    ):
        run = await researched(jobs, model="openai:scholar")

    assert run.status == "completed"
    assert run.assessment is not None
    assert "1 of 3 sites" in [one.told for one in run.assessment.gate]
    assert any(one.startswith("The research may be incomplete: ") and "1 of 3 sites" in one for one in run.warnings)


async def test_a_partial_answer_of_one_line_tells_in_its_note_what_is_missing(tmp_path: Path):
    async with small_web() as web, opened(tmp_path, web) as jobs:
        run = await researched(jobs, mode="answer", effort="standard", max_searches=1)

    assert run.status == "partial"
    assert "## What could not be established" not in run.report
    [note] = [one for one in run.warnings if one.startswith("The research was cut short")]
    assert "What could not be established" not in note
    assert "not made: max_searches was met." in note


async def test_ceilings_that_contradict_each_other_are_told_as_the_run_begins(tmp_path: Path):
    async with small_web(held=True) as web, opened(tmp_path, web) as jobs:
        request = ResearchRequest(question=QUESTION, max_searches=1, breadth=10, drafts=3)
        row = await jobs.start_or_join(request)
        await web.searched.wait()
        early = (await jobs.progress(row)).cautions
        web.open.set()
        await jobs.follow(row.run_id)
        run = await jobs.result(row.run_id)
        events = await jobs.runtime.store.events.of(row.run_id)

    assert early[0].startswith("The research would use about 100 searches for breadth 10 in 3 rounds, and max_searches")
    assert early[1] == "drafts=3 has no effect: without a language model every draft is the same."
    assert tuple(one.data["what"] for one in events if one.kind == "cautioned") == early
    assert set(early) <= set(run.warnings)
    assert all(one in run.report.replace("\\", "") for one in early)

"""Reports that are compared, from the questions to the figures, over the real wires."""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from deepresearch_mcp.evals.keyed import questions_at
from deepresearch_mcp.evals.reports import Configuration, MadeReport
from deepresearch_mcp.evals.research import Asked, Bench, compared
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from scholar import Scholar
from small_web import QUESTION, SmallWeb, settings_for, small_web
from wires import Asked as Request
from wires import Fault, Scripted, serve

KEYS = [
    {"id": "1", "weight": 3, "kind": "fact", "fact": "Ice is about 9 percent less dense than liquid water."},
    {"id": 2, "weight": 1, "kind": "judgement", "fact": "The open lattice is what decides."},
]
_REPORT = re.compile(r'<report id="([AB])">\n(.*?)\n</report', re.DOTALL)


class JudgeScript:
    """Judges by what stands in the reports: the one that names a fish is the other system's."""

    def __init__(self) -> None:
        self.scholar = Scholar()
        self.orders: list[str] = []

    def answer(self, asked: Request) -> object:
        properties = (asked["schema"] or {}).get("properties", {})
        if not {"keys", "preferred"} & properties.keys():
            return self.scholar.answer(asked)
        shown = dict(_REPORT.findall(asked["prompt"]))
        # Of one report alone that is A, and B is left out by who reads the answer.
        other = next((name for name, text in shown.items() if "carp" in text), "B")
        ours = "AB"[other == "A"]
        self.orders.append(ours)
        if "keys" in properties:
            return {
                "keys": [
                    {"key_id": "k1", ours.lower(): "yes", other.lower(): "no"},
                    {"key_id": "k2", ours.lower(): "partly", other.lower(): "yes"},
                ]
            }
        marks = dict.fromkeys(("comprehensiveness", "insight", "instructions", "readability", "trust"), 8)
        return {
            "deliverables": [{"deliverable_id": "d1", ours.lower(): "yes", other.lower(): "partly"}],
            ours.lower(): marks,
            other.lower(): dict.fromkeys(marks, 4),
            "preferred": ours,
            "why": f"[{ours}] gives the figure, [{other}] does not.",
            "lacks": "",
        }


@asynccontextmanager
async def scene(tmp_path: Path, script: Any) -> AsyncGenerator[tuple[SmallWeb, Settings, Scripted, Path]]:
    """A web, settings that reach a model, and a folder with one question and another system's report on it."""
    scripted = Scripted(script)
    async with small_web() as web, serve(scripted) as model:
        table = settings_for(tmp_path / "home", web.base).model_dump()
        table["model"] |= {"openai_base_url": f"{model}/v1", "retries": 0}
        place = tmp_path / "questions" / "ice"
        place.mkdir(parents=True)
        asked = {"question": QUESTION, "deliverables": ["why ice floats"], "keys": KEYS, "where": "world"}
        (place / "keys.json").write_text(json.dumps(asked))
        (place / "peer.md").write_text(
            f"Lakes freeze from the top because ice floats on water ([lakes]({web.base}/lakes)). A carp likes that.\n"
        )
        yield web, Settings.model_validate(table), scripted, place.parent


def broken(_asked: Request) -> object:
    return Fault(401)


def said(_line: str) -> None:
    pass


async def test_reports_are_judged_without_names_and_what_was_judged_is_not_paid_for_again(tmp_path: Path) -> None:
    script = JudgeScript()
    async with scene(tmp_path, script.answer) as (_, settings, scripted, place):
        ours = Configuration("ours", settings, {"effort": "quick", "model": "openai:scholar-1"})
        asked = Asked(questions_at(place, "peer.md"), [ours], other="peer", judge="openai:judge-1")
        first = await compared(asked, said)
        before = len(scripted.asked)
        again = await compared(asked, said)
        after = len(scripted.asked)

    [one] = first.questions
    mine, theirs = one.figures
    assert (mine.keys, mine.facts, mine.judgements) == (0.875, 1.0, 0.5)
    assert (theirs.keys, theirs.facts, theirs.judgements) == (0.25, 0.0, 1.0)
    assert (mine.deliverables, theirs.deliverables, mine.trust, theirs.trust) == (1.0, 0.0, 8.0, 4.0)
    assert (one.preferred, one.why) == ("ours", "ours gives the figure, peer does not.")
    assert one.keys == {"1": ["yes", "no"], "2": ["partly", "yes"]}
    assert (theirs.cited, theirs.supported, theirs.sources, theirs.seconds) == (1.0, 1.0, 1.0, None)
    assert mine.located == 1.0
    assert (mine.supported or 0) > 0.9
    assert (mine.tokens or 0) > 1_000
    shown = [one["prompt"] for one in scripted.asked if '<report id="A">' in one["prompt"]]
    assert len(shown) == 2
    assert all("scholar-1" not in prompt and "Evidence: " not in prompt and "peer" not in prompt for prompt in shown)
    assert len(set(script.orders)) == 1, "both questions of a judge show the reports in one order"
    assert (after, again.questions[0].figures, again.usd) == (before, one.figures, 0)


async def test_two_configurations_without_a_judge_are_measured_by_machine_and_it_says_what_was_not(
    tmp_path: Path,
) -> None:
    async with scene(tmp_path, broken) as (_, settings, scripted, place):
        more = settings.model_copy(update={"research": settings.research.model_copy(update={"pages_per_query": 1})})
        by_rule = {"effort": "quick", "model": "extractive"}
        both = [Configuration("first", settings, by_rule), Configuration("against", more, by_rule)]
        found = await compared(Asked(questions_at(place), both, judge="extractive"), said)

    assert (found.judge, found.systems, scripted.asked) == ("", ["first", "against"], [])
    [one] = found.questions
    first, against = one.figures
    assert one.reports[0].run != one.reports[1].run, "a run of other settings is not taken for this one"
    assert (first.keys, first.trust, one.preferred) == (None, None, "")
    assert first.located == against.located == 1.0
    assert (first.cited or 0) > 0
    assert (first.sources or 0) >= (against.sources or 0) > 0
    assert any("Not measured without a judge" in note for note in found.notes)


async def test_a_judge_that_fails_leaves_what_the_machine_measures(tmp_path: Path) -> None:
    async with (
        scene(tmp_path, broken) as (_, settings, scripted, place),
        open_runtime(settings) as runtime,
        open_jobs(runtime) as jobs,
    ):
        [question] = questions_at(place, "peer.md")
        bench = Bench(jobs, "openai:judge", 1.0, said)
        found = await bench.one(question, [MadeReport("one", question.report), MadeReport("none", "", error="Dead.")])

    assert found.figures[0].keys is None
    assert found.figures[0].words == 15
    assert scripted.asked
    assert bench.notes[0] == "ice: none has no report. Dead."
    assert any(note.startswith("ice was not judged: ") for note in bench.notes)


async def test_a_report_that_is_not_there_answers_nothing_in_the_figures(tmp_path: Path) -> None:
    async with (
        scene(tmp_path, JudgeScript().answer) as (_, settings, _, place),
        open_runtime(settings) as runtime,
        open_jobs(runtime) as jobs,
    ):
        [question] = questions_at(place, "peer.md")
        bench = Bench(jobs, "openai:judge", 1.0, said)
        found = await bench.one(question, [MadeReport("none", "", error="Dead."), MadeReport("one", question.report)])

    assert [one.keys for one in found.figures] == [0.0, 0.25]
    assert (found.preferred, found.keys["2"]) == ("", ["no", "yes"])

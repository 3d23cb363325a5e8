from typing import Any

import pytest

from deepresearch_mcp.jobs.described import estimate_lines, inquiry_lines, packet_lines, shape_line, ways_on
from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.plan import (
    Clarification,
    Deliverable,
    Estimate,
    Hypothesis,
    Plan,
    Pressure,
    Scope,
    StageEstimate,
)
from deepresearch_mcp.records.request import EFFORTS, Limits
from deepresearch_mcp.records.work import ModelTask
from pipeline_fakes import part

STAGES = (
    StageEstimate(stage="planner", model="openai:x", tokens=1_000, usd=0.001),
    StageEstimate(stage="reader", model="openai:y", tokens=62_000, usd=None),
)
PLAN = Plan(
    sub_questions=(
        part("q1", "Why is ice light?", ("ice density", "hydrogen bonds"), priority="high"),
        part("q2", "How do lakes freeze?\u202e", ("lakes freeze",)),
    ),
    made_by="openai:x",
    estimate=Estimate(usd=None, tokens=63_000, searches=8, pages=12, seconds=90, stages=STAGES),
)
BACK = (
    Clarification(question="Which ice?", options=("frozen water", "dry ice", "sea ice")),
    Clarification(question="Since when?"),
)


def test_a_plan_is_shown_with_its_queries_its_price_and_its_ceilings() -> None:
    lines = inquiry_lines(
        InputRequest(inquiry_id="1", kind="approval", text="So?", plan=PLAN, ceilings=EFFORTS["quick"], questions=BACK)
    )

    assert lines == [
        "The plan:",
        "1. Why is ice light? (high priority)",
        "   searches: ice density · hydrogen bonds",
        "2. How do lakes freeze?",
        "   searches: lakes freeze",
        "",
        "The planner would like to know:",
        "1. Which ice? (frozen water, dry ice or sea ice)",
        "2. Since when?",
        "",
        "What it is likely to use:",
        "planner        1,000 tokens         $0.0010  openai:x",
        "reader        62,000 tokens   price unknown  openai:y",
        "In all        63,000 tokens   price unknown  8 searches, 12 pages, about 1.5 minutes",
        "It never uses more than $0.20, 100,000 tokens, 20 searches, 24 pages and 4 minutes.",
    ]


def test_what_is_asked_for_is_shown_above_the_plan_and_what_is_expected_is_only_counted() -> None:
    scope = Scope(
        deliverables=(
            Deliverable(id="d1", kind="comparison", text="Ice and snow\u202e"),
            Deliverable(id="d2", kind="how_to", text="How to cross a lake"),
        ),
        subjects=("ice", "snow"),
        aspects=("density", "strength"),
        constraints=("in winter", "for hikers"),
        premises=("Snow sinks.",),
    )
    expected = tuple(
        Hypothesis(id=f"h{n}", statement=f"Secret guess {n}.", query="a b", premise=n == 1) for n in (1, 2)
    )
    plan = PLAN.model_copy(update={"scope": scope, "hypotheses": expected})

    lines = inquiry_lines(InputRequest(inquiry_id="1", kind="approval", text="So?", plan=plan))

    assert lines[:12] == [
        "What is asked for:",
        "1. Ice and snow (comparison)",
        "2. How to cross a lake (how-to)",
        "   About: ice, snow, by density, strength",
        "   Within: in winter; for hikers",
        "   To be tested: Snow sinks.",
        "",
        "The plan:",
        "1. Why is ice light? (high priority)",
        "   searches: ice density · hydrogen bonds",
        "2. How do lakes freeze?",
        "   searches: lakes freeze",
    ]
    assert lines[12] == "Beside these, 2 expected answers are tested, with a search each."
    assert not [line for line in lines if "Secret" in line]
    by_rule = plan.model_copy(update={"made_by": "extractive"})
    assert inquiry_lines(InputRequest(inquiry_id="1", kind="approval", text="So?", plan=by_rule))[0] == "The plan:"


def test_a_question_about_money_shows_what_it_would_cost_beside_what_it_may_and_how_sure_that_is() -> None:
    dear = Estimate(
        usd=0.21, search_usd=0.04, tokens=60_800, searches=8, pages=32, seconds=21, stages=STAGES[:1],
        usd_range=(0.125, 0.38), tokens_range=(30_400, 121_600), ceilings=EFFORTS["standard"],
        pressed=(
            Pressure(ceiling="max_usd", expected=0.21, limit=0.02),
            Pressure(ceiling="limits.usd_per_day", expected=0.21, limit=0.25),
        ),
    )  # fmt: skip
    asked = InputRequest(inquiry_id="1", kind="budget", text="Too little.", estimate=dear, raised=Limits(max_usd=0.5))

    assert inquiry_lines(asked) == [
        "What it is likely to use:",
        "planner        1,000 tokens         $0.0010  openai:x",
        "searches           0 tokens         $0.0400  8 queries",
        "In all        60,800 tokens         $0.2100  8 searches, 32 pages, about 0.3 minutes",
        "At most      450,000 tokens         $1.0000  80 searches, 80 pages, 10 minutes",
        "Confidence: low (no similar run yet; the real figure may be half or double): "
        "$0.1250 to $0.3800, 30,400 to 121,600 tokens",
        "This exceeds max_usd.",
        "limits.usd_per_day would be at least 80 % used.",
    ]
    assert ways_on(asked) == {
        "raise": "Raise max_usd to $0.5",
        "narrow": "Run narrowed, within the ceiling",
        "stop": "Do not run it",
    }
    assert inquiry_lines(asked.model_copy(update={"estimate": None})) == []


@pytest.mark.parametrize(
    ("runs", "confidence", "said"),
    [
        (1, "low", "only 1 similar run; the real figure"),
        (2, "low", "only 2 similar runs;"),
        (4, "medium", "based on the last 4 similar runs"),
    ],
)
def test_confidence_says_what_it_rests_on(runs: int, confidence: Any, said: str) -> None:
    found = Estimate(
        usd=0.0, tokens=0, searches=1, pages=1, seconds=1, runs=runs, confidence=confidence, ceilings=EFFORTS["quick"]
    )

    assert said in estimate_lines(found)[-1]


def test_a_question_back_is_shown_alone() -> None:
    asked = InputRequest(inquiry_id="1", kind="clarification", text="What is meant?", plan=PLAN, questions=BACK)

    assert inquiry_lines(asked) == ["1. Which ice? (frozen water, dry ice or sea ice)", "2. Since when?"]


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"type": "string"}, '"…"'),
        ({"enum": ["yes", "no"]}, '"yes|no"'),
        ({"type": "integer", "minimum": 1, "maximum": 10}, "1–10"),
        ({"type": "number"}, "1"),
        ({"type": "boolean"}, "true|false"),
        ({"type": "array", "items": {"type": "integer"}}, "[1, …]"),
        ({"type": "array"}, '["…", …]'),
        (
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "array"}}},
            '{"a": "…", "b": ["…", …]}',
        ),
        ({}, '"…"'),
    ],
)
def test_a_schema_is_shown_by_what_fits_it(schema: dict[str, Any], shown: str) -> None:
    assert shape_line(schema) == shown


def test_packets_of_one_task_share_its_instructions_and_their_shape_where_it_is_one() -> None:
    def packet(name: str, **schema: Any) -> ModelTask:
        given = {"mark": "m", "task": "write", "system": "Write.", "prompt": f"About {name}.", "max_tokens": 9}
        return ModelTask.model_validate({**given, "packet_id": name, "answer_schema": schema or None})

    alike = packet_lines([packet("1.1", type="string"), packet("1.2", type="string")])
    mixed = packet_lines([packet("1.1", type="string"), packet("1.2", type="integer"), packet("1.3")])

    assert [line for line in alike if line.startswith("#")] == [
        "# Task: write (packet 1.1, 1.2)",
        "## Packet 1.1",
        "## Packet 1.2",
    ]
    assert alike.count("Write.") == alike.count('Each answer is one JSON object: "…"') == 1
    assert [line for line in mixed if "JSON" in line] == [
        'Its answer is one JSON object: "…"',
        "Its answer is one JSON object: 1",
    ]
    assert inquiry_lines(InputRequest(inquiry_id="work/1", kind="work", text="W.", packets=(packet("1.1"),)))[0] == (
        "# Task: write (packet 1.1)"
    )

from deepresearch_mcp.jobs.described import inquiry_lines
from deepresearch_mcp.records.consent import Inquiry
from deepresearch_mcp.records.plan import Clarification, Estimate, Plan, StageEstimate
from deepresearch_mcp.records.request import EFFORTS
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
        Inquiry(inquiry_id="1", kind="approval", text="So?", plan=PLAN, ceilings=EFFORTS["quick"], questions=BACK)
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
        "It never uses more than $0.10, 60,000 tokens, 8 searches, 12 pages and 2 minutes.",
    ]


def test_a_question_back_is_shown_alone() -> None:
    asked = Inquiry(inquiry_id="1", kind="clarification", text="What is meant?", plan=PLAN, questions=BACK)

    assert inquiry_lines(asked) == ["1. Which ice? (frozen water, dry ice or sea ice)", "2. Since when?"]

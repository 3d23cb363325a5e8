"""What the next round asks, most needed first; see also test_analyst."""

from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.research.coverage import covered
from deepresearch_mcp.pipeline.research.next_queries import next_queries
from deepresearch_mcp.records.evidence import Assessment, Expected, FollowUp, OpenPoint
from deepresearch_mcp.records.plan import Hypothesis, Scope
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from pipeline_fakes import brief, claim, page, part

GRID = Scope(subjects=("Ice", "Snow"), aspects=("density", "colour"))
ASKED = brief().model_copy(update={"scope": GRID})
PAGE = page("https://a.example/1", "Ice is dense. Snow is white.")
PARTS = [
    SubQuestionEvidence(
        part("q1", "What are ice and snow like?"),
        (claim(PAGE, "Ice is dense.", covers=("s1a1", "h1")), claim(PAGE, "Snow is white.", covers=("s2a2",))),
    )
]
SAID = Assessment(
    sufficiency=5,
    open=(OpenPoint(point="s1a1", status="thin"), OpenPoint(point="s2a1"), OpenPoint(point="s1a2")),
    follow_ups=(
        FollowUp(sub_question="q1", query="ice figures table", point="s1a1"),
        FollowUp(sub_question="q1", query="snow figures table", point="s2a1"),
        FollowUp(sub_question="q1", query="snow weighed fresh", point="s2a1"),
    ),
    expected=(Expected(statement="Snow weighs little", query="snow weight test", sub_question="q1"),),
)
SEEN = covered(ASKED, SAID, PARTS)
GUESSES = (
    Hypothesis(id="h1", statement="Ice is dense", query="ice density test"),
    Hypothesis(id="h2", statement="Snow is white", query="snow whiteness test"),
)
LEAD = FollowUp(sub_question="q1", query="a page points here", lead=True)


def texts(most: int, asked: set[str] | None = None) -> list[str]:
    return [one.query for one in next_queries(ASKED, SEEN, PARTS, most, asked or set(), (LEAD,), (), GUESSES)]


def test_open_points_come_before_thin_ones_and_each_has_a_query_before_any_has_two() -> None:
    assert texts(3) == ["snow figures table", "Ice colour", "ice figures table"]


def test_then_come_the_best_leads_hypotheses_that_no_claim_settles_and_second_queries() -> None:
    assert texts(7)[3:] == ["a page points here", "snow weight test", "snow whiteness test", "snow weighed fresh"]


def test_the_leads_nearest_to_what_is_open_have_a_share_of_the_room_and_doubles_are_sent_once() -> None:
    said = SEEN.model_copy(update={"open": (OpenPoint(point="s2a1", missing="the weight of fresh snow in figures"),)})
    queries = ("history of skiing clubs", "fresh snow weight figures", "figures of fresh snow weight", "colour of ice")
    leads = [FollowUp(sub_question="q1", query=one, lead=True) for one in queries]

    chosen = [one.query for one in next_queries(ASKED, said, PARTS, 8, set(), leads, (), GUESSES)]

    first = chosen.index("fresh snow weight figures")
    assert first < chosen.index("snow weight test")
    assert sum(one in queries for one in chosen[: first + 2]) <= 2, "a quarter of the room"
    assert "figures of fresh snow weight" not in chosen


def test_where_the_thinker_s_queries_were_asked_the_words_of_what_is_missing_are_and_without_any_none() -> None:
    named = (
        OpenPoint(point="s2a1", missing="the weight of a litre of fresh snow"),
        OpenPoint(point="s1a2", missing="what colours deep ice"),
    )
    said = SEEN.model_copy(update={"open": named})
    asked = {query_key(one.query) for one in SAID.follow_ups}

    chosen = [one.query for one in next_queries(ASKED, said, PARTS, 4, asked)]

    assert "weight litre fresh snow" in chosen
    assert not any("colour" in one.lower() for one in chosen[:2])


def test_a_cell_that_was_asked_for_in_vain_is_asked_from_another_angle() -> None:
    assert "Ice colour limits" in texts(3, {query_key("Ice colour")})

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, UnreadableAnswer
from deepresearch_mcp.pipeline.queries import is_query, query_key
from deepresearch_mcp.pipeline.research.planner import MAX_PARTS, make_plan, parts_for, sound
from deepresearch_mcp.pipeline.scope import default_plan
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.plan import Plan, SubQuestion
from pipeline_fakes import ScriptedThinker, brief, part

AT = Step("plan", ("search/1",))


@pytest.mark.parametrize(("breadth", "parts"), [(1, 1), (2, 3), (4, 3), (7, 4), (10, 5)])
def test_a_wider_research_is_split_into_more_parts(breadth: int, parts: int) -> None:
    assert parts_for(breadth, 2) == parts


@given(st.integers(1, 10))
def test_in_a_single_round_no_part_is_planned_that_no_query_is_left_for(breadth: int) -> None:
    parts = parts_for(breadth, 1)

    # One query is the question's own; a plan has one part at least.
    assert 1 <= parts <= max(1, breadth - 1)
    assert parts <= parts_for(breadth, 2)


async def test_the_thinker_is_asked_for_what_the_breadth_can_keep_supplied() -> None:
    thinker = ScriptedThinker()

    plan = await make_plan(brief(breadth=8), thinker, AT)

    [call] = thinker.calls
    assert call.args[1:] == (4, 7)
    assert call.step == AT
    assert plan.made_by == "scripted"


async def test_three_queries_at_least_are_asked_for() -> None:
    thinker = ScriptedThinker()

    await make_plan(brief(breadth=1), thinker, AT)

    assert thinker.calls[0].args[2] == 3


@pytest.mark.parametrize("answer", [UnreadableAnswer("x", "no shape"), Plan(sub_questions=(part(text=" ? "),))])
async def test_without_a_usable_plan_the_question_itself_is_the_plan(answer: object) -> None:
    plan = await make_plan(brief("Why does ice float on water?"), ScriptedThinker(plan=answer), AT)

    [only] = plan.sub_questions
    assert plan.made_by == "default"
    assert (only.id, only.text, only.priority) == ("q1", "Why does ice float on water?", "high")
    assert only.queries


@pytest.mark.parametrize("error", [KeyRefused("x", "refused"), BudgetExceeded("max_usd", 1, 1)])
async def test_a_refused_key_and_a_ceiling_are_heard(error: Exception) -> None:
    with pytest.raises(type(error)):
        await make_plan(brief(), ScriptedThinker(plan=error), AT)


async def test_goals_and_maker_of_a_repaired_plan_stay() -> None:
    proposed = Plan(goals=("Understand",), made_by="model", sub_questions=(part("x", "Why does ice float?"),))

    plan = await make_plan(brief(), ScriptedThinker(plan=proposed), AT)

    assert (plan.goals, plan.made_by, plan.sub_questions[0].id) == (("Understand",), "model", "q1")


def test_sub_questions_that_say_the_same_are_one() -> None:
    parts = sound([part("a", "Why does ice float?"), part("b", "Why does the ice  float")], brief())

    assert [one.text for one in parts] == ["Why does ice float?"]


def test_sub_questions_that_differ_by_a_sign_alone_are_two() -> None:
    parts = sound([part("a", "How does C++ manage memory?"), part("b", "How does C# manage memory?")], brief())

    assert [one.id for one in parts] == ["q1", "q2"]


def test_a_part_may_wait_for_earlier_ones_only() -> None:
    proposed = [
        part("a", "Who made ice?", depends_on=("b", "a", "z")),
        part("b", "When was it made?", depends_on=("a", "a", "b")),
    ]

    first, second = sound(proposed, brief())

    assert (first.depends_on, second.depends_on) == ((), ("q1",))


def test_who_waits_for_a_repeated_part_waits_for_the_one_that_stands_for_it() -> None:
    proposed = [
        part("a", "Why does ice float?"),
        part("b", "Why does ice float?"),
        part("c", "Who found out?", depends_on=("b",)),
    ]

    assert sound(proposed, brief())[1].depends_on == ("q1",)


def test_a_query_is_asked_for_one_part_only_and_the_other_asks_in_its_own_words() -> None:
    proposed = [
        part("a", "How do writers lock rows?", ("postgres row locks",)),
        part("b", "Which isolation levels are there?", ("row locks postgres",)),
    ]

    first, second = sound(proposed, brief())

    assert first.queries == ("postgres row locks",)
    assert second.queries == ("isolation levels",)


def test_a_part_with_nothing_left_to_ask_is_left_out_and_the_numbers_have_no_gap() -> None:
    proposed = [
        part("a", "What are isolation levels?", ("isolation levels",)),
        part("b", "Which isolation levels are there?", ("levels of isolation",)),
        part("c", "Who made them?", ("isolation history standard",), depends_on=("a", "b")),
    ]

    assert [(one.id, one.depends_on) for one in sound(proposed, brief())] == [("q1", ()), ("q2", ("q1",))]


def test_queries_of_one_word_or_of_none_are_not_asked() -> None:
    [only] = sound([part("a", "How fast is SQLite?", ("SQLite", "? !", "site:sqlite.org", ""))], brief())

    assert all(is_query(query) for query in only.queries)


def test_a_part_of_one_word_is_asked_together_with_the_question() -> None:
    [only] = sound([part("a", "SQLite")], brief("How do databases handle concurrent writers?"))

    assert "SQLite" in only.queries[0]
    assert "concurrent" in only.queries[0]


def test_a_question_of_one_word_is_asked_as_it_is() -> None:
    assert default_plan(brief("SQLite")).sub_questions[0].queries == ("SQLite",)


def test_a_query_goes_to_no_site_that_is_excluded_or_was_not_asked_for() -> None:
    queries = ("ice water site:bad.example", "float SITE:good.example ice", "ice density site:other.example")
    within = brief(include_domains=("good.example",))
    without = brief(exclude_domains=("bad.example",))

    assert sound([part("a", queries=queries)], within)[0].queries == (
        "ice water",
        "float SITE:good.example ice",
        "ice density",
    )
    assert sound([part("a", queries=queries)], without)[0].queries == ("ice water", *queries[1:])


NAMES = st.sampled_from(["q1", "q2", "a", ""])
TEXTS = st.one_of(st.text(max_size=40), st.sampled_from(["Why ice?", "why ICE", "C++", "SQLite", "  ", "冰", "a b c"]))
PARTS = st.builds(
    SubQuestion,
    id=NAMES,
    text=TEXTS,
    queries=st.lists(TEXTS, max_size=4).map(tuple),
    depends_on=st.lists(NAMES, max_size=3).map(tuple),
)


@given(st.lists(PARTS, max_size=12))
def test_whatever_is_proposed_a_sound_plan_has_no_circle_no_repetition_and_nothing_empty(
    proposed: list[SubQuestion],
) -> None:
    question = brief("How do PostgreSQL and SQLite handle concurrent writers?")

    parts = sound(proposed, question)

    assert len(parts) <= MAX_PARTS
    assert [one.id for one in parts] == [f"q{number}" for number in range(1, len(parts) + 1)]
    assert len({one.text for one in parts}) == len(parts)
    for number, one in enumerate(parts):
        assert one.text.strip()
        assert one.status == "todo"
        assert set(one.depends_on) <= {earlier.id for earlier in parts[:number]}
        assert len(set(one.depends_on)) == len(one.depends_on)
        assert one.queries
        assert all(query.strip() and len(query) <= 300 for query in one.queries)
    keys = [query_key(query) for one in parts for query in one.queries]
    assert len(set(keys)) == len(keys)

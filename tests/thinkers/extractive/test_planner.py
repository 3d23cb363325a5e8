from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.thinkers.extractive.planner import plan, split

Make = Callable[..., Brief]


def test_a_plan_has_readable_parts_and_queries_for_each(brief: Make) -> None:
    made = plan(brief("How do PostgreSQL and SQLite handle concurrent writers?"), 4, 6)

    assert made.made_by == "extractive"
    assert [part.id for part in made.sub_questions] == ["q1", "q2"]
    assert made.sub_questions[0].text == "How does PostgreSQL handle concurrent writers?"
    assert all(part.queries for part in made.sub_questions)
    assert sum(len(part.queries) for part in made.sub_questions) == 6
    assert made.goals == (made.sub_questions[0].text, made.sub_questions[1].text)


def test_a_part_names_the_part_that_it_rests_on(brief: Make) -> None:
    made = plan(brief("Where was the director of Jaws born?"), 4, 4)

    assert made.sub_questions[1].depends_on == ("q1",)


def test_a_simple_question_stays_one_part_with_three_queries_or_more(brief: Make) -> None:
    [only] = plan(brief("Why is the sky blue?"), 4, 1).sub_questions

    assert only.text == "Why is the sky blue?"
    assert len(only.queries) >= 3


@pytest.mark.parametrize(("parts", "count"), [(1, 1), (2, 2), (4, 2)])
def test_there_are_never_more_parts_than_asked_for(brief: Make, parts: int, count: int) -> None:
    made = plan(brief("How do PostgreSQL and SQLite handle concurrent writers?"), parts, 4)

    assert len(made.sub_questions) == count


def test_too_many_clauses_lose_their_finer_division_first() -> None:
    question = "What are the causes and effects of inflation, and how do PostgreSQL and SQLite store rows?"

    assert [piece.text for piece in split(question, 2, "en")] == [
        "What are the causes and effects of inflation?",
        "PostgreSQL and SQLite: how they store rows",
    ]


def test_a_question_in_another_language_stays_whole(brief: Make) -> None:
    question = "Wie funktioniert die Photosynthese und warum ist sie wichtig?"

    [only] = plan(brief(question, "de"), 4, 4).sub_questions

    assert only.text == question
    assert only.queries


def test_words_that_say_nothing_are_still_asked(brief: Make) -> None:
    [only] = plan(brief("?!"), 4, 4).sub_questions

    assert only.queries


def test_parts_of_the_same_words_each_have_a_query(brief: Make) -> None:
    made = plan(brief("What is the cost of tea, and how does the cost of tea mean?"), 4, 3)

    assert all(part.queries for part in made.sub_questions)


@given(st.text(min_size=1, max_size=200).filter(lambda text: text.strip().isprintable() and text.strip()))
def test_any_question_gives_the_same_sound_plan_twice(question: str) -> None:
    first, second = split(question, 5, "en"), split(question, 5, "en")

    assert first == second
    assert 1 <= len(first) <= 5
    assert all(piece.text.strip() and len(piece.text) <= 300 for piece in first)


def test_an_address_in_the_question_parts_nothing_and_is_no_query(brief: Make) -> None:
    made = plan(brief("What does http://127.0.0.11:8900/library say about row locks?"), 3, 3)

    assert not [query for part in made.sub_questions for query in part.queries if "127" in query or "8900" in query]
    assert "127" not in "".join(part.text for part in made.sub_questions)


def test_a_long_comparison_asks_each_aspect_of_all_things_with_a_query_for_each_thing(brief: Make) -> None:
    question = (
        "How do Ora, Belvo and Kestrel each protect data against crashes and power failure? Compare the mechanisms,"
        " their default settings, how corruption is detected, and how one recovers; end with recommendations for"
        " an operator."
    )

    made = plan(brief(question), 6, 15)

    assert [part.text for part in made.sub_questions] == [
        "Ora, Belvo and Kestrel: how they protect data against crashes and power failure",
        "Ora, Belvo and Kestrel: default settings",
        "Ora, Belvo and Kestrel: how corruption is detected",
        "Ora, Belvo and Kestrel: how one recovers",
    ]
    for part in made.sub_questions:
        assert [query.split()[0] for query in part.queries] == ["Ora", "Belvo", "Kestrel"]
    assert "power failure" in made.sub_questions[1].queries[0]
    assert made.scope.aspects[:1] == ("default settings",)
    assert made.scope.deliverables[-1].kind == "recommendation"


def test_what_a_task_is_set_in_goes_with_each_of_its_items(brief: Make) -> None:
    made = plan(brief("For Ora 3.2, explain (a) how to add an index, and (b) how tables are joined."), 6, 15)

    assert [part.text for part in made.sub_questions] == [
        "Ora 3.2: how to add an index",
        "Ora 3.2: how tables are joined",
    ]


def test_a_task_behind_a_comparison_is_asked_of_the_same_things(brief: Make) -> None:
    made = plan(brief("Compare lib.wait_for and lib.timeout, and say which a library for Ora 3.8 can use"), 6, 15)

    assert [part.text for part in made.sub_questions] == [
        "lib.wait_for",
        "lib.timeout",
        "lib.wait_for and lib.timeout: which a library for Ora 3.8 can use",
    ]


def test_what_is_new_is_looked_for_in_the_release_notes_first(brief: Make) -> None:
    [only] = plan(brief("What is new in Ora 3.2?"), 6, 15).sub_questions

    assert only.queries[0] == "Ora 3.2 release notes"


def test_things_of_one_kind_are_asked_for_one_by_one_in_their_context() -> None:
    pieces = split("Compare the json, pickle and shelve modules of Orasql on safety", 7, "en")

    assert [piece.text for piece in pieces] == ["Json: safety", "Pickle: safety", "Shelve: safety"]
    assert {piece.context for piece in pieces} == {"modules of Orasql"}


def test_a_clause_does_not_end_with_what_joins_it_to_the_next() -> None:
    pieces = split("(a) How do I set the cache of Orasql and (b) what happens when Orasql stops?", 7, "en")

    assert [piece.text for piece in pieces] == [
        "How do I set the cache of Orasql?",
        "What happens when Orasql stops?",
    ]


def test_compare_them_asks_nothing_beyond_what_was_asked_of_both_before_it() -> None:
    pieces = split("How do PostgreSQL and SQLite handle concurrent writers? Compare them.", 4, "en")

    assert [piece.text for piece in pieces] == [
        "How does PostgreSQL handle concurrent writers?",
        "How does SQLite handle concurrent writers?",
    ]

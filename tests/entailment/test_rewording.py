from deepresearch_mcp.entailment.phrases import Tokens, tokens
from deepresearch_mcp.entailment.rewording import Around, moved, readings, wordings


def said(ways: list[Tokens]) -> set[str]:
    return {" ".join(one.shown for one in way) for way in ways}


def test_what_stands_first_may_stand_last() -> None:
    assert "the bed was lined in 1956" in said(list(moved(tokens("In 1956 the bed was lined"))))


def test_a_passive_has_an_active_and_no_other_by_has_one() -> None:
    assert "dahl dug the the canal" in said(list(moved(tokens("The canal was dug by Dahl"))))
    assert len(list(moved(tokens("The canal was lined by 1956")))) == 1
    assert len(list(moved(tokens("The canal was lined by using clay")))) == 1


def test_the_b_is_a_where_a_is_the_b() -> None:
    assert "the capital of velby is norholt" in said(list(moved(tokens("Norholt is the capital of Velby"))))
    assert "a town is norholt" not in said(list(moved(tokens("Norholt is a town"))))


def test_what_a_heading_names_need_not_be_said_again() -> None:
    known = Around("", ("Selmar canal | Canals of Velby",))

    assert "the bed was lined" in said(list(wordings(tokens("The bed of the Selmar canal was lined"), known)))


def test_a_pronoun_is_read_as_what_it_may_mean() -> None:
    known = Around("", ("Selmar canal",))

    assert "selmar canal opened" in said(list(readings(tokens("It opened"), "It opened", known)))
    found = said(list(readings(tokens("Its locks are wide"), "Its locks are wide", known)))
    assert "locks of selmar canal are wide" in found

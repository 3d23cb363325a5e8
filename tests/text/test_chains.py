"""Pages that a question needs together: by its words, and by a name that leads from one to the next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.chains import Chains, TitledText

QUESTION = "Where was the author of Halmar born?"
PLAY = TitledText("Halmar (play)", "The play Halmar was written by the author Henrik Ibsen in one summer.")
POET = TitledText("Henrik Ibsen", "Henrik Ibsen came to the world in Skien, a harbour with timber yards.")
TIMBER = TitledText("Timber yards", "Many yards cut timber for the ships of the coast.")
SOAP = TitledText("Soap", "Soap is made of fat and lye.")


def named(name: str, count: int) -> list[TitledText]:
    """Pages that name one thing, none of them about it."""
    return [
        TitledText(f"Diary {number}", f"Yesterday {number} of us sailed to {name} again.") for number in range(count)
    ]


def test_a_page_without_a_word_of_the_question_is_worth_something_by_the_name_it_shares_with_one_that_answers():
    play, poet, soap = Chains(QUESTION, [PLAY, POET, SOAP]).worth

    assert play == 1.0
    assert poet >= 0.5
    assert soap == 0.0


def test_a_page_is_reached_over_another_one():
    town = TitledText("Skien", "The harbour lies at a river.")
    play, poet, reached, soap = Chains(QUESTION, [PLAY, POET, town, SOAP]).worth

    assert play > poet > reached > 0
    assert soap == 0.0


def test_a_page_four_steps_away_is_not_reached():
    line = [
        PLAY,
        POET,
        TitledText("Skien", "It has a bridge, the Klosterfoss."),
        TitledText("Klosterfoss", "Painted by Dahlqvist."),
    ]

    assert [one > 0 for one in Chains(QUESTION, line).worth] == [True, True, True, False]


def test_of_two_pages_joined_alike_the_one_that_adds_to_the_question_is_worth_more():
    bare = TitledText("Letters", "Nobody had letters from Henrik Ibsen that year.")
    adds = TitledText("Family", "Nobody knew that Henrik Ibsen was born that year.")
    common = [TitledText(f"Diary {at}", "Another child was born, born again, and born at last.") for at in range(3)]
    chains = Chains("Where was the author of Halmar born?", [PLAY, bare, adds, *common])

    assert chains.joined[0, 1] == chains.joined[0, 2]
    assert chains.worth[2] > chains.worth[1]


def test_a_page_about_what_another_names_is_joined_to_it_firmly_and_two_that_only_name_it_less_so():
    one, other = named("Zanzibar", 2)
    joined = Chains(QUESTION, [one, other, TitledText("Zanzibar (island)", "A place of spices.")]).joined

    assert joined[0, 2] == joined[1, 2] == 1.0
    assert 0 < joined[0, 1] < 1.0


def test_the_more_pages_hold_a_name_the_less_it_joins_them():
    firm = [Chains(QUESTION, named("Zanzibar", count)).joined.get((0, 1), 0.0) for count in (2, 8, 40, 41)]

    assert firm[0] == pytest.approx(2 * firm[1])
    assert firm[1] > firm[2] > 0.0
    assert firm[3] == 0.0


def test_the_firmest_of_several_shared_names_counts():
    rare = [
        TitledText("Log", "Yesterday we sailed to Zanzibar and then Mombasa."),
        TitledText("Note", "He saw Zanzibar, and Mombasa."),
    ]
    chains = Chains(QUESTION, [*rare, *named("Zanzibar", 6)])

    assert chains.joined[0, 1] == Chains(QUESTION, named("Mombasa", 2)).joined[0, 1]
    assert chains.joined[0, 2] < chains.joined[0, 1]


@pytest.mark.parametrize("said", ["Then Halmar came to us.", "It rained in March a little.", "We all went home."])
def test_names_in_the_question_and_months_and_plain_words_join_nothing(said: str):
    assert not Chains(QUESTION, [TitledText("", f"{said} Soap."), TitledText("", f"{said} Timber.")]).joined


def test_a_page_titled_as_the_question_is_not_joined_to_all_that_repeat_it():
    assert not Chains(
        "Who wrote Halmar?", [TitledText("Halmar", "A play."), TitledText("", "There is a brand on soap.")]
    ).joined


def test_pairs_stand_once_lower_first_and_in_order():
    pairs = list(Chains(QUESTION, [POET, TIMBER, PLAY, *named("Skien", 2)]).joined)

    assert pairs == sorted(set(pairs))
    assert all(one < other for one, other in pairs)
    assert (0, 2) in pairs


def test_a_page_with_the_names_of_the_question_comes_before_one_with_as_many_of_its_other_words():
    name, words = Chains(
        "Which village did Xanthippe paint?",
        [TitledText("", "Later came Xanthippe here."), TitledText("", "Later came village here.")],
    ).worth

    assert name == 1.0
    assert 0 < words < 1.0


def test_what_pages_hold_together_is_more_than_what_either_holds():
    chains = Chains(QUESTION, [PLAY, TitledText("Births", "A list of children born."), SOAP])

    assert chains.covered([0, 1]) == pytest.approx(1.0)
    assert chains.covered([0]) < 1.0
    assert chains.covered([2]) == chains.covered([]) == 0.0
    assert chains.covered([0, 0]) == chains.covered([0])


def test_a_rare_word_of_the_question_covers_more_than_a_common_one():
    pages = [TitledText("", "halmar"), TitledText("", "author"), TitledText("", "author"), TitledText("", "author")]
    chains = Chains(QUESTION, pages)

    assert chains.covered([0]) > chains.covered([1])


def test_what_a_page_leaves_open_is_named_by_stems():
    chains = Chains("Where are harbours painted?", [TitledText("Harbour", "A harbour with boats."), SOAP])

    assert chains.missing(1) - chains.missing(0) == {"harbour"}
    assert chains.missing(1) == chains.asked


def test_a_question_without_words_and_no_pages_at_all_are_no_trouble():
    empty = Chains("", [PLAY, POET])

    assert empty.worth == [0.0, 0.0]
    assert empty.covered([0, 1]) == 0.0
    assert Chains(QUESTION, []).worth == []
    assert Chains(QUESTION, [TitledText("", ""), SOAP]).worth == [0.0, 0.0]


VOCABULARY = ["Halmar", "author", "born", "Ibsen", "Skien", "timber", "of", "the", "Soap", "March", "river.", "It"]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=9)
PAGES = st.lists(st.builds(TitledText, WORDS.map(" ".join), WORDS.map(" ".join)), max_size=7)


@given(WORDS.map(" ".join), PAGES)
def test_worth_is_a_share_and_never_less_than_the_page_has_alone(question: str, pages: list[TitledText]):
    chains = Chains(question, pages)
    unjoined = Chains(question, pages)
    unjoined.joined.clear()

    assert all(0 <= alone <= worth <= 1 for alone, worth in zip(unjoined.worth, chains.worth, strict=True))
    assert all(0 < firm <= 1 for firm in chains.joined.values())
    assert 0 <= chains.covered(range(len(pages))) <= 1 + 1e-9
    assert chains.worth == Chains(question, pages).worth

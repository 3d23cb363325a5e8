"""What ties or stretches what a text says, and whose it is."""

import pytest

from deepresearch_mcp.entailment.ties import lost_limits, says_whose, ties, untold_kind, untold_ties, without_samples


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Ice floats because it is light.", ["cause"]),
        ("It was closed, which led to queues.", ["cause"]),
        ("Ice is lighter than water.", ["comparison"]),
        ("Rather than sink, ice floats, and other than ice nothing does.", []),
        ("It is the oldest bridge in the forest.", ["extreme"]),
        ("It has more readers than any other.", ["comparison", "extreme"]),
        ("A protest of most guests from the west, at least.", ["most"]),
        ("The most visited hall.", ["extreme"]),
        ("Only members vote.", ["only"]),
        ("Every winter it always freezes entirely.", ["all"]),
        ("After all it holds at all times.", []),
        ("This proves it.", ["certainty"]),
        ("Das Eis schwimmt, weil es leicht ist.", ["cause"]),
        ("Ice floats.", []),
    ],
)
def test_what_ties_or_stretches_is_told_by_its_kind(text: str, kinds: list[str]) -> None:
    assert list(ties(text)) == kinds


def test_a_tie_is_carried_by_any_word_of_its_kind() -> None:
    assert untold_ties("Ice floats because it is light.", "Ice is light and floats.") == ("because",)
    assert untold_ties("Ice floats because it is light.", "Since it is light, ice floats.") == ()
    assert untold_ties("It holds more than 20.", "It holds over 20.") == ()
    assert untold_ties("The largest and only lake.", "A lake.") == ("largest", "only")
    assert untold_ties("The largest lake.", "The biggest lake.") == ()


def test_a_limit_that_was_lost_is_named() -> None:
    assert lost_limits("Ice floats.", "Ice may float.") == ("certainty",)
    assert lost_limits("Ice might float.", "Ice may float.") == ()
    assert lost_limits("Ice floats.", "Some ice floats if the water is salt.") == ("extent", "condition")
    assert lost_limits("Some ice floats.", "Ice floats.") == ()


@pytest.mark.parametrize("text", ["According to the board it will rise.", "It may rise.", "Laut Rat", "About 5", "~5"])
def test_a_guess_that_says_that_it_is_one_is_heard(text: str) -> None:
    assert says_whose(text)


@pytest.mark.parametrize(
    "text",
    [
        "The researchers found that it helps.",
        "A Cochrane review of 41 trials (2019) found that it helps.",
        "It helps, according to the board.",
        "A 2020 meta-analysis concluded that it helps.",
    ],
)
def test_a_finding_that_says_who_made_it_is_heard(text: str) -> None:
    assert says_whose(text)


@pytest.mark.parametrize("text", ["Sales rose by 5 percent.", "Trout are found in the lake.", "The study is old."])
def test_a_plain_fact_is_no_ones(text: str) -> None:
    assert not says_whose(text)


def test_how_many_were_asked_is_told_from_what_was_found() -> None:
    assert without_samples("It had more than 12,000 adult participants.") == "It had  ."
    assert without_samples("A study of about 900 adults found 3 causes.").split() == ["A", "found", "3", "causes."]
    assert without_samples("About 900 adults died.") == "About 900 adults died."


def test_a_kind_is_told_as_a_fact_unless_the_text_says_whose_it_is_or_counts_whom_was_asked() -> None:
    assert untold_kind("The bridge is ugly.", ["fact", "opinion"]) == "opinion"
    assert untold_kind("The mayor thinks that the bridge is ugly.", ["opinion"]) == ""
    assert untold_kind("The trials had 12,000 participants.", ["estimate"]) == ""
    assert untold_kind("The bridge is ugly.", ["fact"]) == ""

"""The door: what a finding says of a statement and the words that are to carry it."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from deepresearch_mcp.entailment import check as door
from deepresearch_mcp.entailment.check import Evidence, check
from deepresearch_mcp.entailment.details import NEGATION, PageNames, PageWords
from deepresearch_mcp.entailment.rewording import Around

WORDS = "The Selmar canal opened in 1904. It is 61 kilometres long and carries boats."
EVIDENCE = Evidence(words=WORDS, pieces=(WORDS,))


def test_what_the_words_say_is_contained_and_nothing_speaks_against_it() -> None:
    found = check("The Selmar canal opened in 1904.", EVIDENCE)

    assert (found.missing, found.denial, found.why, found.uncertain) == ((), None, "", False)
    assert found.contained
    assert found.covered == 1


def test_a_figure_that_the_words_lack_is_missing_and_named() -> None:
    found = check("The Selmar canal opened in 1905.", EVIDENCE)

    assert found.missing == found.lacks == ("1905",)
    assert found.why == found.faults == "its sources do not say: 1905"
    assert not found.uncertain


def test_a_denial_is_told_with_its_words_and_how_surely() -> None:
    flat = check("The Selmar canal did not open in 1904.", EVIDENCE)
    aside = check("The canal opened without boats.", Evidence(words=WORDS))

    assert flat.lacks == (NEGATION,)
    assert flat.flatly_denied
    assert not flat.perhaps_denied
    assert "denies something that its sources do not deny" in flat.why
    assert aside.perhaps_denied
    assert aside.uncertain


def test_other_words_for_it_leave_it_to_a_reader() -> None:
    found = check("Boats use the 61 kilometres of the Selmar canal.", EVIDENCE)

    assert (found.why, found.uncertain, found.contained) == ("", True, False)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("The canal brought lasting wealth to nearby villages.", "most of its words are not in its sources"),
        ("The Selmar canal opened in 1904 because boats are long.", "its sources give no ground for: “because”"),
        (
            "The Selmar canal opened in 1904, and villages drowned.",
            "its sources do not say: “and villages drowned.”",
        ),
        ("The Selmar canal opened at selmar.example.", "its sources do not hold the address selmar.example"),
    ],
)
def test_what_no_source_says_is_told_in_words(more: str, why: str) -> None:
    assert check(more, replace(EVIDENCE, addresses=WORDS)).why == why


def test_an_opinion_told_as_a_fact_is_told() -> None:
    found = check("The Selmar canal opened in 1904.", replace(EVIDENCE, kinds=("opinion",)))

    assert found.why == "its claim is an opinion, and it does not say so"


def test_a_title_gives_a_version_and_what_stands_beside_gives_a_date() -> None:
    said = "Django 3.2 calls must be wrapped."
    words = Evidence(words="Django calls must be wrapped.")

    assert check(said, words).missing == ("3.2",)
    assert check(said, replace(words, titles="Django 3.2.25 documentation")).missing == ()
    assert check("Calls must be wrapped since 2021.", replace(words, beside="2021-05-06")).missing == ()


def test_a_name_may_stand_elsewhere_on_the_page_and_near_the_words_inflected() -> None:
    said, words = "The Selmar canal opened in 1904.", "It opened in 1904."
    alone = Evidence(words=words)
    page = PageWords("Selmar canal\nhttps://a.example\nIt opened.", "https://a.example")
    other = PageWords("Norholt", "https://a.example")

    assert check(said, alone).missing == ("Selmar",)
    assert check(said, replace(alone, page=page)).missing == ()
    assert check(said, replace(alone, page=PageNames("the Selmar canal"))).missing == ()
    assert check(said, replace(alone, page=other)).missing == ("Selmar",)
    assert check(said, replace(alone, page=other, near="Selmars canal")).missing == ()


def test_a_sentence_carries_what_its_heading_names() -> None:
    one = (("It opened in 1904.", Around("", ("Selmar canal",))),)
    under = Evidence(words="It opened in 1904.", titles="Selmar canal", sentences=one)

    assert check("The Selmar canal opened in 1904.", under).contained
    assert not check("The Selmar canal opened in 1904.", replace(under, titles="")).contained
    assert check("The Selmar canal opened in 1904.", replace(under, titles="")).aligned


def test_what_is_known_to_be_carried_is_not_turned_by_what_stands_around() -> None:
    words = "The drug had no effect on sleep. Patients slept for 4 hours."
    said = "The drug had effects on sleep."

    assert check(said, Evidence(words=words)).denial
    assert check(said, Evidence(words=words, claimed=(said,))).denial is None
    assert check("The drug had effects.", Evidence(words=words, claimed=(said,))).denial is None
    assert check("The drug never had effects on sleep in hours.", Evidence(words="It had.", claimed=(said,))).denial


def test_a_limit_that_is_lost_leaves_it_to_a_reader() -> None:
    evidence = Evidence(words="Cells may catch fire.", pieces=("Cells may catch fire within hours.",))

    assert check("Cells catch fire.", evidence).contained
    assert check("Cells catch fire.", replace(evidence, limited="Cells may catch fire.")).uncertain


def test_words_in_another_language_are_held_to_figures_alone() -> None:
    said = "Das Meereis bedeckt im März etwa 15 Millionen Quadratkilometer."
    words = "Sea ice covers about 15 million square kilometres in March, and it is the largest then."
    found = check(said, Evidence(words=words), "de")

    assert found.foreign
    assert found.uncertain
    assert found.why == ""
    assert check(said.replace("15", "16"), Evidence(words=words), "de").why == "its sources do not say: 16000000"


def test_how_much_is_covered_is_told_by_degrees() -> None:
    whole, part, none = (
        check(said, EVIDENCE)
        for said in ("The Selmar canal opened.", "The Selmar canal froze.", "Bees dance to show flowers.")
    )

    assert whole.nearly_covered
    assert part.on_the_subject
    assert part.mostly_covered
    assert not part.nearly_covered
    assert none.hardly_covered
    assert not none.mostly_covered
    assert whole.score > part.score > none.score


def test_a_quote_that_is_the_statement_is_verbatim() -> None:
    evidence = Evidence(words=WORDS, quotes=("It is 61 kilometres long",))

    assert check("It is 61 kilometres long.", evidence).verbatim
    assert check("It is 61 kilometres long.", evidence).contained
    assert not check("It is 60 kilometres long.", evidence).contained


def test_what_is_missing_is_explained_once_and_in_order() -> None:
    evidence = Evidence(words=WORDS, sentences=((WORDS, Around()),))

    assert check("The canal froze in 1911.", evidence).explained(partly=False) == (
        "not in the quoted words: 1911, froze"
    )


def test_all_that_the_door_offers_exists_and_is_used_outside() -> None:
    package = Path(door.__file__).parents[1]
    used = {
        alias.name
        for file in package.rglob("*.py")
        if file.parent.name != "entailment"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == door.__name__
        for alias in node.names
    }

    # `Denied` is what a finding's denial is.
    assert set(door.__all__) == used | {"Denied"}
    assert [name for name in door.__all__ if not hasattr(door, name)] == []

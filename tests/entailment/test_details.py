import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.entailment.details import (
    NEGATION,
    PageNames,
    PageWords,
    details_missing_from,
    missing_below,
    missing_details,
)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Inflation fell to 2.3% in March 2024.", "In March 2024, inflation fell to 2.3 percent, the ECB said."),
        ("It has 1,000 staff.", "Es hat 1.000 Angestellte."),
        ("The road is 5 km long", "a 5 kilometre road"),
        ("The road is 5 km long", "lengths in km: 4, 5, 6"),
        ("5 roads", "5 km of roads"),
        ("One of the first was built in 1999.", "It was built on 12 May 1999."),
        ("It was released on March 5, 2024", "2024-03-05: released"),
        ("It was released in March 2024", "from January to March of the year 2024"),
        ("It happened on March 5, 2024", "In 2024 ... on March 5 it happened"),
        ("It happened on March 5", "It happened on March 5, 2024"),
        ("In 2019 people voted", "2,019 people voted"),
        ("ECB acted", "The European Central Bank acted"),
        ("In March it fell", "On 2024-03-05 it fell"),
        ("The Americans and the U.S. agreed with Müller", "US and American delegates agreed with Muller's"),
        ("The Anglo-Saxon rule and my_var", "the rule of Anglo Saxon kings in my_var"),
        ("Inflation fell", "The board did not raise rates, and inflation fell."),
        ("Rates did not rise", "rates didn't rise in May"),
        ("The season 2018-19 was good", "the season 2018–2019 was good"),
        ("It cost 5m", "It cost 5 million"),
        ("It cost $1.234", "It cost $1.234"),
        ("A loss of $76.9 billion", "a loss of $76,881 million"),
        ("It grew 3.5%", "It grew by 3.46 percent"),
        ("Some 2.3 million people", "2,345,678 people"),
    ],
)
def test_nothing_is_missing_where_the_evidence_says_it_in_its_own_way(claim: str, evidence: str) -> None:
    assert details_missing_from(claim, evidence) == ()


@pytest.mark.parametrize(
    ("claim", "evidence", "missing"),
    [
        ("Inflation fell to 3.3%", "inflation fell to 2.3 percent", ("3.3%",)),
        ("Inflation fell to 2.3 pp", "inflation fell by 2.3 percent", ("2.3 pp",)),
        ("It cost $5 million", "It cost €5 million", ("5000000 usd",)),
        ("The road is 5 km long", "a road of 5 miles", ("5",)),
        ("It cost $77.9 billion", "It cost $76,881 million", ("77900000000 usd",)),
        ("It cost $80 billion", "It cost $76,881 million", ("80000000000 usd",)),
        ("It cost $76.88 billion", "It cost $76.9 billion", ("76880000000 usd",)),
        ("Version 3.1 has it", "Version 3.14 has it", ("3.1",)),
        ("It came third", "It came 2nd", ("3rd",)),
        ("It came first", "It came second", ("1st",)),
        ("In March 2024", "In April 2024", ("2024-03", "March")),
        ("On March 5, 2024", "On March 6, 2024", ("2024-03-05",)),
        ("On March 5", "On March 6, 2024", ("--03-05",)),
        ("In 2024", "In 2023", ("2024",)),
        ("In the 1990s", "in 1990", ("1990s",)),
        ("It was Siemens AG of Munich", "It was SIEMENS", ("AG", "Munich")),
        ("The board raised rates", "The board did not raise rates", ("negation",)),
        ("The board did not raise rates", "The board raised rates", ("negation",)),
        ("The board did not raise rates and won't cut", "The board raised rates and won't cut", ("negation",)),
    ],
)
def test_what_the_evidence_lacks_is_named(claim: str, evidence: str, missing: tuple[str, ...]) -> None:
    assert details_missing_from(claim, evidence) == missing


WORDS = "The Board of Siemens did not raise 2.3 % in March 2024 , never . $5 km 1st one"


@given(
    st.lists(
        st.sampled_from(WORDS.split()),
        min_size=1,
        max_size=20,
    )
)
def test_a_text_lacks_no_detail_of_its_own(words: list[str]) -> None:
    text = " ".join(words)

    assert details_missing_from(text, text) == ()
    assert details_missing_from(text, f"Before that. {text}. And after.") == ()


def test_blanks_and_commas_in_one_number_are_no_fault() -> None:
    assert details_missing_from("There are 1 234,567 of them.", "There are 1,234,567 of them.") == ()


def test_a_denial_is_named_beside_the_details_and_is_none_itself() -> None:
    said, page = "The board of Siemens did not raise rates in 2020.", "The board raised rates."

    assert details_missing_from(said, page) == ("2020", "Siemens", NEGATION)
    assert missing_details(said, page) == missing_below(said, page, "") == ("2020", "Siemens")


def test_a_name_stands_on_a_page_as_it_is_written_or_in_its_address() -> None:
    page = PageWords("The old mill burns, by a reporter of the Weekly", "https://norholt-weekly.example/mill")

    assert page.names("weekly")
    assert page.names("Norholt Weekly")
    assert not page.names("Mills")
    # Three letters would be met in the midst of others.
    assert not page.names("Hol")


def test_a_prepared_page_names_what_it_has_whatever_its_accents_and_what_its_capitals_are_short_for() -> None:
    page = PageNames("The European Central Bank and Jürgen Müller agreed.")

    assert page.names("Jurgen Muller")
    assert page.names("ECB")
    assert not page.names("Carter")


def test_a_unit_in_short_form_is_no_name_where_the_words_have_the_unit() -> None:
    assert details_missing_from("It has to stay under 1 MB.", "It must be less than 1 megabyte.") == ()
    assert details_missing_from("A value under 1 MB is kept.", "A value below 2 megabytes is kept.") == ("1",)
    assert "MB" in details_missing_from("Under MB it stays.", "It must be less than 1 gigabyte.")

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text import numbers as module
from deepresearch_mcp.text.numbers import missing_details, numbers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,000 = 1 000 = 1000 = 1\u202f000 = a thousand", {"1000"}),
        ("2.3 %, 2.3 percent, 2.3 per cent", {"2.3%"}),
        ("2 percentage points, 2 pp, 25 basis points", {"2 pp", "25 bp"}),
        ("$5 million, 5 million dollars, US$5m", {"5000000 usd"}),
        ("€3bn £1.2m 7B 10k", {"3000000000 eur", "1200000 gbp", "7000000000", "10000"}),
        ("EUR 20 and 30 euros", {"20 eur", "30 eur"}),
        ("the third, 3rd, 21st and 11th", {"3rd", "21st", "11th"}),
        ("twelve, a dozen, twenty-five, two hundred and five", {"12", "25", "205"}),
        ("three thousand four hundred of one million", {"3400", "1000000"}),
        ("-5 degrees, 5–10 km", {"-5", "5", "10"}),
        ("v3.2.1 and 3.10 and 5.0", {"3.2.1", "3.10", "5"}),
        ("1,5 Prozent von 1.000.000 und 1.000.000,5", {"1.5%", "1000000", "1000000.5"}),
        ("in 2019 on March 5, 2020", {"2019"}),
        ("1,2,3 B2B x5", {"1"}),
        ("no numbers at all", set[str]()),
        ("two dozen", {"24"}),
    ],
)
def test_each_number_has_one_canonical_form(text: str, values: set[str]) -> None:
    assert numbers(text) == values


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
    ],
)
def test_nothing_is_missing_where_the_evidence_says_it_in_its_own_way(claim: str, evidence: str) -> None:
    assert missing_details(claim, evidence) == ()


@pytest.mark.parametrize(
    ("claim", "evidence", "missing"),
    [
        ("Inflation fell to 3.3%", "inflation fell to 2.3 percent", ("3.3%",)),
        ("Inflation fell to 2.3 pp", "inflation fell by 2.3 percent", ("2.3 pp",)),
        ("It cost $5 million", "It cost €5 million", ("5000000 usd",)),
        ("The road is 5 km long", "a road of 5 miles", ("5",)),
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
    assert missing_details(claim, evidence) == missing


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

    assert missing_details(text, text) == ()
    assert missing_details(text, f"Before that. {text}. And after.") == ()


def test_all_details_can_be_asked_of_this_module() -> None:
    assert module.dates("March 2024") == {"2024-03"}
    assert module.names("the ECB") == {"ECB"}
    assert module.negations("not now") == 1


def test_blanks_and_commas_in_one_number_are_no_fault() -> None:
    assert missing_details("There are 1 234,567 of them.", "There are 1,234,567 of them.") == ()

import pytest

from deepresearch_mcp.thinkers.extractive.wording import dated, kind_of, kind_of_claim


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ice floats on water.", "fact"),
        ("About 70 % of the ice melted.", "estimate"),
        ("Critics argue that ice is overrated.", "opinion"),
        ("The ice will be gone by 2040.", "forecast"),
        ("Prices are expected to rise.", "forecast"),
        ("The bank predicts that prices rise by 3 %.", "forecast"),
        ("The bridge is set to open in May.", "forecast"),
        ("Earthquakes are difficult to predict.", "fact"),
        ("Forecast errors are small.", "fact"),
        ("The timeout is set to 30 seconds.", "fact"),
        ("Delays are due to rain.", "fact"),
        ("The view is expected to return a response.", "fact"),
        ("An estimated 9 million people use it.", "estimate"),
        ("The council estimates that 9 million people use it.", "estimate"),
        ("The review covered 41 trials with more than 12,000 participants.", "fact"),
        ("A study of about 900 adults in Oslo found less pain.", "fact"),
        ("Nearly 3,000 respondents answered.", "fact"),
        ("It has more than 5 doors.", "fact"),
        ("The model was used to estimate the parameters.", "fact"),
    ],
)
def test_the_wording_tells_the_kind_of_a_claim(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    ("text", "quote", "kind"),
    [
        ("9 million people use it.", "An estimated 9 million people use it.", "estimate"),
        ("People fear ice.", "It is estimated that most people fear ice.", "estimate"),
        ("The lake froze in 1990.", "The lake froze in 1990, when about 70 boats were lost.", "fact"),
        ("Prices rose in 2020.", "Prices rose in 2020, and they are expected to rise 5 % by 2030.", "fact"),
        ("Prices rise 5 % by 2030.", "Prices rose in 2020, and they are expected to rise 5 % by 2030.", "forecast"),
        ("The bridge is ugly.", "Critics argue that the bridge of 1990 is ugly.", "opinion"),
    ],
)
def test_a_quote_lends_its_kind_where_the_claim_tells_what_it_estimates_or_foretells(
    text: str, quote: str, kind: str
) -> None:
    assert kind_of_claim(text, quote) == kind


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("As of March 2019, the ice was thin.", "March 2019"),
        ("It has been so since 1998.", "1998"),
        ("The ice was thin.", ""),
    ],
)
def test_the_date_that_a_sentence_holds_at_is_taken_as_written(text: str, date: str) -> None:
    assert dated(text) == date

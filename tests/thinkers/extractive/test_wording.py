import pytest

from deepresearch_mcp.thinkers.extractive.wording import dated, kind_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ice floats on water.", "fact"),
        ("About 70 % of the ice melted.", "estimate"),
        ("Critics argue that ice is overrated.", "opinion"),
        ("The ice will be gone by 2040.", "forecast"),
        ("Prices are expected to rise.", "forecast"),
    ],
)
def test_the_wording_tells_the_kind_of_a_claim(text: str, kind: str) -> None:
    assert kind_of(text) == kind


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

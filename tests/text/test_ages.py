import pytest

from deepresearch_mcp.text.ages import age


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "a moment"),
        (59, "a moment"),
        (60, "1 minute"),
        (3_599, "59 minutes"),
        (3_600, "1 hour"),
        (86_399, "23 hours"),
        (86_400, "1 day"),
        (30 * 86_400, "30 days"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(seconds: float, said: str):
    assert age(seconds) == said

import pytest

from deepresearch_mcp.records.conditions import Condition, all_hold, checked_condition, condition_in

FACTS = {"type": "pdf", "date": "2024-06-30", "path": "reports/Q2 [final].pdf", "tags": "Ice, sea", "pages": "12"}


@pytest.mark.parametrize(
    ("written", "holds"),
    [
        ("type=pdf", True),
        ("TYPE = PDF", True),
        ("type!=pdf", False),
        ("type=md", False),
        ("path=reports/*", True),
        ("path=*[final].pdf", True),
        ("tags=sea", True),
        ("tags=se?", True),
        ("tags=lake", False),
        ("date>=2024", True),
        ("date>2024", False),
        ("date<=2024-06", True),
        ("date<2024-06-30", False),
        ("date>=2025", False),
        ("pages>9", True),
        ("pages<9", False),
        ("status=draft", False),
        ("status!=draft", True),
        ("status>1", False),
    ],
)
def test_a_condition_compares_what_is_known_of_a_document(written: str, holds: bool) -> None:
    condition = condition_in(written)

    assert condition
    assert condition.holds(FACTS) is holds


@pytest.mark.parametrize("written", ["", "pdf", "=pdf", "type=", "a b=c", "type=" + "x" * 300])
def test_what_is_no_condition_is_not_read(written: str) -> None:
    assert condition_in(written) is None


def test_a_condition_of_a_request_stays_as_it_was_written() -> None:
    assert checked_condition(" type = pdf ") == "type = pdf"
    with pytest.raises(ValueError, match="'draft' is no condition: write key=value"):
        checked_condition("draft")


def test_all_conditions_must_hold() -> None:
    both = [Condition("type", "=", "pdf"), Condition("date", ">=", "2025")]

    assert all_hold([], FACTS)
    assert all_hold(both[:1], FACTS)
    assert not all_hold(both, FACTS)

import pytest

from deepresearch_mcp.evals.lab import Result
from deepresearch_mcp.evals.registry import measure_of, missed
from deepresearch_mcp.evals.sets import FOLDERS
from deepresearch_mcp.exceptions import InvalidRequest


@pytest.mark.parametrize("name", FOLDERS)
def test_every_evaluation_that_is_named_is_there(name):
    assert callable(measure_of(name))


def test_an_unknown_evaluation_is_refused_with_those_there_are():
    with pytest.raises(InvalidRequest, match="no evaluation 'speed'") as caught:
        measure_of("speed")

    assert "quotes" in caught.value.action


FLOORS = {"quotes": {"located": 0.9, "restyled": 0.99}}, {"quotes": {"false_accepts": 0}}


def test_figures_on_their_floors_pass():
    good = Result("quotes", 10, {"located": 0.9, "restyled": 1.0, "false_accepts": 0})

    assert missed(good, *FLOORS) == []


def test_a_figure_under_its_floor_over_its_bound_or_missing_is_told():
    bad = Result("quotes", 10, {"located": 0.899, "false_accepts": 2})

    assert missed(bad, *FLOORS) == [
        "located is 0.899 and should be at least 0.9",
        "restyled is 0.000 and should be at least 0.99",
        "false_accepts is 2 and should be at most 0",
    ]
    assert missed(Result("quotes", 1, {"located": 1, "restyled": 1}), *FLOORS)[0].startswith("false_accepts is inf")


def test_an_evaluation_without_a_floor_cannot_fail():
    assert missed(Result("speed", 1, {"pages": 3}), *FLOORS) == []


@pytest.mark.parametrize("name", FOLDERS)
def test_every_evaluation_has_a_floor(name):
    assert missed(Result(name, 1, {}))

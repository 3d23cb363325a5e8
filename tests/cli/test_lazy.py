import pytest

from deepresearch_mcp.cli import lazy
from lazies import listed


def test_each_module_that_the_type_checker_sees_is_the_one_that_is_loaded() -> None:
    seen = listed(lazy)

    assert seen
    assert {name: getattr(lazy, name).__name__ for name in seen} == seen
    assert vars(lazy)["_MODULES"].keys() == seen.keys()


def test_a_module_that_is_not_listed_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no sqlite"):
        _ = lazy.sqlite

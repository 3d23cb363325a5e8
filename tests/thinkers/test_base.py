import inspect

import pytest

from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.fallback import Fallback
from deepresearch_mcp.thinkers.prompted.thinker import Prompted

METHODS = sorted(name for name, _ in inspect.getmembers(Thinker, inspect.iscoroutinefunction))


@pytest.mark.parametrize("kind", [Extractive, Fallback, Prompted])
@pytest.mark.parametrize("method", METHODS)
def test_whoever_thinks_is_asked_in_the_same_words(kind: type[object], method: str) -> None:
    wanted, given = inspect.signature(getattr(Thinker, method)), inspect.signature(getattr(kind, method))

    assert list(given.parameters) == list(wanted.parameters)


def test_a_thinker_has_a_method_for_each_thing_there_is_to_think() -> None:
    assert (
        sorted(
            "plan read judge compare assess outline write conclude critique revise repair direct".split()  # noqa: SIM905 - a list to be read
        )
        == METHODS
    )

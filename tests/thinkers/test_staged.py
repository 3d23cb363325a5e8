from typing import Any

import pytest

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.thinkers.base import ThinkerTask
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.staged import Staged, goes_by_rules
from deepresearch_mcp.thinkers.tasks import JudgeClaims
from pipeline_fakes import brief


def staged(redone: tuple[str, ...]) -> Any:
    before: Any = Named("before")
    after: Any = Named("after")
    return Staged(before, after, redone)


class Named:
    """Says who was asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def ask(self, task: ThinkerTask[Any], step: Step) -> Any:
        return f"{self.name} {task.name}"


@pytest.mark.parametrize(("key", "who"), [("read/q1/3f", "before"), ("verify/q1", "before"), ("audit/hold/1", "after")])
async def test_the_key_of_a_step_tells_who_does_it(key: str, who: str) -> None:
    assert await staged(("sketch", "audit")).ask(JudgeClaims(brief(), []), Step(key)) == f"{who} judge"


def test_it_goes_by_the_name_of_the_one_who_writes() -> None:
    assert staged(("sketch",)).name == "after"


def test_a_fork_by_rules_of_a_models_run_thinks_by_rules_but_for_what_the_model_did() -> None:
    model: Any = Named("openai:x")
    fork = Staged(model, Extractive(), ("sketch",))

    assert goes_by_rules(fork)
    assert goes_by_rules(fork, Step("sketch"))
    assert not goes_by_rules(fork, Step("assess/1"))
    assert not goes_by_rules(Staged(Extractive(), model, ("sketch",)))
    assert goes_by_rules(Extractive(), Step("assess/1"))

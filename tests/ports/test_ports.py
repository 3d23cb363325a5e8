"""Ports hold no behaviour; what can be wrong with them is their shape."""

import inspect
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import deepresearch_mcp.ports.clock
from clocks import HandClock
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Step, StepRow
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall, Usage
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.system_clock import SystemClock

FOLDER = Path(deepresearch_mcp.ports.clock.__file__).parent
MODULES = [import_module(f"deepresearch_mcp.ports.{file.stem}") for file in FOLDER.glob("[a-z]*.py")]
PROTOCOLS = [
    kind
    for module in MODULES
    for _, kind in inspect.getmembers(module, inspect.isclass)
    if getattr(kind, "_is_protocol", False) and kind.__module__ == module.__name__
]


class Echo:
    """A model and an engine that say what they were asked."""

    name = "test:echo"

    async def answer(self, call: ModelCall) -> ModelAnswer:
        return ModelAnswer(text=call.prompt, model=self.name)

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        return [Hit(url="https://a.example/", title=query.text)]


def members(port: type[Any]) -> dict[str, Any]:
    return {name: value for name, value in vars(port).items() if callable(value) and not name.startswith("_")}


@pytest.mark.parametrize("port", PROTOCOLS, ids=lambda port: port.__name__)
def test_every_port_and_everything_in_it_says_what_is_promised(port: type[Any]) -> None:
    assert inspect.getdoc(port)
    assert [name for name, value in members(port).items() if not inspect.getdoc(value)] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_file_of_ports_has_one(module: ModuleType) -> None:
    assert any(port.__module__ == module.__name__ for port in PROTOCOLS)


@pytest.mark.parametrize("clock", [SystemClock, HandClock])
def test_both_clocks_have_the_shape_of_the_port(clock: type[Any]) -> None:
    for name, value in members(Clock).items():
        ours = inspect.signature(getattr(clock, name), eval_str=True)
        assert ours == inspect.signature(value, eval_str=True)
        assert inspect.iscoroutinefunction(getattr(clock, name)) is inspect.iscoroutinefunction(value)


async def test_a_fake_of_a_few_lines_is_a_model_and_an_engine() -> None:
    model: Model = Echo()
    engine: SearchEngine = Echo()

    answer = await model.answer(ModelCall(key="k", role="reader", system="", prompt="ice", max_tokens=10))
    hits = await engine.search(Query("ice"))

    assert (answer.text, answer.stop, answer.usage) == ("ice", "end", Usage())
    assert hits[0].title == "ice"


def test_what_a_port_hands_over_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Step("read/q1/3f").key = "other"  # pyright: ignore[reportAttributeAccessIssue] - the point of the test


def test_the_small_ports_are_there() -> None:
    assert set(members(Web)) == {"fetch"}
    assert "needs" in StepRow.__slots__

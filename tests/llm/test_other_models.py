from pathlib import Path
from typing import Any

import httpx2
import pytest

from deepresearch_mcp.exceptions import InvalidRequest, ProviderError, SettingsError, UnreadableAnswer
from deepresearch_mcp.llm import other_models
from deepresearch_mcp.llm.registry import open_model, open_prices, parse_name, tiers
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall, Usage
from deepresearch_mcp.settings.schema import ModelSettings
from extensions import install, install_example

CODE = """
class Odd:
    @classmethod
    def from_parts(cls, parts):
        if parts.model == "closed":
            raise KeyError("sk-secret")
        return cls()

    async def answer(self, call):
        if call.prompt == "crash":
            raise ZeroDivisionError("sk-secret")
        return "a text"
"""


def call(prompt: str) -> ModelCall:
    return ModelCall("k", "reader", "", prompt, 100)


async def test_the_example_s_model_answers_under_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidRequest, match="names no model provider"):
        parse_name("parrot:grey")
    install_example(tmp_path, monkeypatch)
    settings = ModelSettings.model_validate({"prices": {"parrot:grey": {"input": 1, "output": 2}}})
    async with httpx2.AsyncClient() as http:
        model = open_model("parrot:grey", settings, http)
        await model.warm()
        answer = await model.answer(call("Say this:\nhello there"))

    assert answer == ModelAnswer("hello there", "parrot:grey", Usage(5, 2))
    assert set(tiers("parrot:grey", settings).values()) == {"parrot:grey"}
    assert open_prices(settings).usd("parrot:grey", Usage(1_000_000, 0)) == 1.0
    assert open_prices(settings).usd("parrot:green", Usage(1, 1)) is None


@pytest.mark.parametrize(
    ("prompt", "kind", "said"),
    [("crash", ProviderError, "odd-package failed with ZeroDivisionError"), ("x", UnreadableAnswer, "no ModelAnswer")],
)
async def test_its_failures_are_failures_of_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prompt: str, kind: type, said: str
) -> None:
    install(tmp_path, monkeypatch, "odd-package", {"deepresearch_mcp.models": {"odd": "odd_model:Odd"}}, odd_model=CODE)
    http: Any = None

    with pytest.raises(kind, match=said) as caught:
        await open_model("odd:one", ModelSettings(), http).answer(call(prompt))

    assert "secret" not in str(caught.value)


def test_a_broken_one_is_told_with_its_package_and_ours_cannot_be_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"deepresearch_mcp.models": {"odd": "odd_model:Odd", "gone": "odd_model:Gone", "ollama": "odd_model:Odd"}}
    install(tmp_path, monkeypatch, "odd-package", points, odd_model=CODE)
    http: Any = None

    with pytest.raises(SettingsError, match=r"odd-package offers 'gone' for models, but it cannot be loaded"):
        open_model("gone:one", ModelSettings(), http)
    with pytest.raises(SettingsError, match=r"it cannot be opened \(KeyError\)"):
        open_model("odd:closed", ModelSettings(), http)
    assert not isinstance(open_model("ollama:one", ModelSettings(), http), other_models.ForeignModel)

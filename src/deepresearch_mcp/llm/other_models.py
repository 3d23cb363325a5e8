"""Language models of other installed packages.

A package offers a provider by an entry point of the group `deepresearch_mcp.models`: its name is the provider's, as in
`PROVIDER:NAME`, and it leads to a class with `from_parts(parts: ModelParts)`, which returns a `Model`. It reads its
key, if it needs one, by itself; what its models cost is what `model.prices` says.
"""

from typing import Any

from typing_extensions import override

from deepresearch_mcp.adapters import broken_extension, extension
from deepresearch_mcp.exceptions import DeepResearchError, ProviderError, UnreadableAnswer
from deepresearch_mcp.llm.parts import ModelParts
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall
from deepresearch_mcp.records.specs import PROVIDERS
from deepresearch_mcp.settings.extensions import offered, package_of


def names() -> tuple[str, ...]:
    """The providers that other packages offer; none of them is imported."""
    return tuple(sorted(offered("models").keys() - {spec.name for spec in PROVIDERS}))


def open_extension(parts: ModelParts) -> "ForeignModel":
    """Open a model of another package.

    Raises:
        SettingsError: It lacks something that the user can set, or its package is broken.
    """
    try:
        model = extension("models", parts.provider).from_parts(parts)
    except DeepResearchError:
        raise
    except Exception as error:
        raise broken_extension("models", parts.provider, f"it cannot be opened ({type(error).__name__})") from error
    return ForeignModel(model, parts.provider, parts.model)


class ForeignModel(Model):
    """Holds another package's model to the port: its name, its errors and the type of its answers."""

    def __init__(self, model: Model, provider: str, name: str) -> None:
        self._model = model
        self._provider = provider
        self._name = f"{provider}:{name}"

    @property
    @override
    def name(self) -> str:
        return self._name

    async def warm(self) -> None:
        """Do nothing: the package was imported when the model was opened."""

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """Raises `ProviderError` for whatever the model raises."""
        try:
            said: Any = await self._model.answer(call)
        except DeepResearchError:
            raise
        except Exception as error:
            package = package_of(offered("models")[self._provider])
            raise ProviderError(self._name, f"its package {package} failed with {type(error).__name__}") from error
        if not isinstance(said, ModelAnswer):
            raise UnreadableAnswer(self._name, "its answer is no ModelAnswer")
        return ModelAnswer(said.text, self._name, said.usage, said.stop)

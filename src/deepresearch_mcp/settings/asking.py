"""The settings that `config init`, the bundle's form and the registry's server.json ask users for."""

from collections.abc import Iterator
from dataclasses import dataclass

from deepresearch_mcp.records.spec_types import EngineSpec, ProviderSpec
from deepresearch_mcp.records.specs import ENGINES, PROVIDERS, WITHOUT_SETUP
from deepresearch_mcp.settings.reading import variable
from deepresearch_mcp.settings.services import address_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A setting to ask a user for; every answer is optional."""

    setting: str
    variable: str
    """The environment variable through which installers pass the answer."""
    title: str
    about: str
    secret: bool = False
    folder: bool = False
    """The value is a folder on this machine."""
    first_run: bool = False
    """`config init` asks for it on a terminal."""
    service: str = ""
    """The name of the engine or provider that the answer opens."""
    tried: bool = True
    """`config init` tries an answer before it keeps it."""


def setup_questions() -> tuple[Question, ...]:
    """All questions, in the order in which forms show them."""
    return (
        Question(
            setting="model.use",
            variable=variable("model.use"),
            title="Who thinks",
            about=(
                "Who thinks: auto (a model whose key is given, else none), client (the model you talk to, without a"
                " key), or PROVIDER:NAME."
            ),
        ),
        *_of_services("model", PROVIDERS, "Without any model key an engine on this machine extracts and quotes."),
        *_of_services("search", ENGINES, f"Without any search key {_keyless()} are asked."),
        Question(
            setting="home",
            variable=variable("home"),
            title="Data folder",
            about="Where runs, documents and reports are kept; your data directory if not given.",
            folder=True,
        ),
    )


def asked_first() -> dict[str, Question]:
    """Setting → question, for those that `config init` asks on a terminal."""
    return {one.setting: one for one in setup_questions() if one.first_run}


def _of_services(group: str, specs: tuple[EngineSpec | ProviderSpec, ...], without: str) -> Iterator[Question]:
    first = next(spec for spec in specs if spec.key)
    for spec in specs:
        # Before the key, which cannot be tried without it.
        if isinstance(spec, EngineSpec) and spec.engine_id:
            yield Question(
                setting=f"{group}.{spec.name}_engine_id",
                variable=spec.engine_id.variables[0],
                title=spec.engine_id.title,
                about=spec.engine_id.about,
                service=spec.name,
                first_run=True,
                tried=False,
            )
        if spec.key:
            yield Question(
                setting=f"{group}.{spec.name}_key",
                variable=spec.key.variables[0],
                title=spec.key.title,
                about=f"{_purpose(spec)} {without}" if spec is first else _purpose(spec),
                service=spec.name,
                secret=True,
                # There are many data sources: on a terminal, their keys would make a long interview.
                first_run=not (isinstance(spec, EngineSpec) and spec.data),
            )
        if spec.address and spec.address.title:
            setting = f"{group}.{address_name(spec)}"
            yield Question(
                setting=setting,
                variable=next(iter(spec.address.variables), variable(setting)),
                title=spec.address.title,
                about=spec.address.purpose,
                service=spec.name,
                first_run=spec.address.own,
            )


def _purpose(spec: EngineSpec | ProviderSpec) -> str:
    if isinstance(spec, ProviderSpec):
        return f"Lets {spec.models} do the thinking."
    if spec.data:
        return f"Opens {spec.title}, or raises its limits; it is asked where a question calls for it."
    return f"Searches with {spec.title} as well."


def _keyless() -> str:
    return " and ".join(spec.title for spec in ENGINES if spec.name in WITHOUT_SETUP)

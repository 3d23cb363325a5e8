"""The configuration of a session in the words of the engine design, and what each word is with us."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, Field

from deepresearch_mcp.http_app.rest.operations import Clean, Strict
from deepresearch_mcp.records.request import Role

_Provider = Annotated[Clean, Field(min_length=1, max_length=60)]
_Name = Annotated[Clean, Field(min_length=1, max_length=140)]


class RoleModel(Strict):
    """The model of one role."""

    provider: _Provider
    model: _Name
    temperature: Annotated[float | None, Field(ge=0, le=2, description="Without effect.")] = None
    maxTokens: Annotated[int | None, Field(ge=1, le=10**9, description="Without effect.")] = None


class Models(Strict):
    """A model for each role of the engine design."""

    planner: RoleModel | None = None
    researcher: RoleModel | None = None
    critic: RoleModel | None = None
    synthesizer: RoleModel | None = None


class SessionLimits(Strict):
    """How wide and deep."""

    maxIterations: Annotated[int | None, Field(ge=0, le=5, description="depth: rounds at most.")] = None
    maxStepsPerIteration: Annotated[int | None, Field(ge=1, le=10, description="breadth: sub-questions.")] = None
    maxSourcesPerStep: Annotated[
        int | None,
        Field(ge=1, le=1000, description="Times steps and iterations: max_pages, a ceiling of the whole run."),
    ] = None
    sufficiencyThreshold: Annotated[float | None, Field(ge=0, le=10, description="Without effect.")] = None
    maxParallelSteps: Annotated[int | None, Field(ge=1, le=1000, description="Without effect.")] = None


class SessionBudget(Strict):
    """Ceilings."""

    maxTokens: Annotated[int | None, Field(ge=1, le=10**12, description="max_tokens.")] = None
    maxDollars: Annotated[float | None, Field(ge=0, le=1000, description="max_usd.")] = None
    maxApiCalls: Annotated[int | None, Field(ge=0, le=10**9, description="Without effect.")] = None
    maxDurationMs: Annotated[int | None, Field(ge=1, le=86_400_000, description="max_minutes.")] = None


class SessionQuality(Strict):
    """What sources must be."""

    minSourceQuality: Annotated[float | None, Field(ge=0, le=10, description="Without effect.")] = None
    requireCorroboration: Annotated[bool | None, Field(description="Without effect.")] = None
    verifyCitations: Annotated[bool | None, Field(description="Always so.")] = None


class SessionOutput(Strict):
    """What the report is to be."""

    format: Annotated[Literal["markdown", "json", "html"] | None, Field(description="Chosen when it is read.")] = None
    includeCitations: Annotated[bool | None, Field(description="Always so.")] = None
    includeProvenance: Annotated[bool | None, Field(description="Always in the run object.")] = None
    maxLength: Annotated[int | None, Field(ge=1, le=10**9, description="Without effect.")] = None


class SessionConfig(Strict):
    """How a session researches, as the engine design names it."""

    models: Models = Models()
    limits: SessionLimits = SessionLimits()
    budget: SessionBudget = SessionBudget()
    quality: SessionQuality = SessionQuality()
    output: SessionOutput = SessionOutput()


class WithoutEffect(BaseModel):
    """A value that was given and changes nothing."""

    field: str = Field(description="Its path in the body")
    reason: str = Field(description="Why, and what holds instead")


class Understood(NamedTuple):
    """What a configuration comes to."""

    arguments: Mapping[str, Any]
    """Those of a research, without its question."""
    without_effect: list[WithoutEffect]


ROLES: Final[Mapping[str, tuple[Role, ...]]] = MappingProxyType(
    {
        "planner": ("planner",),
        "researcher": ("reader",),
        "critic": ("verifier", "analyst", "critic"),
        "synthesizer": ("writer",),
    }
)
"""Role of the engine design → roles of ours."""

_NO_EFFECT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "temperature": "Every model is asked with its provider's default: what is written is held to its sources.",
        "maxTokens": "Each kind of call has a limit of its own; the whole run has budget.maxTokens.",
        "limits.sufficiencyThreshold": "No score ends a research: it ends when every deliverable is covered, or at a"
        " ceiling. The run object's assessment.sufficiency holds the score.",
        "limits.maxParallelSteps": "Sub-questions of a run go on at once; how many calls a server makes at once is its"
        " own setting (model.concurrency, search.concurrency).",
        "budget.maxApiCalls": "Calls are not counted together: searches, pages, tokens, dollars and time have ceilings"
        " of their own (max_searches, max_pages of POST /research/runs).",
        "quality.minSourceQuality": "Sources are graded for all runs of a server by its setting"
        " research.min_source_quality.",
        "output.maxLength": "A report is as long as its question needs: see length (brief, standard, long) of POST"
        " /research/runs.",
    }
)

_ONLY_SO: Final[Mapping[str, tuple[bool, str]]] = MappingProxyType(
    {
        "quality.requireCorroboration": (
            False,
            "A claim of one source is stated with it; the run object tells which claims have two independent ones.",
        ),
        "quality.verifyCitations": (True, "Every citation is checked; this cannot be turned off."),
        "output.includeCitations": (True, "A sentence without its source is not written."),
        "output.includeProvenance": (True, "The run object always holds its provenance; Markdown holds no such part."),
    }
)
"""What is always so: another value has no effect."""


def understood(config: SessionConfig) -> Understood:
    """Translate a configuration, and name each given value that changes nothing."""
    arguments: dict[str, Any] = {}
    told: list[WithoutEffect] = []
    roles: dict[str, str] = {}
    for name, chosen in config.models:
        if isinstance(chosen, RoleModel):
            roles |= dict.fromkeys(ROLES[name], f"{chosen.provider}:{chosen.model}")
            told += [
                WithoutEffect(field=f"config.models.{name}.{word}", reason=_NO_EFFECT[word])
                for word in ("temperature", "maxTokens")
                if getattr(chosen, word) is not None
            ]
    if roles:
        arguments["roles"] = roles
    for path, (argument, convert) in _ARGUMENTS.items():
        if (value := _at(config, path)) is not None:
            arguments[argument] = convert(value)
    if (sources := config.limits.maxSourcesPerStep) is not None:
        rounds = _ROUNDS if config.limits.maxIterations is None else config.limits.maxIterations
        arguments["max_pages"] = sources * (config.limits.maxStepsPerIteration or _STEPS) * rounds
    told += [
        WithoutEffect(field=f"config.{path}", reason=reason)
        for path, reason in _NO_EFFECT.items()
        if "." in path and _at(config, path) is not None
    ]
    told += [
        WithoutEffect(field=f"config.{path}", reason=reason)
        for path, (always, reason) in _ONLY_SO.items()
        if _at(config, path) is (not always)
    ]
    return Understood(arguments, told)


_STEPS, _ROUNDS = 7, 3
"""Of the engine design, where only the sources of a step are given."""

_ARGUMENTS: Final[Mapping[str, tuple[str, Callable[[Any], Any]]]] = MappingProxyType(
    {
        "limits.maxIterations": ("depth", int),
        "limits.maxStepsPerIteration": ("breadth", int),
        "budget.maxTokens": ("max_tokens", int),
        "budget.maxDollars": ("max_usd", float),
        "budget.maxDurationMs": ("max_minutes", lambda milliseconds: milliseconds / 60_000),
    }
)


def _at(config: SessionConfig, path: str) -> Any:  # noqa: ANN401 - any value of a configuration
    group, _, name = path.partition(".")
    return getattr(getattr(config, group), name)

"""Deep research in which every sentence can be checked against words really on the page.

The names here are the whole public interface; they are loaded when first used, so
that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deepresearch_mcp.version import __version__

if TYPE_CHECKING:
    from deepresearch_mcp.exceptions import (
        BudgetExceeded,
        DeepResearchError,
        EnginesDead,
        FetchFailed,
        InvalidRequest,
        ModelUnusable,
        NotAuthenticated,
        NotAuthorized,
        ProviderError,
        SettingsError,
        StoreError,
        UnknownCollection,
        UnknownRun,
    )
    from deepresearch_mcp.progress import Progress
    from deepresearch_mcp.records.checks import CheckedClaim
    from deepresearch_mcp.records.evidence import Claim, Quote
    from deepresearch_mcp.records.report import Citation
    from deepresearch_mcp.records.request import ResearchRequest
    from deepresearch_mcp.records.run import Run
    from deepresearch_mcp.records.trail import RunEvent
    from deepresearch_mcp.sdk.deep_research import DeepResearch
    from deepresearch_mcp.settings.schema import Settings

_HOMES = {
    "BudgetExceeded": "exceptions",
    "CheckedClaim": "records.checks",
    "Citation": "records.report",
    "Claim": "records.evidence",
    "DeepResearch": "sdk.deep_research",
    "DeepResearchError": "exceptions",
    "EnginesDead": "exceptions",
    "FetchFailed": "exceptions",
    "InvalidRequest": "exceptions",
    "ModelUnusable": "exceptions",
    "NotAuthenticated": "exceptions",
    "NotAuthorized": "exceptions",
    "Progress": "progress",
    "ProviderError": "exceptions",
    "Quote": "records.evidence",
    "ResearchRequest": "records.request",
    "Run": "records.run",
    "RunEvent": "records.trail",
    "Settings": "settings.schema",
    "SettingsError": "exceptions",
    "StoreError": "exceptions",
    "UnknownCollection": "exceptions",
    "UnknownRun": "exceptions",
}

__all__ = [
    "BudgetExceeded",
    "CheckedClaim",
    "Citation",
    "Claim",
    "DeepResearch",
    "DeepResearchError",
    "EnginesDead",
    "FetchFailed",
    "InvalidRequest",
    "ModelUnusable",
    "NotAuthenticated",
    "NotAuthorized",
    "Progress",
    "ProviderError",
    "Quote",
    "ResearchRequest",
    "Run",
    "RunEvent",
    "Settings",
    "SettingsError",
    "StoreError",
    "UnknownCollection",
    "UnknownRun",
    "__version__",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the type depends on the name
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

"""The error for a search that no engine answered."""

from collections.abc import Sequence

from deepresearch_mcp.exceptions import UNREACHABLE, EnginesDead
from deepresearch_mcp.records.sources import EngineFailure
from deepresearch_mcp.records.specs import ENGINES

_OWN = frozenset(spec.name for spec in ENGINES if spec.address and spec.address.own)


def engines_dead(failures: Sequence[EngineFailure]) -> EnginesDead:
    """The error if every engine failed, or if there was none to ask.

    If none can be reached, the network of this machine is down.
    """
    if not failures:
        return EnginesDead(
            "No search engine is configured for the web.", "Name one in search.engines; `doctor` shows which work."
        )
    names = list(dict.fromkeys(failure.engine for failure in failures))
    unreachable = all(failure.reason.rstrip(".") == UNREACHABLE for failure in failures)
    # An instance of the user that does not run says nothing about the network.
    if unreachable and any(name not in _OWN for name in names):
        return EnginesDead(
            f"You seem to be offline: no search engine can be reached ({', '.join(names)}).",
            "Check the network; behind a proxy, set web.proxy.",
        )
    reasons = "; ".join(dict.fromkeys(f"{one.engine}: {one.reason.rstrip('.')}" for one in failures))
    return EnginesDead(
        f"No search engine could be asked ({reasons}).", "Check the network and the search settings with `doctor`."
    )

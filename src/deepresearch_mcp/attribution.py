"""Who did what an event tells, and what it is part of; known from its kind and fields, so for stored events too."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

RUN = "run"
"""The actor and the parent of what belongs to no part of a run."""

_ACTORS: Mapping[str, str] = MappingProxyType(
    {
        "planned": "planner",
        "plan_marked": "analyst",
        "page_admitted": "searcher",
        "page_read": "searcher",
        "page_unread": "searcher",
        "claimed": "reader",
        "verified": "verifier",
        "claim_verified": "verifier",
        "round_ended": "analyst",
        "section_written": "writer",
        "replied": "user",
    }
)
"""Kind → who did it, where no field of the event names the engine or the model."""
_NAMED = {"answered": "engine", "engine_failed": "engine", "model_called": "model", "degraded": "who"}
"""Kind → the field that names who did it."""


def actor_of(kind: str, data: Mapping[str, Any]) -> str:
    """Who did what an event tells: a role, an engine, a model, `user`, or `run`. Known for stored events too."""
    named = str(data.get(_NAMED.get(kind, ""), "") or "")
    return named or _ACTORS.get(kind, RUN)


def parent_of(data: Mapping[str, Any]) -> str:
    """What an event is part of: the id of a sub-question, or `run`."""
    return str(data.get("sub_question") or RUN)

"""Every kind of task that a thinker is asked for a report, from all modules that define one."""

from itertools import chain
from typing import Any

from deepresearch_mcp.thinkers import audit_tasks, tasks
from deepresearch_mcp.thinkers.base import ThinkerTask

_DEFINED: list[object] = [*chain(vars(tasks).values(), vars(audit_tasks).values())]

KINDS: frozenset[type[ThinkerTask[Any]]] = frozenset(
    one for one in _DEFINED if isinstance(one, type) and issubclass(one, ThinkerTask) and one is not ThinkerTask
)

"""How long a report should be: by what is asked, how much effort was spent on it, and how much was found."""

from collections.abc import Sequence
from typing import Literal

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.request import Effort

Length = Literal["brief", "standard", "long"]

_BASE = 500
_EACH = 200
"""Words of a deliverable."""
_CELL = 30
"""Words of a field of the comparison, in its table and beside it."""
_EFFORTS: dict[Effort, float] = {"quick": 0.6, "standard": 1.0, "deep": 1.4, "exhaustive": 1.8}
_LENGTHS: dict[Length, float] = {"brief": 0.4, "standard": 1.0, "long": 1.8}
_LEAST = 200
_OF_A_FACT = 30
"""Words that one fact can carry; more would be padding."""
_IN_A_SECTION = 40
"""The same with what stands around its quote."""


def length_of(brief: Brief) -> Length:
    """The length that was asked for."""
    return getattr(brief.request, "length", "standard")


def words_of(brief: Brief, facts: int) -> int:
    """About how many words the prose of the report should have; nothing is cut there."""
    scope = brief.scope
    asked = _BASE + _EACH * max(1, len(scope.deliverables)) + _CELL * len(scope.cells)
    wanted = asked * _EFFORTS[brief.request.effort] * _LENGTHS[length_of(brief)] * brief.template.words
    return max(_LEAST, min(10 * round(wanted / 10), _OF_A_FACT * facts))


def words_for(facts: Sequence[Claim]) -> int:
    """The most words that a section can draw from these facts."""
    return 10 * round(_IN_A_SECTION * len(facts) / 10)

"""Sign and words of how far a part of the question is answered: for the report's script and for the comparison."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

COVERAGE: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "covered": ("●", "answered"),
        "thin": ("◐", "a detail is missing"),
        "one_sided": ("◑", "from one side only"),
        "open": ("○", "not answered"),
        # Of a sub-question: whether it is answered was not judged, only what was found for it.
        "backed": ("●", "several sources"),
        "few": ("◐", "few sources"),
        "nothing": ("○", "nothing found"),
    }
)

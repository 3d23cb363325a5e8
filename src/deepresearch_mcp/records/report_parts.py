"""The parts of a report that the program makes itself, by names that hold whatever the language of their headings."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, model_validator

Part = Literal["", "short", "differences", "missing", "tried", "references", "without_model"]

_ENGLISH: Mapping[str, Part] = MappingProxyType(
    {
        "In short": "short",
        "Where sources differ": "differences",
        "What could not be established": "missing",
        "What was tried": "tried",
        "References": "references",
        "Done without the model": "without_model",
    }
)
"""The English headings, by which runs of older versions name their parts."""


class ReportPart(BaseModel):
    """What a section of a finished report is called."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: str
    """In the report's language."""
    part: Part = ""
    """Which part that the program itself makes this is, whatever its heading; empty: a section of the writer's own."""

    @model_validator(mode="before")
    @classmethod
    def _of_an_older_version(cls, given: object) -> object:
        if not isinstance(given, dict) or "part" in given:
            return cast("object", given)
        old = cast("dict[str, object]", given)
        return {**old, "part": _ENGLISH.get(str(old.get("heading")), "")}

    def is_called(self, name: str) -> bool:
        """Whether this is its heading; a part of the program's has its English one in every language."""
        wanted = name.strip().casefold()
        english = (heading for heading, part in _ENGLISH.items() if part == self.part)
        return wanted in {self.heading.casefold(), *map(str.casefold, english)}

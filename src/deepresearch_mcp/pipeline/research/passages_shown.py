"""What the readers of a run were shown of its pages, and how often."""

from collections.abc import Collection
from dataclasses import dataclass, field

from deepresearch_mcp.records.sources import Stretch

_A_SENTENCE = 320
"""Characters up to which two stretches share only the sentence that leads over from one to the other."""


@dataclass(slots=True)
class PassagesShown:
    """The stretches that were shown: a passage goes to one reader, and to a second one only for a thin spot."""

    stretches: set[Stretch] = field(default_factory=set[Stretch])
    twice: set[Stretch] = field(default_factory=set[Stretch])
    """What was shown a second time: never a third time."""

    def add(self, shown: Collection[Stretch]) -> None:
        """These stretches are shown to a reader now."""
        for one in shown:
            self.twice.update(again for other in self.stretches if (again := _shared(one, other)))
        self.stretches.update(shown)


def _shared(one: Stretch, other: Stretch) -> Stretch | None:
    start, end = max(one.start, other.start), min(one.end, other.end)
    if one.source_id != other.source_id or end <= start:
        return None
    whole = end - start >= min(one.end - one.start, other.end - other.start)
    return Stretch(one.source_id, start, end) if whole or end - start > _A_SENTENCE else None

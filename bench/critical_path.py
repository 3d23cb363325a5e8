"""The critical path of a run: the longest chain of recorded calls that had to wait for each other."""

from collections.abc import Sequence

from deepresearch_mcp.ports.journal import StepRow

CALLS = {"model", "search", "fetch"}
"""Kinds of steps that take time outside; decisions wait for these and take none of their own."""


def critical_path(rows: Sequence[StepRow]) -> tuple[float, list[tuple[str, float]]]:
    """Seconds of the longest chain of needs, and the chain itself as (key, seconds)."""
    calls = {row.key: row for row in rows if row.ended is not None}
    best: dict[str, tuple[float, tuple[str, ...]]] = {}

    def resolve(need: str) -> list[str]:
        # A step asked for again (`…/plain`, `…/try2`, a fallback) stands under the key it began with.
        return [key for key in calls if key == need or key.startswith(f"{need}/")]

    def length(key: str) -> tuple[float, tuple[str, ...]]:
        if key not in best:
            best[key] = (0.0, ())  # no circle can be: a step needs only what ended before it began
            row = calls[key]
            before = [length(name) for need in row.needs for name in resolve(need) if name != key]
            longest = max(before, default=(0.0, ()))
            own = row.ended - row.started if row.kind in CALLS else 0.0
            best[key] = (longest[0] + own, (*longest[1], key))
        return best[key]

    seconds, chain = max((length(key) for key in calls), default=(0.0, ()))
    return seconds, [(key, calls[key].ended - calls[key].started) for key in chain if calls[key].kind in CALLS]

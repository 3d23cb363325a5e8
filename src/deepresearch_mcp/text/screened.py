"""Everything in a text that is not for its readers: words that address a machine, and words in disguise."""

from deepresearch_mcp.text.disguise import disguised
from deepresearch_mcp.text.planted import Planted, planted

__all__ = ["Planted", "is_screened", "screened"]


def screened(text: str) -> list[Planted]:
    """Find the stretches of a page that are not for its readers, in order, none touching another."""
    merged: list[Planted] = []
    for one in sorted((*planted(text), *disguised(text))):
        if merged and one.start <= merged[-1].end:
            last = merged[-1]
            best = one if one.confidence > last.confidence else last
            merged[-1] = Planted(last.start, max(last.end, one.end), best.reason, best.confidence)
        else:
            merged.append(one)
    return merged


def is_screened(text: str) -> bool:
    """Whether any part of a short text, as a title or a query, is not for a reader."""
    return bool(screened(text))

"""Everything in a text that is not for its readers: words that address a machine, and words in disguise."""

from deepresearch_mcp.injection.detect import Planted, merged_stretches, planted
from deepresearch_mcp.injection.disguise import disguised

__all__ = ["Planted", "is_screened", "screened"]


def screened(text: str) -> list[Planted]:
    """Find the stretches of a page that are not for its readers, in order, none touching another."""
    return merged_stretches((*planted(text), *disguised(text)))


def is_screened(text: str) -> bool:
    """Whether any part of a short text, as a title or a query, is not for a reader."""
    return bool(screened(text))

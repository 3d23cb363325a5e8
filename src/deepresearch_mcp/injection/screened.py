"""Finds everything in a text that is not for its readers: words that address a model, and disguised words."""

from deepresearch_mcp.injection.detect import Planted, merged_stretches, planted
from deepresearch_mcp.injection.disguise import disguised

__all__ = ["Planted", "is_screened", "screened"]


def screened(text: str) -> list[Planted]:
    """Find the spans of a page that are not for its readers, in order and without overlap."""
    return merged_stretches((*planted(text), *disguised(text)))


def is_screened(text: str) -> bool:
    """Whether any part of a short text, such as a title or query, is not for readers."""
    return bool(screened(text))

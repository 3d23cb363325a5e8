"""Detects near-duplicate texts by comparing small sketches of them."""

import zlib
from heapq import nsmallest

from deepresearch_mcp.text.keywords import words

_SHINGLE = 5
"""Words of a shingle."""
_NEAR = 0.4
"""The similarity from which two sketches count as one text."""


def sketch(text: str, size: int = 128) -> tuple[int, ...]:
    """Return the `size` smallest hashes of the text's five-word shingles, in rising order.

    The result is the same in every process. A text of fewer than five words is one shingle; a text without words has an
    empty sketch.
    """
    tokens = words(text)
    if not tokens:
        return ()
    last = max(1, len(tokens) - _SHINGLE + 1)
    hashes = {zlib.crc32(" ".join(tokens[i : i + _SHINGLE]).encode("utf-8", "replace")) for i in range(last)}
    return tuple(nsmallest(size, hashes))


def similarity(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    """Estimate the Jaccard similarity of the shingles behind two sketches of one size, 0 to 1."""
    if not a or not b:
        return 0.0
    first, second = set(a), set(b)
    lowest = nsmallest(max(len(a), len(b)), first | second)
    return sum(value in first and value in second for value in lowest) / len(lowest)


def is_near_duplicate(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Return whether two sketches come from the same text, perhaps slightly edited."""
    return similarity(a, b) >= _NEAR

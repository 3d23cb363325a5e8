"""Cuts a document into the chunks by which it is found: larger than a passage, so that a quote has its surroundings."""

from collections.abc import Sequence
from dataclasses import replace

from deepresearch_mcp.text.passages import PassageSpan, headings_of, path_of, pieces
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.text.tokens import estimate

LEAST, MOST = 800, 1_200
"""Tokens of a chunk: from `LEAST` on it ends where a heading begins, and never holds more than `MOST`.

Smaller ones cut an answer from the words that say what it is about; larger ones say a little of everything.
"""
_OVERLAP = 400
"""Characters at most that a chunk repeats of the one before, in whole sentences, if no heading stands between them."""
_PART = 900
"""Characters of the part of a chunk that is shown."""


def chunks(text: str) -> list[PassageSpan]:
    """Cut Markdown or plain text into chunks of 800 to 1,200 estimated tokens; the last one may be smaller.

    A chunk ends between passages, at a heading if it holds enough by then. One that follows another under the same
    headings begins with the last sentences of that one. Its heading is what all its passages have in common.
    """
    found: list[PassageSpan] = []
    held: list[PassageSpan] = []
    size = 0

    def close() -> None:
        nonlocal size
        if held:
            start = _begun(text, found[-1], held[0]) if found else held[0].start
            found.append(PassageSpan(start, held[-1].end, _common(held)))
        held.clear()
        size = 0

    for piece in pieces(text, _PART):
        tokens = estimate(text[piece.start : piece.end])
        parted = bool(held) and held[-1].heading != piece.heading
        # A third of the overlap in characters is about its share in tokens, and never less in prose.
        if size + tokens > MOST - _OVERLAP // 3 or (parted and size >= LEAST):
            close()
        held.append(piece)
        size += tokens
    close()
    return found


def best_part(text: str, chunk: PassageSpan, query: str) -> PassageSpan:
    """Return the passage within a chunk that answers a query best, of about 900 characters; the first one in a tie."""
    if chunk.end - chunk.start <= _PART * 1.5:
        return chunk
    words = text[chunk.start : chunk.end]
    if not (parts := pieces(words, _PART)):
        return chunk
    best = Ranker([f"{one.heading}\n{words[one.start : one.end]}" for one in parts]).top(query, 1)
    part = parts[best[0] if best else 0]
    heading = path_of(*dict.fromkeys((*headings_of(chunk.heading), *headings_of(part.heading))))
    return replace(part, start=chunk.start + part.start, end=chunk.start + part.end, heading=heading)


def _begun(text: str, before: PassageSpan, first: PassageSpan) -> int:
    """Where a chunk begins: with the last whole sentences of the one before, if both stand under one heading."""
    between = text[before.end : first.start]
    if between.strip():
        return first.start
    low = max(before.start, before.end - _OVERLAP)
    # The first sentence of the window is cut off, unless the window is the whole.
    told = [low + one.start for one in sentences(text[low : before.end])][0 if low == before.start else 1 :]
    return told[0] if told else first.start


def _common(held: Sequence[PassageSpan]) -> str:
    paths = [headings_of(one.heading) for one in held]
    shared: list[str] = []
    for level in zip(*paths, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return path_of(*shared)

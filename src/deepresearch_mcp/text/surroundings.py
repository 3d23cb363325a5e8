"""Finds the whole sentences around some words of a text."""

from deepresearch_mcp.text.sentences import sentences

WIDEST = 600
"""How many characters before a quote are searched for a number, a year or a name that it refers to."""


def surroundings(text: str, start: int, end: int, reach: int) -> tuple[int, int]:
    """Return the offsets of the whole sentences that hold `start` to `end` or lie within `reach` characters of them.

    The sentence directly before is always included, up to `WIDEST` characters, because it explains what "it" is.
    """
    low, high = max(0, start - max(reach, WIDEST)), min(len(text), end + max(reach, WIDEST))
    spans = [(low + span.start, low + span.end) for span in sentences(text[low:high])]
    # The edges of the window cut sentences.
    whole = [one for one in spans if (one[0] > low or low == 0) and (one[1] < high or high == len(text))]
    own = [one for one in spans if one[0] < end and one[1] > start]
    begin = min([start, *(one[0] for one in own)])
    before = [one for one in whole if one[1] <= begin][-1:]
    near = [
        one
        for one in whole
        if (one[0] > start - reach or start <= reach) and (one[1] < end + reach or end + reach >= len(text))
    ]
    inside = (*own, *before, *near)
    first = min([start, *(span[0] for span in inside)])
    return first, max([end, *(span[1] for span in inside)])

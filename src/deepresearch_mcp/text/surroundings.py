"""What stands around some words of a text, in whole sentences."""

from deepresearch_mcp.text.sentences import sentences

WIDEST = 600
"""Characters before a quote in which a number, a year or a name that it refers to is looked for."""


def surroundings(text: str, start: int, end: int, reach: int) -> tuple[int, int]:
    """Offsets of the whole sentences that hold `start` to `end`, with those that lie within `reach` characters.

    The sentence right before always belongs to them, however long it is, within `WIDEST`: it says what "it" is.
    """
    low, high = max(0, start - max(reach, WIDEST)), min(len(text), end + max(reach, WIDEST))
    spans = [(low + span.start, low + span.end) for span in sentences(text[low:high])]
    # At the edges of the window sentences are cut.
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

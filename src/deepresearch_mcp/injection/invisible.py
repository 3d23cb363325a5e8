"""Unseen characters: in a page they part words, turn their order, or carry a text of their own."""

import re

from deepresearch_mcp.injection.apart import parted

_NEVER_SEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff"
    "\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
"""Soft hyphens, fillers, zero-width blanks, marks and turns of direction, tag characters."""
_UNSEEN = re.compile(
    rf"[{_NEVER_SEEN}]"
    # Joiners shape Indic and Persian words and emoji; beside Latin letters, or several at once, they do nothing.
    "|(?<=[\x00-\u024f])[\u200c\u200d]++|[\u200c\u200d]++(?=[\x00-\u024f])|[\u200c\u200d]{2,}+"
    # One variation selector chooses a glyph, a row of them is a message.
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}+"
)
_ANY = re.compile(f"[{_NEVER_SEEN}\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_MESSAGE = re.compile(
    r"[\U000e0020-\U000e007e]{4}|[\u200b-\u200d\u2060-\u2064\ufeff]{8}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4}"
    r"|(?:\w[\u200b-\u200d\u2060-\u2064\ufeff\u00ad]+(?:\s[\u200b-\u200d]?)?){8}"
)
"""Sentences in unseen characters, or letters that they part: no text for readers has them."""


_CARRIES = re.compile("[\U000e0000-\U000e007f]|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}+")
"""What holds a text of its own; it is always taken out."""
_SPARSE = re.compile("[\u00ad\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0020-\U000e01ef]")
_FEW = 4
"""Such characters in any page that is set with care."""


def without_unseen(text: str) -> str:
    """The text without unseen characters; what they do to the shape of words and emoji stays.

    A line in which they part the letters of words keeps those that do, so that the screening of the text finds it.
    """
    if text.isascii() or not _ANY.search(text):
        return text
    at, kept = 0, list[str]()
    for start, end in parted(text):
        kept += (_UNSEEN.sub("", text[at:start]), _CARRIES.sub("", text[start:end]))
        at = end
    return "".join((*kept, _UNSEEN.sub("", text[at:])))


def holds_message(text: str) -> bool:
    """Whether such characters carry words or part the letters of words: for a machine to read, or not to find."""
    if text.isascii() or len(_SPARSE.findall(text)) < _FEW:
        return False
    return bool(_MESSAGE.search(text)) or any(parted(text))

"""Removes invisible characters, which can split words, reverse their order or carry hidden text."""

import re

from deepresearch_mcp.injection.apart import parted

_NEVER_SEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff"
    "\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
"""Soft hyphens, fillers, zero-width characters, direction marks and overrides, tag characters."""
_UNSEEN = re.compile(
    rf"[{_NEVER_SEEN}]"
    # Joiners shape Indic and Persian words and emoji; next to Latin letters, or several in a row, they do nothing.
    "|(?<=[\x00-\u024f])[\u200c\u200d]++|[\u200c\u200d]++(?=[\x00-\u024f])|[\u200c\u200d]{2,}+"
    # One variation selector selects a glyph; several in a row are a message.
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}+"
)
_ANY = re.compile(f"[{_NEVER_SEEN}\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_MESSAGE = re.compile(
    r"[\U000e0020-\U000e007e]{4}|[\u200b-\u200d\u2060-\u2064\ufeff]{8}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4}"
    r"|(?:\w[\u200b-\u200d\u2060-\u2064\ufeff\u00ad]+(?:\s[\u200b-\u200d]?)?){8}"
)
"""Messages in invisible characters, or letters separated by them; text for readers has neither."""


_CARRIES = re.compile("[\U000e0000-\U000e007f]|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}+")
"""Characters that can encode hidden text; they are always removed."""
_SPARSE = re.compile("[\u00ad\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff\U000e0020-\U000e01ef]")
_ASCII = bytes(range(128))
_FEW = 4
"""With fewer invisible characters a text holds no message; carefully typeset pages have some."""


def without_unseen(text: str) -> str:
    """Remove invisible characters, except those that shape words and emoji.

    Lines in which they separate the letters of words keep them, so that screening still finds these lines.
    """
    if text.isascii() or not _ANY.search(text):
        return text
    at, kept = 0, list[str]()
    for start, end in parted(text):
        kept += (_UNSEEN.sub("", text[at:start]), _CARRIES.sub("", text[start:end]))
        at = end
    return "".join((*kept, _UNSEEN.sub("", text[at:])))


def _without_ascii(text: str) -> str:
    """Return the other characters, in their order: a tenth of the time that a search through all takes."""
    found = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return found.decode("utf-8", "surrogatepass")


def holds_message(text: str) -> bool:
    """Whether invisible characters carry a message for a model, or separate letters to hide words from a search."""
    if text.isascii() or len(_SPARSE.findall(_without_ascii(text))) < _FEW:
        return False
    return bool(_MESSAGE.search(text)) or any(parted(text))

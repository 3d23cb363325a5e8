"""Tidies the text of a page."""

import re

from deepresearch_mcp.injection.invisible import without_unseen

_BLANK = re.compile(r"\n{3,}")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")


def tidy(text: str) -> str:
    """Normalise line ends, remove control, surrogate and invisible characters, and collapse blank lines to one."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n").replace("\u2028", "\n")
    return _BLANK.sub("\n\n", without_unseen(_CONTROL.sub("", text))).strip()

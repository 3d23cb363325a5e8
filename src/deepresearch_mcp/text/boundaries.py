"""Checks that a part of a text begins and ends with whole words and whole numbers."""

import re
import unicodedata


def is_whole(text: str, start: int, end: int) -> bool:
    """Check that text[start:end] cuts no word and no number in two.

    A number includes its sign, currency and percent sign; a word includes its "n't" and its "non-". Chinese, Japanese
    and Thai have no word boundaries to keep.
    """
    return not (_cuts_left(text, start) or _cuts_right(text, end))


_WIDE = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_LEFT = re.compile(r"(?:\d[.,:/]|[$€£¥₹]|(?:^|[\s(])[-−])$")
_GROUP_LEFT = re.compile(r"(?<!\d)\d{1,3}[ \u00a0\u2009\u202f]$")
_GROUP = re.compile(r"\d{3}(?!\d)")
_NON = re.compile(r"(?:^|\W)(?:non|un|anti|not)[-‐‑]$", re.IGNORECASE)
_RIGHT = re.compile(r"[.,:/]\d|[ \u00a0\u2009\u202f]?[%‰°]")
_GROUP_RIGHT = re.compile(r"[ \u00a0\u2009\u202f]\d{3}(?!\d)")
_FOUR = re.compile(r"\d{4}$")
_NOT = re.compile(r"['’]t(?!\w)", re.IGNORECASE)


def _cuts_left(text: str, start: int) -> bool:
    if not 0 < start < len(text):
        return False
    if _goes_on(text[start - 1], text[start]):
        return True
    before = text[max(0, start - 6) : start]
    if text[start].isdigit():
        return bool(_LEFT.search(before) or (_GROUP_LEFT.search(before) and _GROUP.match(text, start)))
    return text[start].isalpha() and bool(_NON.search(before))


def _cuts_right(text: str, end: int) -> bool:
    if not 0 < end < len(text):
        return False
    if _goes_on(text[end - 1], text[end]):
        return True
    if text[end - 1].isdigit():
        grouped = _GROUP_RIGHT.match(text, end) and not _FOUR.search(text[max(0, end - 4) : end])
        return bool(_RIGHT.match(text, end) or grouped)
    return text[end - 1].isalpha() and bool(_NOT.match(text, end))


def _goes_on(left: str, right: str) -> bool:
    """Return whether two neighbouring characters belong to one word."""
    if left.isascii() and right.isascii():
        return (left.isalnum() or left == "_") and (right.isalnum() or right == "_")
    return _in_word(left) and _in_word(right) and not (_WIDE.match(left) or _WIDE.match(right))


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.category(char)[0] == "M"

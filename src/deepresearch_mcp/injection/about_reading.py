"""Whether a sentence speaks of who reads it, of the answer that is written from it, or of what either must do."""

import re
import unicodedata
from functools import lru_cache

from deepresearch_mcp.injection import reading_words
from deepresearch_mcp.injection.disguise import plainly
from deepresearch_mcp.injection.orders import asks_how, is_order

_NOTIONS = (
    "machine",
    "work",
    "rule",
    "ignore",
    "must",
    "say",
    "user",
    "private",
    "tool",
    "task",
    "promote",
    "write",
    "only",
    "page",
    "address",
    "yours",
)

_SURELY = tuple(
    frozenset(one.split())
    for one in (
        "machine work", "machine rule", "machine ignore", "machine user", "machine private", "machine tool",
        "machine must say", "machine task say", "machine task must", "ignore rule", "ignore task", "ignore work must",
        "ignore work say", "user task say", "user task must", "task work say", "tool user", "tool work", "tool rule",
        "tool must", "tool say", "rule work must", "rule work say", "rule must say", "work must say",
        "user private say", "user private must", "user work say", "user work must", "rule task", "page must promote",
        "page must write", "page work must", "page work promote", "page machine", "page task", "page rule promote",
        "machine must", "machine say", "machine promote", "machine only", "user ignore", "user promote only",
        "user page", "yours must say", "yours must promote", "yours page", "yours ignore", "yours user",
        "ignore write", "address promote", "address only", "address say", "address must", "address ignore",
        "address page",
        "write promote only", "write promote must", "work promote only", "work promote must", "must promote only write",
    )
)  # fmt: skip
"""Notions that stand together in a sentence only where it is about its own reading."""
_PERHAPS = tuple(
    frozenset(one.split())
    for one in (
        "machine must", "machine say", "machine task", "task say", "task must", "user task", "work must", "work say",
        "rule must", "rule say", "rule work", "user must", "user say", "user rule", "user work", "ignore must",
        "ignore say", "ignore work", "private must", "private say", "tool", "must promote only", "must only",
        "page must",
    )
)  # fmt: skip
"""Notions that do so in the midst of a page on something else."""
_ORDERED = tuple(
    frozenset(one.split())
    for one in (
        "promote only", "promote write", "write only", "write work", "page only", "page promote", "page say",
        "page write", "page ignore", "machine", "work promote", "task", "user say", "say only", "ignore write",
        "ignore say", "ignore only", "address",
    )
)  # fmt: skip
"""Notions that an order speaks of only where it is for whoever writes from the page."""
_UNBLANKED = re.compile(
    r"[\u0590-\u08ff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
"""Scripts in which words are written together, or with what stands before them."""


def notions(text: str) -> frozenset[str]:
    """Which notions of `reading_words` a text speaks of, in any of their languages."""
    return _notions(text[:_LONGEST])


_LONGEST = 4_000
"""Characters of a sentence or a question that are looked at."""


def is_about_reading(said: str, asked: str = "", title: str = "", *, alone: bool = False) -> bool:
    """Whether what is said is about its own reading.

    `asked` is the question: a notion that it holds is its subject, and counts no more; who asks about machines that
    read asks about all of it. `title` is the page's: what it names is its subject, and no more than that. With `alone`,
    where nothing else in the words has to do with the subject either, weaker signs are enough.
    """
    found = notions(said)
    if len(found) < 2 and not (alone and "tool" in found):
        return False
    if is_order(said) and not asks_how(asked) and any(one <= found for one in _ORDERED):
        return True
    wanted = notions(asked)
    if "machine" in wanted:
        return False
    found -= (wanted | (notions(title) if title else frozenset())) - {"must", "say"}
    return any(one <= found for one in _SURELY) or (alone and any(one <= found for one in _PERHAPS))


@lru_cache(maxsize=2048)
def _notions(text: str) -> frozenset[str]:
    plain = _bare(plainly(text))
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(plain))


def _bare(text: str) -> str:
    """Small letters without accents, and one blank between words."""
    split = unicodedata.normalize("NFD", _RUN_ON.sub(" ", text).casefold())
    letters = "".join(char if char.isalnum() else "" if unicodedata.combining(char) else " " for char in split)
    return f" {' '.join(letters.split())} "


_RUN_ON = re.compile(r"(?<=\d)(?=[^\W\d_])|(?<=[a-z])(?=[A-Z][a-z])")
"""Where cells and lines that a layout parted run together."""


def _pattern(words: str) -> re.Pattern[str]:
    stems: set[str] = set()
    for one in words.replace("\n", " ").split(","):
        if bare := _bare(plainly(one.strip().removesuffix("$"))).strip():
            start = "" if _UNBLANKED.match(bare) else " "
            stems.add(start + re.escape(bare) + (" " if one.strip().endswith("$") else ""))
    return re.compile("|".join(sorted(stems)))


_PATTERNS = {name: _pattern(getattr(reading_words, name.upper())) for name in _NOTIONS}

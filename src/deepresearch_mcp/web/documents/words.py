"""The words of a printed page with their places, as either PDF library gives them."""

import re
from typing import NamedTuple


class Word(NamedTuple):
    """One word, upright, in points from the lower left corner of the page as it is read."""

    text: str
    left: float
    right: float
    base: float
    """Height of the line on which the letters stand."""
    size: float
    """Font size after scaling."""
    bold: bool = False


class PageWords(NamedTuple):
    """The words of one page in the order in which the file draws them."""

    words: list[Word]
    aside: list[str]
    """Text that runs in another direction than the page's, line by line."""
    hidden: bool = False
    """Whether invisible text was left out."""
    pictures: bool = False
    """Whether the page draws pictures; with no words it is perhaps a scan."""


MOST_WORDS = 30_000
"""Words of one page. A newspaper page has 6,000; a page with more is made to cost time."""
_LETTER = re.compile(r"[^\W\d_]")


def is_caseless(letter: str) -> bool:
    """Return whether a letter belongs to a script that is written without spaces or capitals (Chinese, Japanese)."""
    return "\u2e80" <= letter <= "\u9fff" or "\uf900" <= letter <= "\ufaff" or "\uff00" <= letter <= "\uffef"


def has_letters(text: str) -> bool:
    """Return whether a text has a letter of any script."""
    return bool(_LETTER.search(text))

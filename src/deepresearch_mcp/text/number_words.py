"""Converts numbers in English words to digits."""

import re
from collections.abc import Iterator

_UNITS_SPELT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_SMALL = {word: value for value, word in enumerate(_UNITS_SPELT.split())}
_TENS_SPELT = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * value for value, word in enumerate(_TENS_SPELT.split(), 2)}
_BIG = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12}
_ORDINALS_SPELT = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ORDINALS = {word: value for value, word in enumerate(_ORDINALS_SPELT.split(), 1)}
_WORD = "|".join((*_SMALL, *_TENS, *_BIG))
_SPELT = re.compile(rf"(?<![\w-])(?:(?:an?\s)(?={'|'.join(_BIG)})\b)?(?:{_WORD})\b(?:[\s-](?:and\s)?(?:{_WORD})\b)*")
_SPELT_ORDINAL = re.compile(rf"(?<![\w-])(?:{'|'.join(_ORDINALS)})\b")
_MOST = 10**15
"""The largest number in words: without a limit, "hundred hundred hundred …" would grow with every word."""
_DIGIT_BEFORE = re.compile(r"\d[\s-]?$")


def in_digits(flat: str, *, one: bool) -> str:
    """Write the English number words of a normalised text in digits, "first" to "twelfth" as 1st to 12th.

    `one=False` keeps the word "one", which is mostly a pronoun. A word after a digit stays: "5 million".
    """

    def digits(match: re.Match[str]) -> str:
        spelt = match.group()
        if _DIGIT_BEFORE.search(flat, max(0, match.start() - 3), match.start()) or (spelt == "one" and not one):
            return spelt
        return " , ".join(str(value) for value in _spelt(spelt))

    flat = _SPELT.sub(digits, flat)
    return _SPELT_ORDINAL.sub(lambda match: f"{_ORDINALS[match.group()]}{ending(_ORDINALS[match.group()])}", flat)


def ending(number: int) -> str:
    """Return the letters of an English ordinal: "st" for 21, "th" for 11."""
    return "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _spelt(words: str) -> Iterator[int]:
    """Read number words as one number, or as several if they cannot be one ("one two")."""
    total = current = 0
    room = 0
    """The next small word belongs to the same number only below this value."""
    begun = False
    for word in re.findall(r"[a-z]+", words):
        if word in ("a", "an", "and"):
            continue
        if size := _BIG.get(word):
            if current > _MOST:
                yield total + current
                total = current = 0
            current = max(current, 1) * size
            if size >= 1000:
                total, current = total + current, 0
            room, begun = size if size < 1000 else 1000, True
            continue
        value = _SMALL.get(word, 0) or _TENS.get(word, 0)
        if begun and value >= room:
            yield total + current
            total = current = 0
        current += value
        room, begun = (10 if word in _TENS else 0), True
    yield total + current

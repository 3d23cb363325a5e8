"""Recognises text that becomes readable only when deciphered: shifted, reversed, leetspeak, or encoded bytes."""

import base64
import binascii
import html
import re
import string
from collections.abc import Collection, Iterator
from itertools import pairwise
from urllib.parse import unquote

_LEAST_WORDS = 4
"""Least number of common words in a deciphered line."""
_SHARE = 0.3
"""Least share of common words in a deciphered line."""
_AS_IT_STANDS = 0.12
"""A line with a larger share of common words is readable as it is, so it is not deciphered."""
_LEET_WORDS = 3
"""Least number of leetspeak words in a line, and of mixed Morse letters in a code."""
_ALTERNATIONS = 3
"""Least changes between letters and digits in a leetspeak word; product codes have one or two."""
_VOWELS = 0.2
"""Least share of vowels in a leetspeak word once it is translated."""
_TEXT = 0.6
"""Least share of letters and blanks in decoded bytes that count as text."""
_BYTES = 12
"""Least length of decoded text, in characters."""

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_SHIFTS = [
    str.maketrans(string.ascii_lowercase, string.ascii_lowercase[by:] + string.ascii_lowercase[:by])
    for by in range(1, 26)
]
_MIRRORED = str.maketrans(string.ascii_lowercase, string.ascii_lowercase[::-1])
_LEET = str.maketrans("01345780@$!|+", "oieastbo" + "asilt")
_LEET_WORD = re.compile(r"(?<![\w@$!+/.-])(?=[a-z]*[0134578@$!])(?=[\d@$!]*[a-z])[a-z0134578@$!]{2,24}(?![\w@$+/-])")
_LEET_HINT = re.compile(r"[a-z][0134578@$!]+[a-z]")
_DIGIT = re.compile(r"[0134578@$!]")
_CODES = re.compile(
    # Possessive quantifiers throughout, so that each character is examined only a few times.
    r"(?<![\w+/=.-])[A-Za-z0-9+/_-]{24,}+={0,2}"
    r"|(?<![\w-])(?:(?:0x)?[0-9A-Fa-f]{2}[ :,]{0,2}+){16,4000}+"
    r"|(?<!\w)(?:[01]{8}[ ,]{0,2}+|[01]{7}[ ,]{1,2}+){8,1000}+"
    r"|(?<!\w)(?:\d{2,3}[ ,-]{1,2}+){11,2000}+\d{2,3}"
    r"|(?:%[0-9A-Fa-f]{2}){8,2000}+|(?:\\[ux]\{?[0-9A-Fa-f]{2,5}\}?){8,2000}+"
    r"|(?:&#(?:x[0-9A-Fa-f]{2,5}|[0-9]{2,6});[ ,]?+){8,2000}+"
)
_MORSE = re.compile(r"(?<![\w.-])(?:[.·•−–_-]{1,6}+[ /|]{1,3}+){9,1000}+")
_MORSE_LETTER = re.compile(r"[.·•]+[−–_-]|[−–_-]+[.·•]")


def is_cipher(line: str, common: Collection[str]) -> bool:
    """Whether a line in Latin letters reads as language only when deciphered, judged by its `common` words."""
    low = line.lower()
    if _LEET_HINT.search(low) and _is_leet(low, common):
        return True
    said = low.split()
    # Most lines are decided here, cheaply.
    if len(said) <= _LEAST_WORDS or sum(map(common.__contains__, said)) > _AS_IT_STANDS * len(said):
        return False
    low = low.replace("’", "'")
    return low.isascii() and _is_shifted(low, common)


def codes(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans with text written as numeric bytes, escapes, base 64 or Morse code."""
    for match in _CODES.finditer(text):
        if any(map(_is_text, _decoded(match.group()))):
            yield match.span()
    for match in _MORSE.finditer(text):
        if len(_MORSE_LETTER.findall(match.group())) >= _LEET_WORDS:
            yield match.span()


def _is_shifted(low: str, common: Collection[str]) -> bool:
    # Count distinct words, so that a repeated designation ("TR6, TR7 …") counts once.
    said = list(dict.fromkeys(_WORD.findall(low)))
    if len(said) < _LEAST_WORDS + 1 or _met(said, common) > _AS_IT_STANDS * len(said):
        return False
    least = max(_LEAST_WORDS, _SHARE * len(said))
    if _met([word[::-1] for word in said], common) >= least:
        return True
    joined = " ".join(said)
    return any(_met(joined.translate(table).split(), common) >= least for table in (*_SHIFTS, _MIRRORED))


def _met(said: Collection[str], common: Collection[str]) -> int:
    return sum(len(word) > 1 and word in common for word in said)


def _is_leet(low: str, common: Collection[str]) -> bool:
    found = 0
    for match in _LEET_WORD.finditer(low):
        word = match.group()
        plain = word.translate(_LEET)
        changes = sum(bool(_DIGIT.match(a)) != bool(_DIGIT.match(b)) for a, b in pairwise(word))
        vowels = sum(char in "aeiou" for char in plain)
        if plain in common or (changes >= _ALTERNATIONS and plain.isalpha() and vowels >= _VOWELS * len(plain)):
            found += 1
    return found >= _LEET_WORDS


def _decoded(code: str) -> Iterator[bytes]:
    squeezed = re.sub(r"[\s:,]|0x", "", code)
    if code.startswith("%"):
        yield unquote(code, errors="replace").encode()
    elif code.startswith("&"):
        yield html.unescape(code).encode(errors="replace")
    elif code.startswith("\\"):
        yield bytes(int(one, 16) & 255 for one in re.findall(r"[0-9A-Fa-f]{2,5}", code))
    elif re.fullmatch(r"[01]+", squeezed):
        size = 8 if len(squeezed) % 8 == 0 else 7
        yield bytes(int(squeezed[at : at + size], 2) for at in range(0, len(squeezed), size))
    else:
        if re.fullmatch(r"(?:\d{2,3}[ ,-]*)+", code):
            yield bytes(int(one) for one in re.findall(r"\d{2,3}", code) if int(one) < 256)
        if re.fullmatch(r"(?:[0-9A-Fa-f]{2})+", squeezed):
            yield bytes.fromhex(squeezed)
        try:
            yield base64.b64decode(code.replace("-", "+").replace("_", "/") + "==")
        except binascii.Error:
            return


def _is_text(raw: bytes) -> bool:
    """Whether bytes decode to words with blanks between them, in any script."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return False
    if len(text) < _BYTES or not text.isprintable():
        return False
    letters = sum(char.isalpha() or char == " " for char in text)
    return letters >= _TEXT * len(text) and (text.count(" ") >= 2 or not text.isascii())

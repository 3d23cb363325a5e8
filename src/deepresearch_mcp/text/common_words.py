"""The most common words of some ninety languages, from the stop-word lists of the justext package."""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from deepresearch_mcp.text.language import LISTS

_NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
    "nl": "Dutch", "sv": "Swedish", "da": "Danish", "no": "Norwegian_Bokmal", "fi": "Finnish", "pl": "Polish",
    "cs": "Czech", "sk": "Slovak", "hr": "Croatian", "sl": "Slovenian", "ro": "Romanian", "hu": "Hungarian",
    "tr": "Turkish", "id": "Indonesian", "vi": "Vietnamese", "lt": "Lithuanian", "lv": "Latvian", "sw": "Swahili",
    "ru": "Russian", "uk": "Ukrainian", "bg": "Bulgarian", "be": "Belarusian", "mk": "Macedonian", "sr": "Serbian",
    "kk": "Kazakh", "el": "Greek", "he": "Hebrew", "ar": "Arabic", "fa": "Persian", "ur": "Urdu", "hi": "Hindi",
    "bn": "Bengali", "gu": "Gujarati", "ta": "Tamil", "te": "Telugu", "kn": "Kannada", "ml": "Malayalam",
    "ka": "Georgian", "hy": "Armenian", "ko": "Korean",
}  # fmt: skip
"""ISO 639-1 codes that `text.language` returns → the names of their lists."""
_LONGEST = 5
"""The longest words, in letters, that are kept of other languages: short words identify a language."""
_LONG = 1_000
"""A list with more words than this also holds less common ones, many of them foreign."""
_LATIN_ENDS = "\u0250"


def language_name(code: str) -> str:
    """Return the English name of a language, which is the name of its list; "" if it has no list."""
    return _NAMES.get(code, "")


@cache
def common_words(code: str) -> frozenset[str]:
    """Return the common words of a language by its ISO 639-1 code, casefolded; none for an unknown language."""
    return _read(_NAMES.get(code, "")) | LISTS.get(code, frozenset())


@cache
def short_words() -> Mapping[str, frozenset[str]]:
    """Return the short common words of all languages in Latin letters → the names of the languages that use them."""
    found: dict[str, set[str]] = {}
    home = _home()
    names = sorted(file.stem for file in home.glob("*.txt")) if home else []
    lists = {name: words for name in names if name != "Simple_English" and _is_latin(words := _read(name))}
    for code, words in LISTS.items():
        name = _NAMES.get(code) or code
        known = lists.get(name, frozenset())
        lists[name] = words | (known if len(known) <= _LONG else frozenset())
    for name, words in lists.items():
        for word in words:
            if 1 < len(word) <= _LONGEST and word.isalpha() and word[0] < _LATIN_ENDS:
                found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


def _is_latin(words: frozenset[str]) -> bool:
    """Return whether most words are in Latin letters; lists of other scripts hold some English words too."""
    return sum(word[0] < _LATIN_ENDS for word in words) * 2 > len(words)


def _read(name: str) -> frozenset[str]:
    home = _home()
    if not name or home is None or not (file := home / f"{name}.txt").is_file():
        return frozenset()
    return frozenset(file.read_text(encoding="utf-8").casefold().split())


@cache
def _home() -> Path | None:
    # The package is located, not imported: importing it loads an HTML parser.
    spec = find_spec("justext")
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) / "stoplists" if places else None

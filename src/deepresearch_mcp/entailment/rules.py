"""The word lists and thresholds of this room, which are data: `words/<language>.txt` and `thresholds.toml`."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl")
"""In the order in which their expressions are tried."""
_SECTION = re.compile(r"\[([\w.]+)\]")


def word_list(name: str) -> frozenset[str]:
    """Return the words of a list, of all languages together."""
    return frozenset(word for line in _lines()[name] for word in line.split())


def alternatives(name: str) -> str:
    """Return the expressions of a list as one, which matches any of them; the first that fits wins."""
    return "|".join(_lines()[name])


def bounded(name: str) -> str:
    """Return the same between the bounds of words."""
    return rf"\b(?:{alternatives(name)})\b"


def threshold(name: str) -> float:
    """Return a threshold by its section and name, as `coverage.late`."""
    section, _, key = name.partition(".")
    return _thresholds()[section][key]


def count(name: str) -> int:
    """Return a threshold that is a whole number."""
    return int(threshold(name))


@cache
def _lines() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        text = _read(f"words/{language}.txt")
        name = ""
        for line in text.splitlines():
            if section := _SECTION.fullmatch(line):
                name = section[1]
            elif line and not line.startswith("# "):
                found[name] = (*found.get(name, ()), line)
    return found


@cache
def _thresholds() -> Mapping[str, Mapping[str, Any]]:
    import tomllib

    return tomllib.loads(_read("thresholds.toml"))


def _read(name: str) -> str:
    return files("deepresearch_mcp.entailment").joinpath(name).read_text(encoding="utf-8")

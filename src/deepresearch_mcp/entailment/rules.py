"""Loads the word lists and thresholds of this room from `words/<language>.txt` and `thresholds.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from deepresearch_mcp.text.word_lists import WordLists

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl")
"""The languages, in the order in which their expressions are tried."""

_LISTS = WordLists("deepresearch_mcp.entailment", LANGUAGES)
word_list = _LISTS.words
alternatives = _LISTS.alternatives
bounded = _LISTS.bounded


def threshold(name: str) -> float:
    """Return a threshold by its section and name, such as `coverage.late`.

    Raises:
        ValueError: No threshold has this name, or its value is not a number.
    """
    section, _, key = name.partition(".")
    found = _thresholds().get(section, {}).get(key)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise ValueError(f"entailment/thresholds.toml has no number {key!r} in [{section}]")
    return found


def whole_threshold(name: str) -> int:
    """Return a threshold that is a whole number."""
    return int(threshold(name))


@cache
def _thresholds() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(files("deepresearch_mcp.entailment").joinpath("thresholds.toml").read_text(encoding="utf-8"))

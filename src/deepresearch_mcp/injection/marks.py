"""Marks of text that addresses a model and not its readers, read from `patterns/<language>.toml`.

A file has `[[marks]]` and may have `[words]`: named alternatives, inserted into a pattern wherever it contains the name
in braces. Two names exist for every language: `{begin}` matches where a word begins, `{after_stop}` where a line begins
or, after a stop, a sentence. The fields of a mark are those of `Mark`; its `pattern` is a list of alternatives.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

SURE = 0.8
"""At this confidence or above, a page is reported as containing planted text."""
LIKELY = 0.5
"""At this confidence or above, words are withheld from the reader; below `SURE` without a warning."""

LANGUAGES = ("en", "de", "fr", "es_it_pt", "ru", "zh_ja_ko")
"""Names of the files. Languages share a file if one pattern can match the words of all of them."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One feature by which such text is recognised."""

    reason: str
    """Completes the sentence "it …" in messages."""
    confidence: float
    """That the words address a model, 0 to 1. Estimated from what else such words are used for, not fitted to data."""
    needles: tuple[str, ...]
    """Lower-case words. The pattern is tried only on a text that contains one of them, which keeps long pages cheap."""
    pattern: re.Pattern[str]
    """Ignores case; `^` matches at every line."""
    whole: bool = True
    """Whether a match covers the rest of the block; else only its sentence."""


_SHARED = {
    # Equivalent to `(?:^|[.!?:\n"“]\s*)`, which would reread a run of line breaks from each of them.
    "after_stop": r"(?:(?<=[.!?:\"“])\s*+|(?=\s)(?<!\s)(?=[^\S\n]*+\n)\s*+|\A(?!\s))",
    # Cells and lines of a page may run together in its text, so a capital after a small letter begins a word.
    "begin": r"(?:\b|(?<=(?-i:[a-z]))(?=(?-i:[A-Z])))",
}
_FIELDS = {one.name for one in fields(Mark)}
_NAME = re.compile(r"\{([a-z]\w*)\}")


@cache
def all_marks() -> tuple[Mark, ...]:
    """The marks of all languages; compiled on first use."""
    return tuple(mark for language in LANGUAGES for mark in read_marks(_text(language), f"patterns/{language}.toml"))


def read_marks(text: str, name: str) -> tuple[Mark, ...]:
    """Read the marks of a file with this text; messages use its `name`.

    Raises:
        ValueError: The text is not TOML, a field is missing or unknown, or a pattern, needle or confidence is invalid.
    """
    where = f"injection/{name}"
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{where}: {error}") from error
    lists: dict[str, list[str]] = table.get("words", {})
    words = {**_SHARED, **{key: f"(?:{'|'.join(one)})" for key, one in lists.items()}}
    rows: list[dict[str, Any]] = table.get("marks", [])
    return tuple(_mark(row, words, f"{where}: mark {at}") for at, row in enumerate(rows, start=1))


def _mark(row: dict[str, Any], words: Mapping[str, str], where: str) -> Mark:
    row = {"whole": True, **row}
    if odd := row.keys() ^ _FIELDS:
        raise ValueError(f"{where}: {sorted(odd)[0]!r} is missing or no field of a mark")
    if not LIKELY <= row["confidence"] <= 1:
        raise ValueError(f"{where}: the confidence is not between {LIKELY} and 1")
    if wrong := [one for one in row["needles"] or [""] if one != one.lower() or not one]:
        raise ValueError(f"{where}: the needle {wrong[0]!r} is empty or not in lower case")

    def put(match: re.Match[str]) -> str:
        if match[1] not in words:
            raise ValueError(f"{where}: {match[0]} is not in [words]")
        return words[match[1]]

    try:
        pattern = re.compile(_NAME.sub(put, "|".join(row["pattern"])), re.IGNORECASE | re.MULTILINE)
    except re.error as error:
        raise ValueError(f"{where}: the pattern does not compile: {error}") from error
    return Mark(row["reason"], row["confidence"], tuple(row["needles"]), pattern, row["whole"])


def _text(language: str) -> str:
    return files("deepresearch_mcp.injection").joinpath("patterns", f"{language}.toml").read_text(encoding="utf-8")

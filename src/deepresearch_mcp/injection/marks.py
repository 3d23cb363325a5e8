"""What gives away that a text addresses a machine and not its readers: read from `patterns/<language>.toml`.

A file has `[[marks]]` and may have `[words]`: named alternatives that a pattern takes in where it has their name in
braces. Two names are there for every language: `{begin}`, where a word begins, and `{after_stop}`, where a line or,
behind a stop, a sentence begins. The fields of a mark are those of `Mark`; its `pattern` is a list of alternatives.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

SURE = 0.8
"""From this confidence on, a page is reported as holding planted text."""
LIKELY = 0.5
"""From this confidence on, words are left out of what is read; below `SURE` without a warning."""

LANGUAGES = ("en", "de", "fr", "es_it_pt", "ru", "zh_ja_ko")
"""The files. Languages share one where one pattern finds the words of all of them."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One way in which such text gives itself away."""

    reason: str
    """Completes the sentence "it …" for a person."""
    confidence: float
    """That the words address a machine, 0 to 1; judged by what else such words are used for, fitted to nothing."""
    needles: tuple[str, ...]
    """In lower case. The pattern is tried only on a text that holds one of them, which keeps a long page cheap."""
    pattern: re.Pattern[str]
    """Ignores case; `^` matches at every line."""
    whole: bool = True
    """Whether the rest of the block belongs to the words; else only their sentence."""


_Words = Annotated[list[str], Field(min_length=1)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reason: str = Field(min_length=1)
    confidence: float = Field(ge=LIKELY, le=1)
    needles: _Words
    pattern: _Words
    whole: bool = True


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    words: dict[str, _Words] = Field(default_factory=dict)
    marks: list[_Row] = Field(min_length=1)


_SHARED = {
    # `(?:^|[.!?:\n"“]\s*)` would say the same, but would read a run of line breaks again from each of them.
    "after_stop": r"(?:(?<=[.!?:\"“])\s*+|(?=\s)(?<!\s)(?=[^\S\n]*+\n)\s*+|\A(?!\s))",
    # Cells and lines that a page's layout kept apart run together: a capital behind a small letter begins a word.
    "begin": r"(?:\b|(?<=(?-i:[a-z]))(?=(?-i:[A-Z])))",
}
_NAME = re.compile(r"\{([a-z]\w*)\}")


@cache
def marks() -> tuple[Mark, ...]:
    """The marks of all languages, compiled when the first text is searched."""
    return tuple(mark for language in LANGUAGES for mark in read_marks(_text(language), f"patterns/{language}.toml"))


def read_marks(text: str, name: str) -> tuple[Mark, ...]:
    """Read the marks of a file; `name` is the file's, for messages.

    Raises:
        ValueError: It is no TOML, a field is missing or unknown, or a pattern or a needle is wrong.
    """
    try:
        found = _File.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise ValueError(f"injection/{name}: {error}") from error
    words = {**_SHARED, **{key: f"(?:{'|'.join(one)})" for key, one in found.words.items()}}
    return tuple(_mark(row, words, f"injection/{name}: mark {at}") for at, row in enumerate(found.marks, start=1))


def _mark(row: _Row, words: Mapping[str, str], where: str) -> Mark:
    def put(match: re.Match[str]) -> str:
        if match[1] not in words:
            raise ValueError(f"{where} names {{{match[1]}}}, which is not in [words]")
        return words[match[1]]

    if wrong := [needle for needle in row.needles if needle != needle.lower() or not needle]:
        raise ValueError(f"{where} has the needle {wrong[0]!r}, which is not in lower case")
    try:
        pattern = re.compile(_NAME.sub(put, "|".join(row.pattern)), re.IGNORECASE | re.MULTILINE)
    except re.error as error:
        raise ValueError(f"{where} has a pattern that does not compile: {error}") from error
    return Mark(row.reason, row.confidence, tuple(row.needles), pattern, row.whole)


def _text(language: str) -> str:
    return files("deepresearch_mcp.injection").joinpath("patterns", f"{language}.toml").read_text(encoding="utf-8")

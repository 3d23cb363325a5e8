"""Words with which a page talks about its own reading, by language; read once from the files in `reading/`.

English has regular expressions (`en.toml`). Every other language has lists of word beginnings, by kind: `reader`,
`work` (a text written from the page), `yours` (the same, addressed to its writer), `here` (the page itself), `must`,
`say`, `order` (orders in the forms used to a reader) and `rules` (earlier instructions or questions to the reader).
`$` marks the end of a whole word.
"""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_HOME = "deepresearch_mcp.injection"
KINDS = ("reader", "work", "yours", "here", "must", "say", "order", "rules")

_UNBLANKED = re.compile(
    r"[\u0590-\u08ff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
"""Scripts in which words are written together, or attached to what precedes them."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One form of English sentence about its own reading."""

    because: str
    names: frozenset[str]
    """Kinds of things it is about. If the question or title names one, it is the page's subject, not a message."""
    order: bool
    """Whether it is an order; a question that asks how to do something asks for orders."""
    found: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class English:
    """The patterns of English."""

    subject: dict[str, re.Pattern[str]]
    """Kind of thing → the words by which a question or title names it."""
    addressed: tuple[Pattern, ...]
    """Patterns that match only sentences addressed to a reader that writes."""
    alone: tuple[Pattern, ...]
    """Weaker patterns, for sentences that share no word with the question and the title."""


@cache
def english() -> English:
    """Read the patterns of English."""
    table = _table("en")
    words: dict[str, str] = table["words"]
    return English(
        {name: re.compile(rf"\b{pattern}\b") for name, pattern in table["subject"].items()},
        tuple(_pattern(row, words) for row in table["addressed"]),
        tuple(_pattern(row, words) for row in table["alone"]),
    )


@cache
def languages() -> frozenset[str]:
    """ISO 639-1 codes of the languages that have lists."""
    names = (file.name for file in files(_HOME).joinpath("reading").iterdir())
    return frozenset(name.removesuffix(".toml") for name in names if name.endswith(".toml")) - {"en"}


@cache
def words_by_kind(code: str) -> dict[str, re.Pattern[str]]:
    """Kind → a pattern for the words of that kind in a language."""
    table = _table(code)
    return {kind: _listed(table[kind]) for kind in KINDS}


def letters_only(text: str) -> str:
    """The words of a text in the form of the lists: lower case, with accents, one blank around each."""
    composed = unicodedata.normalize("NFC", text.casefold())
    return f" {' '.join(''.join(char if _is_letter(char) else ' ' for char in composed).split())} "


def _is_letter(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M"


def _table(code: str) -> dict[str, Any]:
    return tomllib.loads(files(_HOME).joinpath("reading", f"{code}.toml").read_text(encoding="utf-8"))


def _pattern(row: dict[str, Any], words: dict[str, str]) -> Pattern:
    text: str = row["pattern"]
    for name, own in words.items():
        text = text.replace(f"{{{name}}}", own)
    return Pattern(row["because"], frozenset(row["names"]), row.get("order", False), re.compile(text))


def _listed(words: list[str]) -> re.Pattern[str]:
    stems: list[str] = []
    for word in words:
        bare = letters_only(word.removesuffix("$")).strip()
        start = "" if _UNBLANKED.match(bare) else " "
        stems.append(start + re.escape(bare) + (" " if word.endswith("$") else ""))
    return re.compile("|".join(sorted(stems)))

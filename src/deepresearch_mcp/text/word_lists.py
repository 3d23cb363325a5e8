"""Reads word lists from data files: one file per language, in the folder `words/` of the room that uses them.

A file has sections, `[name]`; a name begins with the module that reads it. Each line of a section holds words separated
by blanks, or one regular expression. A line that begins with `# ` is a comment.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files

_SECTION = re.compile(r"\[([a-z_]\w*(?:\.\w+)+)\]")


class WordLists:
    """The word lists of one room, loaded on first use."""

    def __init__(self, package: str, languages: Sequence[str]) -> None:
        """`languages` gives the order in which their expressions are tried."""
        self._package = package
        self._languages = languages

    def words(self, name: str) -> frozenset[str]:
        """Return the words of a list, for all languages together."""
        return frozenset(word for line in self._list(name) for word in line.split())

    def alternatives(self, name: str) -> str:
        """Return the expressions of a list joined by "|"; the first that matches wins."""
        return "|".join(self._list(name))

    def bounded(self, name: str) -> str:
        """Return the same expression between word boundaries."""
        return rf"\b(?:{self.alternatives(name)})\b"

    def _list(self, name: str) -> tuple[str, ...]:
        if name not in self._lists:
            raise ValueError(f"{self._package}: no file of words/ has a list [{name}]")
        return self._lists[name]

    @cached_property
    def _lists(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for language in self._languages:
            text = files(self._package).joinpath("words", f"{language}.txt").read_text(encoding="utf-8")
            for name, lines in read_sections(text, f"{self._package}: words/{language}.txt").items():
                found[name] = (*found.get(name, ()), *lines)
        return found


def read_sections(text: str, file: str) -> dict[str, tuple[str, ...]]:
    """Read the sections of a file with their lines; `file` is its name for error messages.

    Raises:
        ValueError: A line precedes the first section, or a section is repeated or empty.
    """
    found: dict[str, list[str]] = {}
    name = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if section := _SECTION.fullmatch(line):
            name = section[1]
            if name in found:
                raise ValueError(f"{file}, line {number}: [{name}] is defined twice")
            found[name] = []
        elif line and not line.startswith("# "):
            if not name:
                raise ValueError(f"{file}, line {number}: this line is above the first [section]")
            found[name].append(line)
    if empty := [name for name, lines in found.items() if not lines]:
        raise ValueError(f"{file}: [{empty[0]}] is empty")
    return {name: tuple(lines) for name, lines in found.items()}

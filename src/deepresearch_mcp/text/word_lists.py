"""Word lists that are data: one file for each language, in the folder `words/` of the room whose rules read them.

A file has sections, `[name]`; a name begins with the module that reads it. The lines below hold words with blanks
between them, or one regular expression each. A line that begins with `# ` is a note.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files

_SECTION = re.compile(r"\[([a-z_]\w*(?:\.\w+)+)\]")


class WordLists:
    """The lists of one room, read with the first question for one of them."""

    def __init__(self, package: str, languages: Sequence[str]) -> None:
        """`languages`: in the order in which their expressions are tried."""
        self._package = package
        self._languages = languages

    def words(self, name: str) -> frozenset[str]:
        """Return the words of a list, of all languages together."""
        return frozenset(word for line in self._list(name) for word in line.split())

    def alternatives(self, name: str) -> str:
        """Return the expressions of a list as one, which matches any of them; the first that fits wins."""
        return "|".join(self._list(name))

    def bounded(self, name: str) -> str:
        """Return the same between the bounds of words."""
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
    """Read the sections of a file, each with its lines; `file` is its name, for messages.

    Raises:
        ValueError: A line stands above the first section, or a section has no name, stands twice or is empty.
    """
    found: dict[str, list[str]] = {}
    name = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if section := _SECTION.fullmatch(line):
            name = section[1]
            if name in found:
                raise ValueError(f"{file}, line {number}: [{name}] stands twice")
            found[name] = []
        elif line and not line.startswith("# "):
            if not name:
                raise ValueError(f"{file}, line {number}: this stands above the first [section]")
            found[name].append(line)
    if empty := [name for name, lines in found.items() if not lines]:
        raise ValueError(f"{file}: [{empty[0]}] is empty")
    return {name: tuple(lines) for name, lines in found.items()}

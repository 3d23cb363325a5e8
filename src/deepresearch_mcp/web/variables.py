"""Custom properties of style sheets, `--x: 0`, and what `var(--x)` stands for on an element."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

Style = Mapping[str, str]
Lookup = Callable[[str], str | None]

_VAR = re.compile(r"var\( *(--[\w-]+) *(?:,([^()]*+(?:\([^()]*+\)[^()]*+)*+))?\)")
_USED = re.compile(r"var\( *(--[\w-]+)")
_DEEP = 8
"""Variables within variables that are followed."""
_LONGEST = 2_000
"""Characters of a value; no real one is as long."""
_MOST = 12
"""Values of one variable that are tried, and definitions that are looked through."""
_UNDEFINED = "\0"


class StyledElement(NamedTuple):
    """An element as selectors see it."""

    tag: str
    names: frozenset[str]
    """Classes with their dot, the id with its hash."""
    style: Style
    """Its own, inline."""


class Definition(NamedTuple):
    """One definition: `p.note { --x: 0 }`."""

    name: str
    value: str
    tag: str
    """"" for every element, as for a selector of classes alone; "html" for the whole page."""
    names: frozenset[str]

    def is_for(self, place: StyledElement) -> bool:
        """Whether its selector selects an element."""
        return self.tag in {"", place.tag} and self.names <= place.names


class Variables:
    """The custom properties of a page's style sheets, by name.

    A variable in `unsure` is also set by a rule that may hold or not: what it stands for is not known.
    """

    def __init__(self, definitions: Iterable[Definition] = (), unsure: Collection[str] = frozenset()) -> None:
        self._by_name: dict[str, list[Definition]] = {}
        for one in definitions:
            self._by_name.setdefault(one.name, []).append(one)
        for found in self._by_name.values():
            found.sort(key=lambda one: (len(one.names), bool(one.tag)))
        self._unsure = unsure

    def possible(self, name: str) -> list[str]:
        """The values that a variable may have, at most `_MOST`, that of the strongest selector last."""
        return list(dict.fromkeys(one.value for one in self._by_name.get(name, ())[-_MOST:]))

    def lookup(self, line: Sequence[StyledElement]) -> Lookup:
        """What the variables are on an element: `line` leads from it to those around it. What is nearer counts."""

        def value(name: str) -> str | None:
            defined = [] if name in self._unsure else self._by_name.get(name, ())[-_MOST:]
            for place in line:
                if name in place.style:
                    return place.style[name]
                for one in reversed(defined):
                    if one.tag != "html" and one.is_for(place):
                        return one.value
            return next((one.value for one in reversed(defined) if one.tag == "html"), None)

        return value


def resolved(style: Style, value_of: Lookup) -> dict[str, str]:
    """The style with what its variables stand for.

    A declaration is left out, as browsers do, where one of them has neither a value nor a fallback.
    """
    found: dict[str, str] = {}
    for name, value in style.items():
        known = _value(value, value_of) if "var(" in value else value
        if known is not None:
            found[name] = known
    return found


def used_in(value: str) -> list[str]:
    """The names of the variables in a value."""
    return _USED.findall(value)


def _value(value: str, value_of: Lookup) -> str | None:
    def stands_for(found: re.Match[str]) -> str:
        known = value_of(found[1])
        if known is None:
            return _UNDEFINED if found[2] is None else found[2].strip()
        return known

    for _ in range(_DEEP):
        if "var(" not in value or len(value) > _LONGEST:
            break
        value = _VAR.sub(stands_for, value)
    return None if "var(" in value or _UNDEFINED in value else value.strip()

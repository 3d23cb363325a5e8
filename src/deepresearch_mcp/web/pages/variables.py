"""Resolves the custom properties of style sheets: the value of `var(--x)` on an element."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

Style = Mapping[str, str]
Lookup = Callable[[str], str | None]

_VAR = re.compile(r"var\( *(--[\w-]+) *(?:,([^()]*+(?:\([^()]*+\)[^()]*+)*+))?\)")
_USED = re.compile(r"var\( *(--[\w-]+)")
_DEEP = 8
"""Levels of variables within variables that are resolved."""
_LONGEST = 2_000
"""Characters; a longer value is not resolved further. No real value is as long."""
_MOST = 12
"""Most definitions of one variable that are considered."""
_UNDEFINED = "\0"


class StyledElement(NamedTuple):
    """An element as selectors see it."""

    tag: str
    names: frozenset[str]
    """Classes with their dot, the id with its hash sign."""
    style: Style
    """The inline style."""


class Definition(NamedTuple):
    """One definition, such as `p.note { --x: 0 }`."""

    name: str
    value: str
    tag: str
    """"" for any element, as in a selector of classes only; "html" for the whole page."""
    names: frozenset[str]

    def is_for(self, place: StyledElement) -> bool:
        """Return whether the selector matches an element."""
        return self.tag in {"", place.tag} and self.names <= place.names


class Variables:
    """The custom properties of a page's style sheets, by name.

    The value of a variable in `unsure` is not known, because a rule with a condition also sets it.
    """

    def __init__(self, definitions: Iterable[Definition] = (), unsure: Collection[str] = frozenset()) -> None:
        self._by_name: dict[str, list[Definition]] = {}
        for one in definitions:
            self._by_name.setdefault(one.name, []).append(one)
        for found in self._by_name.values():
            found.sort(key=lambda one: (len(one.names), bool(one.tag)))
        self._unsure = unsure

    def possible(self, name: str) -> list[str]:
        """Return at most `_MOST` values that a variable may have, that of the strongest selector last."""
        return list(dict.fromkeys(one.value for one in self._by_name.get(name, ())[-_MOST:]))

    def lookup(self, line: Sequence[StyledElement]) -> Lookup:
        """Return a lookup of variables for the first element of `line`; the others are its ancestors, nearest first."""

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
    """Return the style with its variables replaced by their values.

    As in browsers, a declaration is dropped if one of its variables has neither a value nor a fallback.
    """
    found: dict[str, str] = {}
    for name, value in style.items():
        known = _value(value, value_of) if "var(" in value else value
        if known is not None:
            found[name] = known
    return found


def used_in(value: str) -> list[str]:
    """Return the names of the variables in a value."""
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

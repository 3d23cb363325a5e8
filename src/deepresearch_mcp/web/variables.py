"""Custom properties of style sheets, `--x: 0`, and what `var(--x)` stands for on an element."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

Style = Mapping[str, str]

_VAR = re.compile(r"var\( *(--[\w-]+) *(?:,([^()]*))?\)")
_DEEP = 8
"""Variables within variables that are followed."""
_LONGEST = 2_000
"""Characters of a value; no real one is as long."""
_ROOT = re.compile(r"(?::root|html|body|\*|:host)?", re.IGNORECASE)
_NAME = re.compile(r"[.#][\w-]+")


class Variable(NamedTuple):
    """One definition: `.note { --x: 0 }`."""

    name: str
    value: str
    within: frozenset[str]
    """Classes and ids of its selector, with their dot or hash; none for what holds on the whole page."""


def variables_in(selectors: str, style: Style) -> list[Variable]:
    """The definitions of one rule."""
    named = [name for name in style if name.startswith("--")]
    if not named:
        return []
    whole = any(_ROOT.fullmatch(one.strip()) for one in selectors.split(","))
    within = frozenset[str]() if whole else frozenset(_NAME.findall(selectors))
    return [Variable(name, style[name], within) for name in named]


def holding(variables: Iterable[Variable], names: Iterable[str], inline: Sequence[Style]) -> dict[str, str]:
    """The values that hold on an element: `names` are its classes and ids and those around it.

    `inline` are the styles of the elements around it and its own, from the outside in: what is nearer counts.
    """
    here = frozenset(names)
    defined = sorted(variables, key=lambda one: len(one.within))
    values = {one.name: one.value for one in defined if not one.within or not one.within.isdisjoint(here)}
    for style in inline:
        values |= {name: value for name, value in style.items() if name.startswith("--")}
    return values


def resolved(style: Style, values: Mapping[str, str]) -> dict[str, str]:
    """The style with what its variables stand for; one that is not defined gives its fallback, or nothing."""
    return {name: _value(value, values) if "var(" in value else value for name, value in style.items()}


def used_in(value: str) -> list[str]:
    """The names of the variables without a fallback that a value needs."""
    return [found[1] for found in _VAR.finditer(value) if not found[2]]


def _value(value: str, values: Mapping[str, str]) -> str:
    for _ in range(_DEEP):
        if "var(" not in value or len(value) > _LONGEST:
            break
        value = _VAR.sub(lambda found: values.get(found[1], (found[2] or "").strip()), value)
    return value.strip()

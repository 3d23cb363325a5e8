"""Whether style or attribute hides an element: inline, or by a plain rule of the page's own style sheet."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from deepresearch_mcp.web.colours import colour_of, is_near
from deepresearch_mcp.web.hiding_styles import Style, is_hidden
from deepresearch_mcp.web.tree import Node
from deepresearch_mcp.web.variables import Variable, holding, resolved, used_in, variables_in

MOST_CSS = 300_000
"""Characters of a page's style sheets that are looked through."""

_COMPOUND = re.compile(r"([a-z][\w-]*)?((?:[.#][\w-]+)+)", re.IGNORECASE)
_TOKEN = re.compile(r"[.#][\w-]+")


_MAY_HIDE = re.compile(
    r"none|hidden|collapse|font-size|opacity|transparent|rgba|hsla|indent|-\d{3}|clip|scale|zoom|font\s*:|rotate|(?:width|height)|var\(",
    re.IGNORECASE,
)
"""What a style sheet must hold to hide anything."""


class Rule(NamedTuple):
    """What a plain selector does: `p.note` or `#x.y`."""

    tag: str
    names: frozenset[str]
    """Classes with their dot, ids with their hash."""
    style: Style


def rules_of(css: str) -> dict[str, list[Rule]]:
    """The rules of a style sheet that hide something, by one of the names that they need.

    Rules within @media and the like are left aside, as they hold for some screens only; so are selectors with more
    than one element, and names that another rule shows again, as for panels that open. What stands within the page
    as a whole, a layer, or a condition that every browser meets holds as if it stood alone.
    """
    css = css[:MOST_CSS]
    if not _MAY_HIDE.search(css):
        return {}
    found: list[Rule] = []
    shown: set[str] = set()
    declarations = list(_declared_rules("".join(around(css, "/*", "*/"))))
    variables = [one for selectors, style, _ in declarations for one in variables_in(selectors, style)]
    for selectors, style, always in declarations:
        if not _may_hide(style, variables):
            if _REVEALING & style.keys():
                shown.update(_TOKEN.findall(selectors))
        elif always:
            plain = (_COMPOUND.fullmatch(_WITHIN.sub("", selector.strip())) for selector in selectors.split(","))
            found += (Rule((one[1] or "").lower(), frozenset(_TOKEN.findall(one[2])), style) for one in plain if one)
    by_name: dict[str, list[Rule]] = {}
    for rule in found:
        if rule.names.isdisjoint(shown):
            by_name.setdefault(min(rule.names), []).append(rule)
    return by_name


def variables_of(css: str) -> list[Variable]:
    """The custom properties that a style sheet defines."""
    css = css[:MOST_CSS]
    if "--" not in css:
        return []
    rules = _declared_rules("".join(around(css, "/*", "*/")))
    return [one for selectors, style, _ in rules for one in variables_in(selectors, style)]


def _may_hide(style: Style, variables: Iterable[Variable]) -> bool:
    """Whether a rule hides something, by any of the values that its variables have on the page."""
    if not any("var(" in value for value in style.values()):
        return is_hidden(style)
    whole = {one.name: one.value for one in variables}
    if any(name not in whole for value in style.values() for name in used_in(value)):
        return True  # An element may define it itself.
    named = [one for one in variables if any(one.name in value for value in style.values())][:_VALUES]
    return any(is_hidden(resolved(style, {**whole, one.name: one.value})) for one in named) or is_hidden(
        resolved(style, whole)
    )


_VALUES = 12
"""Definitions of the variables of one rule that are tried."""


def _declared_rules(css: str) -> Iterator[tuple[str, Style, bool]]:
    """Selectors and declarations of each rule, and whether it holds without a condition."""
    open_: list[str] = []
    text = ""
    # No regular expression that looks for pairs: on a hostile sheet that takes a time quadratic in its length.
    for part in _BRACE.split(css):
        if part == "{":
            open_.append(text.rpartition(";")[2].strip()[:_SELECTORS])
            text = ""
        elif part == "}":
            selectors = open_.pop() if open_ else "@"
            if not selectors.startswith("@"):
                yield selectors, declared(text), all(_ALWAYS.fullmatch(one) for one in open_[-_NESTED:])
            text = ""
        else:
            text = part


def around(text: str, opening: str, closing: str) -> Iterator[str]:
    """What stands outside of pairs of marks, such as comments; what is not closed goes on to the end."""
    at = 0
    while (start := text.find(opening, at)) >= 0:
        yield text[at:start]
        end = text.find(closing, start + len(opening))
        if end < 0:
            return
        at = end + len(closing)
    yield text[at:]


_BRACE = re.compile(r"([{}])")
_SELECTORS = 5_000
"""Characters of the selectors of one rule."""
_NESTED = 20
_WITHIN = re.compile(r"(?:(?:html|body|:root|&) +)+", re.IGNORECASE)
_ALWAYS = re.compile(
    r"(?:html|body|:root|@layer\b[\w\s.-]*|@media (?:only )?(?:screen|all)|@supports *\( *[a-z][a-z-]*: *[a-z]+ *\))?",
    re.IGNORECASE,
)
"""Whatever stands within these holds on any screen, in any browser of our day."""
_REVEALING = frozenset({"display", "visibility", "opacity"})


def declared(style: str) -> dict[str, str]:
    """The declarations of a style, names and values in lower case."""
    found: dict[str, str] = {}
    for part in style.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip().lower()] = " ".join(value.lower().replace("!important", "").split())
    return found


_POPOVERS = frozenset({"", "auto", "manual", "hint"})
"""Values with which the attribute is the one of HTML; libraries have used it otherwise."""


def hides(element: Node, rules: Mapping[str, list[Rule]], variables: Sequence[Variable] = ()) -> bool:
    """Whether the element's own style or attributes, or a rule, hide it and all that is in it."""
    if element.get("hidden") is not None or element.get("popover") in _POPOVERS:
        return True
    inline = element.get("style") or ""
    if inline and _hides(inline):
        return True
    style: Style = declared(inline) if "color" in inline or "var(" in inline or (rules and inline) else {}
    values: Mapping[str, str] | None = None
    if "var(" in inline:
        values = _values(element, variables)
        style = resolved(style, values)
        if is_hidden(style):
            return True
    if style and _same_colour(style, element):
        return True
    if not rules:
        return False
    names = {f".{name}" for name in (element.get("class") or "").split()}
    names.add(f"#{element.get('id')}")
    for name in names & rules.keys():
        for rule in rules[name]:
            if not (rule.names <= names and rule.tag in {"", element.tag}):
                continue
            whole = {**rule.style, **style}
            if any("var(" in value for value in whole.values()):
                values = values or _values(element, variables)
                whole = resolved(whole, values)
            if is_hidden(whole):
                return True
    return False


def _values(element: Node, variables: Sequence[Variable]) -> Mapping[str, str]:
    """What the custom properties of a page are on an element."""
    line: list[Node] = []
    above: Node | None = element
    while above is not None and len(line) < _ABOVE:
        line.append(above)
        above = _parent(above)
    names = {f".{name}" for one in line for name in (one.get("class") or "").split()}
    names |= {f"#{one.get('id')}" for one in line}
    inline = [declared(style) for one in reversed(line) if "--" in (style := one.get("style") or "")]
    return holding(variables, names, inline)


_ABOVE = 60
"""Elements around one that are looked at for what its variables stand for."""


@lru_cache(maxsize=2_048)
def _hides(inline: str) -> bool:
    return is_hidden(declared(inline))


def _same_colour(style: Style, element: Node) -> bool:
    """Whether text has the colour of what the same or the nearest styled element above puts behind it."""
    colour = colour_of(style.get("color", ""))
    if not colour:
        return False
    above: Node | None = element
    while above is not None:
        behind = _behind(above.get("style") or "")
        ground = colour_of(behind.get("background-color", "") or behind.get("background", ""))
        ground = ground or colour_of((above.get("bgcolor") or "").lower())
        if ground or behind.get("background-image") or "url(" in behind.get("background", ""):
            return is_near(ground, colour)
        if above.get("class") or above.get("id"):
            # A style sheet may put anything behind it.
            return False
        above = _parent(above)
    return is_near(colour, "ffffff")


@lru_cache(maxsize=256)  # what stands in one coloured box asks for that box again and again
def _behind(style: str) -> Style:
    return declared(style)


def _parent(element: Node) -> "Node | None":
    found = element.xpath("..")
    return found[0] if found else None

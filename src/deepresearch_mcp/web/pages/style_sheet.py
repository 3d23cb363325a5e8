"""Parses the style sheets inside a page for rules that can hide an element."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from deepresearch_mcp.web.pages.colours import NEAR, WHITE, colour_of
from deepresearch_mcp.web.pages.hiding_styles import PROPERTIES, Style, is_hidden
from deepresearch_mcp.web.pages.variables import Definition, StyledElement, Variables, resolved, used_in

MOST_CSS = 300_000
"""Characters of a page's style sheets that are parsed."""

PAINT = frozenset(
    {"color", "background", "background-color", "background-image", "position", "text-shadow"}
    | {"-webkit-text-fill-color"}
)
"""Properties that decide whether letters stand out from their background."""

_COMPOUND = re.compile(r"([a-z][\w-]*|\*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_NAME = re.compile(r"[.#][\w-]+")
_ROOT = re.compile(r"(?::root|html|:host)?", re.IGNORECASE)
_WITHIN = re.compile(r"(?:(?:html|body|:root|&) +)+", re.IGNORECASE)
_MAY_MATTER = re.compile(
    r"none|hidden|collapse|font-size|opacity|transparent|rgba|hsla|indent|-\d{3}|clip|scale|zoom|font\s*:|rotate|width|height|--|color|background",
    re.IGNORECASE,
)
"""Words of which a style sheet needs at least one to hide anything."""
_BRACE = re.compile(r"([{}])")
_SELECTORS = 5_000
"""Characters of one rule's selectors that are read."""
_NESTED = 20
_ALWAYS = re.compile(
    r"(?:html|body|:root|@layer\b[\w\s.-]*|@media (?:only )?(?:screen|all)|@supports *\( *[a-z][a-z-]*: *[a-z]+ *\))?",
    re.IGNORECASE,
)
"""Matches enclosing rules that hold on any screen, in every current browser."""
_PRINTED = re.compile(r"@media (?:only )?print\b(?!.*,)", re.IGNORECASE)
"""Matches enclosing rules that hold only in print."""
_REVEALING = frozenset({"display", "visibility", "opacity"})
_BESIDE = re.compile(r":(?:before|after|:[\w-]+(?<!:first-line)(?<!:first-letter))", re.IGNORECASE)
"""Matches pseudo-elements, whose paint does not concern the page's text."""
_GROUPED = re.compile(r"\([^()]*\)|\[[^\]]*\]")
_USED, _KNOWN = 8, 300
"""Most variables of one rule whose values are tried; characters of the longest declarations that are remembered."""


class Rule(NamedTuple):
    """The style of one plain selector, such as `p.note`, `#x.y` or `body`."""

    tag: str
    names: frozenset[str]
    """Classes with their dot, ids with their hash sign."""
    style: Style

    def is_for(self, place: StyledElement) -> bool:
        """Return whether the selector matches an element."""
        return self.tag in {"", place.tag} and self.names <= place.names


@dataclass(frozen=True, slots=True)
class Sheet:
    """The relevant rules of a page's style sheets, indexed by one of the names, or the tag, of their selector."""

    hiding: Mapping[str, list[Rule]] = field(default_factory=dict[str, list[Rule]])
    """Rules that hide something with at least one of the values that their variables have on the page."""
    painting: Mapping[str, list[Rule]] = field(default_factory=dict[str, list[Rule]])
    """Rules that set a property in `PAINT`."""
    faint: frozenset[str] = frozenset()
    """Names of elements whose text may have the colour of a background."""
    painted: frozenset[str] = frozenset()
    """All names in `painting`."""
    unsure: frozenset[str] = frozenset()
    """Names and tags that a rule on `PAINT` may also match under a condition: nested, hovered, in some media."""
    variables: Variables = field(default_factory=Variables)
    is_whole: bool = False
    """Whether these are all styles: the page loads no other style sheet and no script that could add one."""

    def paint(self, place: StyledElement) -> dict[str, str] | None:
        """Return the `PAINT` declarations that apply to an element, inline ones included; None if uncertain."""
        keys = ("*", place.tag, *place.names)
        if not self.unsure.isdisjoint(keys):
            return None
        rules = [rule for key in keys for rule in self.painting.get(key, ()) if rule.is_for(place)]
        rules.sort(key=_strength)
        style: dict[str, str] = {}
        for rule in rules:
            style |= rule.style
        return style | {name: value for name, value in place.style.items() if name in PAINT}


NO_SHEET = Sheet()


def sheet_of(css: str, *, is_whole: bool = False) -> Sheet:
    """Parse the style sheets of a page.

    A rule counts if it holds on any screen: at the top level, under html or body, in a layer, or under a condition
    that every current browser meets. Its selector must name one element by tag, classes and ids. A name that another
    rule shows again, such as a panel that opens, is not hidden.
    """
    css = css[:MOST_CSS]
    if not _MAY_MATTER.search(css):
        return Sheet(is_whole=is_whole)
    rules = list(_declared_rules("".join(outside_of(css, "/*", "*/"))))
    variables = _variables(rules)
    hiding: dict[tuple[str, frozenset[str]], dict[str, str]] = {}
    painting: dict[tuple[str, frozenset[str]], dict[str, str]] = {}
    shown: set[str] = set()
    unsure: set[str] = set()
    for rule in rules:
        paint = {name: rule.style[name] for name in PAINT & rule.style.keys()}
        hides = _may_hide(rule.style, variables) if rule.hides is None else rule.hides
        if not hides and _REVEALING & rule.style.keys():
            shown.update(_NAME.findall(rule.selectors))
        if rule.holds is None or not (hides or paint):
            continue
        for selector in rule.each():
            plain = _compound(selector) if rule.holds else None
            if hides and plain and plain[1]:
                hiding.setdefault(plain, {}).update(rule.style)
            if paint and plain:
                painting.setdefault(plain, {}).update(paint)
            elif paint and not _BESIDE.search(selector):
                unsure.update(_subject(selector))
    hiding = {key: style for key, style in hiding.items() if key[1].isdisjoint(shown)}
    return Sheet(
        hiding=_by_key(hiding),
        painting=_by_key(painting),
        painted=frozenset(name for _, names in painting for name in names),
        faint=_faint(painting, variables),
        unsure=frozenset(unsure),
        variables=variables,
        is_whole=is_whole,
    )


class _Declared(NamedTuple):
    selectors: str
    style: Style
    hides: bool | None
    """Whether it hides something; None if that depends on variables."""
    holds: bool | None
    """Whether it holds without a condition; None if it never holds on a screen."""

    def each(self) -> Iterator[str]:
        """Yield the selectors, without a leading `html`, `body`, `:root` or `&`."""
        for selector in self.selectors.split(","):
            yield _WITHIN.sub("", selector.strip())


def _compound(selector: str) -> tuple[str, frozenset[str]] | None:
    """Return the tag and names of a selector for one element; None for any other selector."""
    if _ROOT.fullmatch(selector):
        return ("html", frozenset()) if selector else None
    found = _COMPOUND.fullmatch(selector)
    return ((found[1] or "").lower().replace("*", ""), frozenset(_NAME.findall(found[2]))) if found else None


def _subject(selector: str) -> list[str]:
    """Return the names, or else the tag, of the elements that a selector matches; `*` if it may match any."""
    last = re.split(r"[ >+~]+", _GROUPED.sub("", selector))[-1]
    tag = re.match(r"[a-z][\w-]*", last, re.IGNORECASE)
    return _NAME.findall(last) or [tag[0].lower() if tag else "*"]


def _variables(rules: Iterable[_Declared]) -> Variables:
    found: list[Definition] = []
    unsure: set[str] = set()
    for rule in rules:
        named = [name for name in rule.style if name.startswith("--")]
        if not named or rule.holds is None:
            continue
        for selector in rule.each():
            plain = _compound(selector) if rule.holds else None
            if plain:
                tag, names = plain if plain[0] != "body" or plain[1] else ("html", plain[1])
                found += (Definition(name, rule.style[name], tag, names) for name in named)
            elif not _BESIDE.search(selector):
                unsure.update(named)
    return Variables(found, unsure)


def _may_hide(style: Style, variables: Variables) -> bool:
    """Return whether a rule hides something with any of the values that its variables have on the page."""
    if PROPERTIES.isdisjoint(style):
        return False
    used = [name for key, value in style.items() if key in PROPERTIES and "var(" in value for name in used_in(value)]
    if not used:
        return is_hidden(style)
    values = {name: variables.possible(name) for name in used[:_USED]}
    if not all(values.values()):
        return True  # an element may define the variable inline
    return any(map(is_hidden, _readings(style, values, variables)))


def _readings(style: Style, values: Mapping[str, list[str]], variables: Variables) -> Iterator[Style]:
    """Yield the style for each value of each variable in turn; the other variables have their last value."""

    def last(name: str) -> str | None:
        known = variables.possible(name)
        return known[-1] if known else None

    for tried, possible in values.items():
        for value in possible:
            yield resolved(style, lambda name, tried=tried, value=value: value if name == tried else last(name))


def _faint(painting: Mapping[tuple[str, frozenset[str]], Style], variables: Variables) -> frozenset[str]:
    def colours(style: Style, *properties: str) -> set[str]:
        part = {name: style[name] for name in properties if name in style}
        used = [name for value in part.values() if "var(" in value for name in used_in(value)]
        values = {name: variables.possible(name) for name in used[:_USED]}
        read = _readings(part, values, variables) if used else (part,)
        return {colour for one in read for value in one.values() if (colour := colour_of(value))}

    grounds = {colour for style in painting.values() for colour in colours(style, "background", "background-color")}
    grounds.add(WHITE)
    near = {colour[:2] for colour in grounds}  # a cheap filter by red; `hides` compares whole colours
    found: set[str] = set()
    for (_, names), style in painting.items():
        if names and "color" in style and any(_is_any(colour[:2], near) for colour in colours(style, "color")):
            found |= names
    return frozenset(found)


def _is_any(red: str, reds: Collection[str]) -> bool:
    return any(f"{one:02x}" in reds for one in range(int(red, 16) - NEAR, int(red, 16) + NEAR + 1))


def _by_key(rules: Mapping[tuple[str, frozenset[str]], Style]) -> dict[str, list[Rule]]:
    """Index rules by the rarest name in their selector, which keeps the lists short, or else by tag."""
    count = Counter(name for _, names in rules for name in names)
    found: dict[str, list[Rule]] = {}
    for (tag, names), style in rules.items():
        key = min(names, key=lambda name: (count[name], name)) if names else tag or "*"
        found.setdefault(key, []).append(Rule(tag, names, style))
    return found


def _strength(rule: Rule) -> tuple[int, int, bool]:
    ids = sum(name[0] == "#" for name in rule.names)
    return ids, len(rule.names) - ids, bool(rule.tag)


def _declared_rules(css: str) -> Iterator[_Declared]:
    """Yield the selectors and declarations of each rule."""
    open_: list[str] = []
    text = ""
    # A regular expression for pairs of braces would take quadratic time on a hostile sheet.
    for part in _BRACE.split(css):
        if part == "{":
            open_.append(text.rpartition(";")[2].strip()[:_SELECTORS])
            text = ""
        elif part == "}":
            selectors = open_.pop() if open_ else "@"
            if not selectors.startswith("@"):
                around_it = open_[-_NESTED:]
                printed = any(_PRINTED.match(one) for one in around_it)
                style, hides = _known(text) if len(text) <= _KNOWN else _read(text)
                yield _Declared(selectors, style, hides, None if printed else all(map(_ALWAYS.fullmatch, around_it)))
            text = ""
        else:
            text = part


def _read(text: str) -> tuple[Style, bool | None]:
    """Return declarations, and whether they hide something; None if that depends on variables."""
    style = declared(text)
    return style, None if "var(" in text.lower() else is_hidden(style) if PROPERTIES & style.keys() else False


_known = lru_cache(maxsize=2_048)(_read)
"""Frameworks and systems put the same rules into many pages."""


def outside_of(text: str, opening: str, closing: str) -> Iterator[str]:
    """Yield the text outside pairs of marks, such as comments; an unclosed pair runs to the end."""
    at = 0
    while (start := text.find(opening, at)) >= 0:
        yield text[at:start]
        end = text.find(closing, start + len(opening))
        if end < 0:
            return
        at = end + len(closing)
    yield text[at:]


def declared(style: str) -> dict[str, str]:
    """Return the declarations of a style, names and values in lower case, without `!important`."""
    found: dict[str, str] = {}
    for part in style.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip().lower()] = " ".join(value.lower().replace("!important", "").split())
    return found

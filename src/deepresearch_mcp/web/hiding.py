"""Whether style or attribute hides an element: inline, or by a plain rule of the page's own style sheet."""

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from deepresearch_mcp.web.colours import colour_of, is_near
from deepresearch_mcp.web.tree import Node

MOST_CSS = 300_000
"""Characters of a page's style sheets that are looked through."""

Style = Mapping[str, str]

_COMPOUND = re.compile(r"([a-z][\w-]*)?((?:[.#][\w-]+)+)", re.IGNORECASE)
_TOKEN = re.compile(r"[.#][\w-]+")
_LENGTH = re.compile(r"(-?(?:\d++(?:\.\d++)?|\.\d++))(px|pt|em|rem|%|vw|vh|cm|mm|in|ch|ex)?")


_MAY_HIDE = re.compile(
    r"none|hidden|collapse|font-size|opacity|transparent|rgba|hsla|indent|-\d{3}|clip|scale|zoom|font\s*:|rotate|(?:width|height)",
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
    for selectors, style, always in _declared_rules("".join(around(css, "/*", "*/"))):
        if not is_hidden(style):
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


def hides(element: Node, rules: Mapping[str, list[Rule]]) -> bool:
    """Whether the element's own style or attributes, or a rule, hide it and all that is in it."""
    if element.get("hidden") is not None or element.get("popover") in _POPOVERS:
        return True
    inline = element.get("style") or ""
    if inline and _hides(inline):
        return True
    style = declared(inline) if "color" in inline or (rules and inline) else {}
    if style and _same_colour(style, element):
        return True
    if not rules:
        return False
    names = {f".{name}" for name in (element.get("class") or "").split()}
    names.add(f"#{element.get('id')}")
    for name in names & rules.keys():
        for rule in rules[name]:
            fits = rule.names <= names and rule.tag in {"", element.tag}
            if fits and is_hidden({**rule.style, **style}):
                return True
    return False


@lru_cache(maxsize=2_048)
def _hides(inline: str) -> bool:
    return is_hidden(declared(inline))


def is_hidden(style: Style) -> bool:
    """Whether these declarations leave nothing to see."""
    return (
        style.get("display") == "none"
        or (style.get("visibility") in {"hidden", "collapse"} and not _moves(style))
        or style.get("content-visibility") == "hidden"
        or _is_tiny(style)
        or _is_clear(style)
        or _is_off_screen(style)
        or _is_clipped(style)
    )


def _is_tiny(style: Style) -> bool:
    zoom = _length(style.get("zoom", ""))
    if zoom and 0 < zoom[0] <= (5 if zoom[1] == "%" else 0.05):  # none at all is as good as 1
        return True
    short = _FONT_SIZE.match(style.get("font", ""))
    size = _length(style.get("font-size", "") or (short[1] if short else ""))
    return size is not None and (
        size[0] <= 0 or size[0] <= {"px": 1, "pt": 1, "em": 0.1, "rem": 0.1, "%": 5}.get(size[1], 0)
    )


_FONT_SIZE = re.compile(r"(0|(?:\d++(?:\.\d++)?|\.\d++)(?:px|pt|em|rem|%))(?=[ /])")


def _is_clear(style: Style) -> bool:
    opacity = _length(style.get("opacity", ""))
    if opacity is not None and opacity[0] <= (5 if opacity[1] == "%" else 0.05) and not _moves(style):
        return True
    if _FADED.search(style.get("filter", "")) and not _moves(style):
        return True
    if any(_NO_MASK.fullmatch(style.get(name, "")) for name in _MASKS):
        return True
    if any("text" in style.get(name, "") for name in ("background-clip", "-webkit-background-clip", "background")):
        return False  # the ground is seen through the letters
    return any(_CLEAR.fullmatch(style.get(name, "")) for name in ("color", "-webkit-text-fill-color"))


def _moves(style: Style) -> bool:
    """Whether nothing is hidden for good: the page brings it in as the reader comes to it, or opens it."""
    return any(_MOVING.match(name) for name in style)


_MOVING = re.compile(r"(?:-(?:webkit|moz|o|ms)-)?(?:transition|transform|animation|will-change)")
_FADED = re.compile(r"opacity\( *(?:0++(?:\.0*+)?|\.0++)%? *\)")
_MASKS = ("mask", "mask-image", "-webkit-mask", "-webkit-mask-image")
_NO_MASK = re.compile(r"linear-gradient\((?:[ ,]*transparent)+ *\)")
_CLEAR = re.compile(r"transparent|(?:rgba|hsla)\([^)]*[,/] *0*(?:\.0+)?%?\)|#[0-9a-f]{6}00|#[0-9a-f]{3}0")


def _is_off_screen(style: Style) -> bool:
    indent = _length(style.get("text-indent", ""))
    if indent and indent[0] <= -_FAR:
        return True
    if _is_moved_off(style.get("translate", "")) or any(
        _is_moved_off(found[1]) for found in _TRANSLATED.finditer(style.get("transform", ""))
    ):
        return True
    placed = style.get("position") in {"absolute", "fixed"}
    for side in ("left", "top", "right", "bottom", "margin-left", "margin-top"):
        at = _length(style.get(side, ""))
        if at and at[0] <= -(_FARTHEST if not placed else 100 if at[1] in {"em", "rem", "vw", "vh"} else _FAR):
            return True
    return False


def _is_moved_off(value: str) -> bool:
    """Whether something is moved to the left or up farther than any menu that slides in is."""
    for part in value.replace(",", " ").split():
        by = _length(part)
        if by and by[0] <= (-150 if by[1] in {"vw", "vh"} else -_FARTHEST if by[1] == "px" else -math.inf):
            return True
    return False


_TRANSLATED = re.compile(r"translate(?:x|y|3d)?\(([^)]{0,200})\)")
_FAR = 900
"""Pixels to the left of or above the page; carousels move by less than a screen at a time."""
_FARTHEST = 5_000
"""By so much nothing is moved but to hide it, whether or not its position is given here."""


def _is_clipped(style: Style) -> bool:
    clip = style.get("clip", "").replace("px", "")
    if clip.startswith("rect(") and set(re.split(r"[(), ]", clip)[1:-1]) <= {"0", "1", ""}:
        return style.get("position") in {"absolute", "fixed"}
    if re.match(r"inset\((?:50|100)%|circle\(0", style.get("clip-path", "")):
        return True
    if "scale(0)" in style.get("transform", ""):
        return True
    if _EDGEWISE.fullmatch(style.get("rotate", "")) and not _moves(style):
        return True
    if not style.get("overflow", "").startswith(("hidden", "clip")) or _moves(style):
        return False
    for side in ("width", "height", "max-width", "max-height"):
        size = _length(style.get(side, ""))
        if size and size[0] <= 1 and size[1] in {"", "px"}:
            return True
    return False


_EDGEWISE = re.compile(r"[xy] -?90deg|-?90deg [xy]")


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


def _length(value: str) -> tuple[float, str] | None:
    found = _LENGTH.fullmatch(value)
    return (float(found[1]), found[2] or "") if found else None

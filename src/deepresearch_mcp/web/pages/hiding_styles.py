"""Decides whether a style's declarations hide an element completely."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Final

Style = Mapping[str, str]

PROPERTIES = frozenset(
    {
        "display", "visibility", "content-visibility", "zoom", "font", "font-size", "opacity", "filter", "color",
        "-webkit-text-fill-color", "background", "background-clip", "-webkit-background-clip", "mask", "mask-image",
        "-webkit-mask", "-webkit-mask-image", "text-indent", "translate", "transform", "position", "left", "top",
        "right", "bottom", "margin-left", "margin-top", "clip", "clip-path", "rotate", "overflow", "width", "height",
        "max-width", "max-height",
    }
)  # fmt: skip
"""Properties whose values decide below. Transitions and animations count by name alone and are not listed."""

_LENGTH = re.compile(r"(-?(?:\d++(?:\.\d++)?|\.\d++))(px|pt|em|rem|%|vw|vh|cm|mm|in|ch|ex)?")


def is_hidden(style: Style) -> bool:
    """Return whether these declarations hide the element completely."""
    return (
        style.get("display") == "none"
        or (style.get("visibility") in {"hidden", "collapse"} and not _moves(style))
        or style.get("content-visibility") == "hidden"
        or (
            not _HELPING.isdisjoint(style)
            and any(hides(style) for names, hides in _WAYS if not names.isdisjoint(style))
        )
    )


def _is_tiny(style: Style) -> bool:
    zoom = _length(style.get("zoom", ""))
    if zoom and 0 < zoom[0] <= (5 if zoom[1] == "%" else 0.05):  # browsers treat 0 as 1
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
    if "filter" in style and _FADED.search(style["filter"]) and not _moves(style):
        return True
    if any(_NO_MASK.fullmatch(style[name]) for name in _MASKS if name in style):
        return True
    if not any(_CLEAR.fullmatch(style[name]) for name in _FILLS if name in style):
        return False
    return not any("text" in style.get(name, "") for name in _BEHIND)  # else the background shows through the letters


def _moves(style: Style) -> bool:
    """Return whether the element is animated: it appears on scrolling or opens, so it does not stay hidden."""
    return any(_MOVING.match(name) for name in style)


_MOVING = re.compile(r"(?:-(?:webkit|moz|o|ms)-)?(?:transition|transform|animation|will-change)")
_FADED = re.compile(r"opacity\( *(?:0++(?:\.0*+)?|\.0++)%? *\)")
_FILLS = ("color", "-webkit-text-fill-color")
_BEHIND = ("background-clip", "-webkit-background-clip", "background")
_MASKS = ("mask", "mask-image", "-webkit-mask", "-webkit-mask-image")
_NO_MASK = re.compile(r"linear-gradient\((?:[ ,]*transparent)+ *\)")
_CLEAR = re.compile(r"transparent|(?:rgba|hsla)\([^)]*[,/] *(?:0+(?:\.0*)?|\.0+)%? *\)|#[0-9a-f]{6}00|#[0-9a-f]{3}0")


def _is_off_screen(style: Style) -> bool:
    indent = _length(style.get("text-indent", ""))
    if indent and indent[0] <= -_FAR:
        return True
    if "translate" in style and _is_moved_off(style["translate"]):
        return True
    if "transform" in style and any(_is_moved_off(found[1]) for found in _TRANSLATED.finditer(style["transform"])):
        return True
    sides = [side for side in _SIDES if side in style]
    placed = bool(sides) and style.get("position") in {"absolute", "fixed"}
    for side in sides:
        at = _length(style[side])
        if at and at[0] <= -(_FARTHEST if not placed else 100 if at[1] in {"em", "rem", "vw", "vh"} else _FAR):
            return True
    return False


def _is_moved_off(value: str) -> bool:
    """Return whether a translation moves the element farther left or up than any sliding menu starts."""
    for part in value.replace(",", " ").split():
        by = _length(part)
        if by and by[0] <= (-150 if by[1] in {"vw", "vh"} else -_FARTHEST if by[1] == "px" else -math.inf):
            return True
    return False


_TRANSLATED = re.compile(r"translate(?:x|y|3d)?\(([^)]{0,200})\)")
_SIDES = ("left", "top", "right", "bottom", "margin-left", "margin-top")
_FAR = 900
"""Pixels left of or above the page that hide an element; carousels move by less than a screen at a time."""
_FARTHEST = 5_000
"""Pixels. An element moved this far is hidden, whatever its `position`."""


def _is_clipped(style: Style) -> bool:
    clip = style.get("clip", "").replace("px", "")
    if clip.startswith("rect(") and set(re.split(r"[(), ]", clip)[1:-1]) <= {"0", "1", ""}:
        return style.get("position") in {"absolute", "fixed"}
    if "clip-path" in style and _CUT.match(style["clip-path"]):
        return True
    if "scale(0)" in style.get("transform", ""):
        return True
    if "rotate" in style and _EDGEWISE.fullmatch(style["rotate"]) and not _moves(style):
        return True
    if not style.get("overflow", "").startswith(("hidden", "clip")) or _moves(style):
        return False
    for side in ("width", "height", "max-width", "max-height"):
        size = _length(style.get(side, ""))
        if size and size[0] <= 1 and size[1] in {"", "px"}:
            return True
    return False


_CUT = re.compile(r"inset\((?:50|100)%|circle\(0")
_EDGEWISE = re.compile(r"[xy] -?90deg|-?90deg [xy]")


_WAYS: Final[tuple[tuple[frozenset[str], Callable[[Style], bool]], ...]] = (
    (frozenset({"zoom", "font", "font-size"}), _is_tiny),
    (frozenset({"opacity", "filter", *_MASKS, *_FILLS}), _is_clear),
    (frozenset({"text-indent", "translate", "transform", *_SIDES}), _is_off_screen),
    (frozenset({"clip", "clip-path", "transform", "rotate", "overflow"}), _is_clipped),
)
"""Ways to hide, each with the properties of which it needs one: most rules have none."""
_HELPING: Final = frozenset[str]().union(*(names for names, _ in _WAYS))


def _length(value: str) -> tuple[float, str] | None:
    found = _LENGTH.fullmatch(value) if value else None
    return (float(found[1]), found[2] or "") if found else None

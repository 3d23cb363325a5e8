"""Decides whether an element is hidden by an attribute, its inline style or a plain rule of the page's style sheet."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import cast

from deepresearch_mcp.web.pages.colours import WHITE, colour_of, is_clear, is_near
from deepresearch_mcp.web.pages.hiding_styles import Style, is_hidden
from deepresearch_mcp.web.pages.style_sheet import NO_SHEET, Sheet, declared
from deepresearch_mcp.web.pages.tree import Node
from deepresearch_mcp.web.pages.variables import StyledElement, resolved

_POPOVERS = frozenset({"", "auto", "manual", "hint"})
"""Values of HTML's own `popover` attribute; libraries have used the name with other values."""
_ABOVE = 60
"""Ancestors examined for variables and for the background of a text."""
_INSIDE = 200
"""Descendants examined for colours of their own. An element with more of them is left in the page."""
_NO_GROUND = frozenset({"", "none", "transparent", "inherit", "initial", "unset", "revert", "0", "0 0"})
_PLACED = frozenset({"absolute", "fixed", "sticky"})


def hides(element: Node, sheet: Sheet = NO_SHEET) -> bool:
    """Return whether an attribute, the inline style or a rule hides the element with all its content."""
    if element.get("hidden") is not None or element.get("popover") in _POPOVERS:
        return True
    inline = element.get("style") or ""
    if inline and _hides(inline):
        return True
    names = _names_of(element)
    by_rule = not (names.isdisjoint(sheet.hiding) and names.isdisjoint(sheet.faint))
    if not by_rule and "color" not in inline and "var(" not in inline:
        return False
    place = StyledElement(element.tag, names, _declared(inline))
    rules = [rule for name in place.names & sheet.hiding.keys() for rule in sheet.hiding[name] if rule.is_for(place)]
    for style in (*({**rule.style, **place.style} for rule in rules), *([place.style] if "var(" in inline else [])):
        if is_hidden(_plain(style, element, sheet)):
            return True
    return _is_unseen(element, place, sheet)


def _place(element: Node) -> StyledElement:
    return StyledElement(element.tag, _names_of(element), _declared(element.get("style") or ""))


def _names_of(element: Node) -> frozenset[str]:
    name = element.get("id")
    names = _names(element.get("class") or "")
    return names | {f"#{name}"} if name else names


def _line(element: Node) -> Iterator[StyledElement]:
    """Yield the element, then its ancestors from the inside out, `_ABOVE` at most."""
    above: Node | None = element
    for _ in range(_ABOVE):
        if above is None:
            return
        yield _place(above)
        above = above.getparent()


def _plain(style: Style, element: Node, sheet: Sheet) -> Style:
    """Return a style with the values that its variables have on an element."""
    if not any("var(" in value for value in style.values()):
        return style
    return resolved(style, sheet.variables.lookup(list(_line(element))))


@lru_cache(maxsize=2_048)
def _names(classes: str) -> frozenset[str]:
    return frozenset(f".{name}" for name in classes.split())


@lru_cache(maxsize=2_048)
def _declared(inline: str) -> Style:
    return declared(inline)


@lru_cache(maxsize=2_048)
def _hides(inline: str) -> bool:
    return is_hidden({name: value for name, value in _declared(inline).items() if "var(" not in value})


def _is_unseen(element: Node, place: StyledElement, sheet: Sheet) -> bool:
    """Return whether the element's text has the colour of its background.

    The colour may come from the inline style or from a rule. With a rule, every colour painted inside and behind the
    element must be known.
    """
    if "color" in place.style:
        colour = colour_of(_plain(place.style, element, sheet).get("color", ""))
        return bool(colour) and is_near(_ground(element, sheet, by_rule=False), colour)
    if place.names.isdisjoint(sheet.faint):
        return False
    paint = sheet.paint(place)
    if not paint or "color" not in paint or not paint.keys().isdisjoint(_OUTLINED):
        return False
    colour = colour_of(_plain(paint, element, sheet).get("color", ""))
    return (
        bool(colour) and is_near(_ground(element, sheet, by_rule=True), colour) and not _paints_inside(element, sheet)
    )


_OUTLINED = frozenset({"text-shadow", "-webkit-text-fill-color"})


def _ground(element: Node, sheet: Sheet, *, by_rule: bool) -> str:
    """Return the background colour of an element's text; "" if it is not known."""
    above: Node | None = element
    for _ in range(_ABOVE):
        if above is None:
            return WHITE if sheet.is_whole or not by_rule else ""
        place = _place(above)
        paint = sheet.paint(place)
        # An inline style overrides every rule.
        found = _painted(_plain(place.style if paint is None else paint, above, sheet), above.get("bgcolor") or "")
        if found is not None:
            return found
        if paint is None or (by_rule and paint.get("position") in _PLACED):
            return ""
        if place.names and not (sheet.is_whole or (by_rule and place.names <= sheet.painted)):
            # Another style sheet may put anything behind it.
            return ""
        above = above.getparent()
    return ""


def _painted(style: Style, attribute: str) -> str | None:
    """Return an element's own background colour; "" for a picture or a transparent colour, None if it has none."""
    if style.get("background-image", "") not in _NO_GROUND:
        return ""
    for value in (style.get("background-color", ""), style.get("background", ""), attribute.lower()):
        if value not in _NO_GROUND:
            return "" if is_clear(value) else colour_of(value)
    return None


def _paints_inside(element: Node, sheet: Sheet) -> bool:
    """Return whether any descendant may have a colour of its own."""
    inside = list(islice(element.iter(), _INSIDE + 1))
    if len(inside) > _INSIDE:
        return True
    for one in inside[1:]:
        if not isinstance(cast(object, one.tag), str):
            continue
        place = _place(one)
        keys = {one.tag, "*", *place.names}
        known = sheet.is_whole or place.names <= sheet.painted
        if not known or not keys.isdisjoint(sheet.painting) or not keys.isdisjoint(sheet.unsure):
            return True
        if not place.style.keys().isdisjoint({"color", "background", "background-color"}):
            return True
    return False

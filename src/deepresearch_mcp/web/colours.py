"""Colours of a style sheet, and whether a reader could tell two of them apart."""

import re

NEAR = 6
"""Of 255, in each of red, green and blue."""
WHITE = "ffffff"
_NAMED = {"white": "ffffff", "black": "000000", "snow": "fffafa", "ivory": "fffff0", "whitesmoke": "f5f5f5"}
_RGB = re.compile(r"rgba?\( *(\d{1,3})[ ,]+(\d{1,3})[ ,]+(\d{1,3}) *(?:[,/] *[\d.]+%? *)?\)")

_ALPHA = re.compile(r"(?:,[^,]*,[^,]*,|/) *+(?!1(?:\.0*)? *\)|100% *\))[^,/]*\)")


def colour_of(value: str) -> str:
    """Six hexadecimal digits; "" for none, or one that is given in another way."""
    value = value.strip()
    if value in _NAMED:
        return _NAMED[value]
    if re.fullmatch(r"#[0-9a-f]{3}", value):
        return "".join(digit * 2 for digit in value[1:])
    if re.fullmatch(r"#[0-9a-f]{6}", value):
        return value[1:]
    parts = _RGB.fullmatch(value)
    return "".join(f"{min(255, int(part)):02x}" for part in parts.groups()) if parts else ""


def is_clear(value: str) -> bool:
    """Whether a colour is, or may be, transparent in part."""
    value = value.strip()
    if value.startswith(("rgb", "hsl")):
        return bool(_ALPHA.search(value))
    return bool(re.fullmatch(r"#(?:[0-9a-f]{4}|[0-9a-f]{8})", value))


def is_near(one: str, other: str) -> bool:
    """Whether two colours differ by less than a reader can see."""
    return bool(one and other) and all(
        abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) <= NEAR for at in (0, 2, 4)
    )

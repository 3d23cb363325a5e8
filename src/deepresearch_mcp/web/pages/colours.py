"""Parses CSS colours and compares two of them as a reader would."""

import re

NEAR = 6
"""Largest difference in red, green and blue (0 to 255) at which two colours look the same."""
WHITE = "ffffff"
_NAMED = {"white": "ffffff", "black": "000000", "snow": "fffafa", "ivory": "fffff0", "whitesmoke": "f5f5f5"}
_RGB = re.compile(r"rgba?\( *(\d{1,3})[ ,]+(\d{1,3})[ ,]+(\d{1,3}) *(?:[,/] *[\d.]+%? *)?\)")

_ALPHA = re.compile(r"(?:,[^,]*,[^,]*,|/) *+(?!1(?:\.0*)? *\)|100% *\))[^,/]*\)")
"""An alpha value, after the third comma or a slash, that is not 1 or 100 %."""


def colour_of(value: str) -> str:
    """Return six hexadecimal digits; "" if there is no colour or its notation is not supported."""
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
    """Return whether a colour is, or may be, partly transparent."""
    value = value.strip()
    if value.startswith(("rgb", "hsl")):
        return bool(_ALPHA.search(value))
    return bool(re.fullmatch(r"#(?:[0-9a-f]{4}|[0-9a-f]{8})", value))


def is_near(one: str, other: str) -> bool:
    """Return whether a reader cannot tell two colours apart; False if either is unknown."""
    return bool(one and other) and all(
        abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) <= NEAR for at in (0, 2, 4)
    )

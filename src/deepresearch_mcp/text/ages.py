"""How long ago something was, in words."""

_UNITS = (("day", 86_400.0), ("hour", 3_600.0), ("minute", 60.0))


def age(seconds: float) -> str:
    """`3 hours`, in the largest unit of which there is a whole one; `a moment` below a minute."""
    for unit, size in _UNITS:
        if number := int(seconds / size):
            return f"{number} {unit}{'' if number == 1 else 's'}"
    return "a moment"

"""Words for how long ago something was."""

_UNITS = (("day", 86_400.0), ("hour", 3_600.0), ("minute", 60.0))


def age(seconds: float) -> str:
    """Return an age such as `3 hours`, rounded down to the largest whole unit; `a moment` below a minute."""
    for unit, size in _UNITS:
        if number := int(seconds / size):
            return f"{number} {unit}{'' if number == 1 else 's'}"
    return "a moment"

"""Measures and cuts text in UTF-8 bytes, the unit of many clients' limits; a cut never splits a character."""

_ELLIPSIS = "…"


def size(text: str) -> int:
    """Return the number of UTF-8 bytes."""
    return len(text.encode("utf-8", "surrogatepass"))


def fitting(text: str, most: int, offset: int = 0) -> int:
    """Return how many characters from `offset` on fit into `most` bytes."""
    count, left = 0, most
    for char in text[offset : offset + max(0, most)]:
        left -= 1 if char < "\x80" else 2 if char < "\u0800" else 3 if char < "\U00010000" else 4
        if left < 0:
            break
        count += 1
    return count


def shortened_to_bytes(text: str, most: int) -> str:
    """Cut a text to at most `most` bytes, with an ellipsis at the cut if it fits."""
    if size(text) <= most:
        return text
    room = most - size(_ELLIPSIS)
    return f"{text[: fitting(text, room)]}{_ELLIPSIS}" if room >= 0 else text[: fitting(text, most)]

"""Text in bytes of UTF-8, by which clients limit what their models see; no cut is made inside a character."""

_ELLIPSIS = "…"


def size(text: str) -> int:
    """Bytes of a text."""
    return len(text.encode("utf-8", "surrogatepass"))


def fitting(text: str, most: int, offset: int = 0) -> int:
    """How many characters from `offset` have at most so many bytes together."""
    count, left = 0, most
    for char in text[offset : offset + max(0, most)]:
        left -= 1 if char < "\x80" else 2 if char < "\u0800" else 3 if char < "\U00010000" else 4
        if left < 0:
            break
        count += 1
    return count


def shortened_to_bytes(text: str, most: int) -> str:
    """A text of at most so many bytes, with an ellipsis where it was cut, if there is room for one."""
    if size(text) <= most:
        return text
    room = most - size(_ELLIPSIS)
    return f"{text[: fitting(text, room)]}{_ELLIPSIS}" if room >= 0 else text[: fitting(text, most)]

"""A reader of reStructuredText: it runs in a process that is killed if it takes too long."""

LEVELS = "=-~^"


def read(body: bytes) -> str:
    """Turn underlined lines into headings; the rest stays as it is."""
    found: list[str] = []
    for line in body.decode("utf-8", "replace").splitlines():
        mark = line.strip()[:1]
        if found and found[-1].strip() and mark and mark in LEVELS and not line.strip(mark):
            found[-1] = f"{'#' * (LEVELS.index(mark) + 1)} {found[-1].strip()}"
        else:
            found.append(line)
    return "\n".join(found)

"""Reads scanned pages with tesseract, where it is installed; runs in a parser process."""

import shutil
import subprocess
from contextlib import closing
from typing import Any

DOTS = 200
"""Dots an inch at which a page is drawn: enough for print of eight points."""
MOST_PAGES = 3
SECONDS = 5
"""For one page. All pages together take less than a parser process may, which is killed after `web.parse_timeout`."""
_LARGEST = 40_000_000
"""Dots of one page; a poster is drawn smaller."""
_PAGE_POINTS = 72


def tesseract() -> str:
    """Return the path of the program; empty if it is not installed."""
    return shutil.which("tesseract") or ""


def recognised(document: Any, program: str, most: int = MOST_PAGES) -> list[str]:  # noqa: ANN401 - pypdfium2 is imported late
    """Return the text of the first pages of a PDF, opened with pypdfium2; empty for a page that takes too long."""
    return [_page_text(document, number, program) for number in range(min(len(document), most))]


def _page_text(document: Any, number: int, program: str) -> str:  # noqa: ANN401 - as above
    with closing(document[number]) as page:
        width, height = page.get_size()
        scale = min(DOTS / _PAGE_POINTS, (_LARGEST / max(width * height, 1.0)) ** 0.5)
        with closing(page.render(scale=scale, grayscale=True)) as drawn:
            picture = portable(bytes(drawn.buffer), drawn.width, drawn.height, drawn.stride)
    try:
        # The program reads a picture from its input: nothing of the page becomes an argument.
        done = subprocess.run(  # noqa: S603 - a fixed program without a shell
            [program, "stdin", "stdout", "--psm", "3"], input=picture, capture_output=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").replace("\x0c", "") if done.returncode == 0 else ""


def portable(grey: bytes, width: int, height: int, stride: int) -> bytes:
    """Return a picture of grey dots in the portable format that every program reads; `stride` is bytes a line."""
    lines = (grey[line * stride : line * stride + width] for line in range(height))
    return b"P5 %d %d 255\n" % (width, height) + b"".join(lines)

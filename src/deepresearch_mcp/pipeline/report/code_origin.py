"""Whether an example is a page's own code: every line of it stands on one page as a line."""

import re
from collections.abc import Mapping

_PROMPT = re.compile(r"^(?:[$%>]|>>>|\.\.\.|\w*[=#]?>|sqlite>)\s+")
_COMMENT = re.compile(r"(?:^|\s+)(?:#|--|//)\s.*$")


def origin_of(code: str, pages: Mapping[str, str]) -> str:
    """The page, by its id, on which each line of the code stands; "" where it is not from one page."""
    wanted = set(_lines(code))
    return next((page for page, text in pages.items() if wanted and wanted <= set(_lines(text))), "")


def _lines(text: str) -> list[str]:
    """The lines without prompts, comments and the room between words."""
    shown = (" ".join(_COMMENT.sub("", _PROMPT.sub("", line.strip().strip("`"))).split()) for line in text.split("\n"))
    return [line for line in shown if line]

"""The quotes that stand below the entry of a source in the references of our own reports."""

import re
from collections.abc import Sequence

from deepresearch_mcp.text.addresses import first_address

_QUOTE = re.compile(r"[ \t]+[-*+][ \t]+([a-z]{1,2})[ \t]+[“\"]")


def is_own_quote(line: str) -> bool:
    """Whether a line is such a quote: a letter, the words, and where they stand."""
    return bool(_QUOTE.match(line))


def own_quotes(key: str, below: Sequence[str]) -> list[tuple[str, str]]:
    """The letters and addresses of the quotes below an entry; empty where anything else stands there too."""
    found = [(match[1], first_address(line)) for line in below if (match := _QUOTE.match(line))]
    return found if key.isdigit() and len(found) == len(below) and all(url for _, url in found) else []

"""Finds the names of software packages in a query: registers of packages are asked by name."""

import re
from typing import Final

from deepresearch_mcp.text.stopwords import STOPWORDS, word_set

MOST: Final = 4
"""Most names of one query: each costs a request."""

_NAME = r"@?[A-Za-z0-9][A-Za-z0-9._/-]{0,80}"
_INSTALLED = re.compile(
    rf"\b(?:pip3? install|uv add|uv pip install|poetry add|npm (?:install|i)|yarn add|pnpm add|import)\s+({_NAME})",
    re.IGNORECASE,
)
_QUOTED = re.compile(rf"[`\"'“]({_NAME})[`\"'”]")
_CALLED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:package|library|module|framework|pypi|npm)\s+(?:called\s+|named\s+)?({_NAME})",
        rf"({_NAME})(?:'s)?\s+(?:(?:python|javascript|js|node)\s+)?(?:package|library|module|framework|on\s+pypi|on\s+npm)\b",
        rf"\b(?:version|release)s?\s+of\s+(?:the\s+)?({_NAME})",
        rf"({_NAME})\s+(?:vs\.?|versus)\s+({_NAME})",
    )
)
"""One by one: in `the package anyio` the second would take the word `package` from the first."""
_MADE_UP = re.compile(r"@[a-z0-9-]+/[a-z0-9._-]+|\b[a-z]+(?:[-_][a-z0-9]+)+\b|\b[a-z]{2,}[0-9]+\b|\b[a-z]+\.js\b")
_ORDINARY = STOPWORDS["en"] | word_set(
    "best latest python javascript node nodejs js typescript open source popular new release version package library "
    "module framework client server pypi npm using use install called named"
)


def package_names(query: str) -> list[str]:
    """Return at most `MOST` names that the query may mean, the surest first.

    A query of one or two words may be all name. Otherwise only what is installed, quoted, called a package, compared
    with `vs`, or written as no ordinary word is (`scikit-learn`, `boto3`, `@types/node`) counts.
    """
    text = query[:1_000]
    found = [*_INSTALLED.findall(text), *_QUOTED.findall(text)]
    for called in _CALLED:
        found.extend(name for match in called.finditer(text) for name in match.groups())
    found.extend(_MADE_UP.findall(text))
    if len(words := text.split()) <= 2:
        found.extend(words)
    names = (name.strip("./-_'?!,;:").removesuffix("'s") for name in found)
    fitting = (
        name
        for name in names
        if len(name) > 1 and ".." not in name and re.fullmatch(_NAME, name) and name.casefold() not in _ORDINARY
    )
    return list({name.casefold(): name for name in fitting}.values())[:MOST]

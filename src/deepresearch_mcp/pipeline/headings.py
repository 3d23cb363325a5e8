"""The headings that the program itself gives to parts of a report, in the report's language."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FOLDER = files("deepresearch_mcp.pipeline") / "headings_in"
_BOOKS = {"nb": "no", "nn": "no"}
"""Languages that share the file of another one."""


@dataclass(frozen=True, slots=True)
class Headings:
    """What each part is called; `records.report.Part` names the parts whatever their headings say."""

    short: str
    differences: str
    missing: str
    """The section of gaps."""
    tried: str
    references: str
    without_model: str
    sources: str
    """Heads the last column of a table."""
    pages: str
    """Of a digest: the only section."""
    whole: str
    """Of a digest: what answers the question as a whole."""
    nearest: str
    """Of a digest where nothing answers: what comes nearest."""
    read_on: str
    """Above the references, without its full stop; `{days}` stands for when the pages were read."""
    digest: str
    """Opens the first closing line of a digest, as the next three open the others."""
    read: str
    cost: str
    note: str
    stop: str = "."
    """Ends a heading that stands in front of its text."""


@cache
def headings_in(language: str) -> Headings:
    """The headings in a language, by its code; the English ones where there is no file for it."""
    code = language.partition("-")[0].lower()
    code = _BOOKS.get(code, code)
    known = code if code in languages() else "en"
    return Headings(**tomllib.loads((_FOLDER / f"{known}.toml").read_text(encoding="utf-8")))


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that have headings, sorted."""
    return tuple(sorted(one.name.removesuffix(".toml") for one in _FOLDER.iterdir() if one.name.endswith(".toml")))


@cache
def all_headings() -> frozenset[str]:
    """The headings of parts in every language, in small letters: no section of a writer's own may be called so."""
    found = (headings_in(code) for code in languages())
    return frozenset(
        heading.casefold()
        for own in found
        for heading in (own.short, own.differences, own.missing, own.tried, own.references)
    )

"""Grades a source by its author."""

import re

from deepresearch_mcp.quality.scale import Scale
from deepresearch_mcp.records.sources import Document

_LINES = 1_500
"""The first characters, in which a line may name the author."""
_BYLINE = re.compile(
    r"(?m)^[ \t*_]*(?:By|Von|Par|Por|Di|Door|Av|Af)[ \t*_]+((?:[^\W\d_][\w.'’-]*[ \t]+){1,4}[^\W\d_][\w.'’-]+)"
)
_NAME = re.compile(r"[^\W\d_][\w.'’-]*")
_NEAR = 200
"""Characters after the name that may hold titles and employers."""


def author_grade(document: Document, scale: Scale, *, answers: bool) -> float:
    """Grade the author line: a person with credentials, a person, an organisation, or no author.

    `answers`: the publisher is responsible for unsigned texts and counts as an organisation.
    """
    grades = scale.author
    top = document.text[:_LINES]
    name = document.author.strip()
    if not name and (byline := _BYLINE.search(top)):
        name = byline[1]
    if is_person(name, scale):
        at = top.find(name)
        beside = f"{name} {top[at : at + len(name) + _NEAR]}" if at >= 0 else name
        beside = f" {beside.casefold()} "
        known = any(sign in beside for sign in scale.signs.credentials)
        return max(grades.credentials, grades.person) if known else grades.person
    return grades.organisation if name or answers else grades.unnamed


def is_person(name: str, scale: Scale) -> bool:
    """Return whether this looks like a person's name: at least two words, and none that names an office."""
    first = re.split(r"[,;&|]| and | und | et | y ", name)[0]
    found = _NAME.findall(first)
    nobody = {word.strip(". ").casefold() for word in found} & set(scale.signs.nobody)
    wide = any(char > "\u2e7f" for char in name)
    return not nobody and ((2 <= len(found) <= 6 and found[0][:1].isupper() and found[-1][:1].isupper()) or wide)

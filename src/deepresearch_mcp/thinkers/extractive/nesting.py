"""Questions inside questions: what must be known before the rest can be asked."""

import re

from deepresearch_mcp.thinkers.extractive.patterns import AUX, WH
from deepresearch_mcp.thinkers.extractive.terms import names

_PERSONS_SPELT = (
    "person man woman author director producer founder creator writer composer singer performer inventor "
    "developer owner spouse wife husband father mother son daughter brother sister actor actress winner leader "
    "architect designer king queen emperor poet artist player coach scientist physicist politician screenwriter "
    "songwriter novelist manager president minister mayor governor ruler discoverer"
)
_PERSONS = frozenset(_PERSONS_SPELT.split())
_OTHERS_SPELT = (
    "country city state county town village river birthplace hometown university college school company club team "
    "band label network league association organization organisation publisher manufacturer film movie book novel "
    "album song series capital region district province island ship aircraft airport stadium arena venue language "
    "religion party newspaper magazine agency continent"
)
_OTHERS = frozenset(_OTHERS_SPELT.split())
_RELATION = rf"(?:[a-z-]+\s+){{0,2}}?(?P<noun>{'|'.join(sorted(_PERSONS | _OTHERS))})"
_SMALL = r"(?:the|an?|of|in|by|for|to|at|on|from|with|and|or)"
_RELATIVE = re.compile(
    r"(?:\b(?:of|in|by|for|to|from|at|with|on|than|as|about|near)\s+|['’]s\s+)"
    rf"(?P<inner>the\s+(?P<noun>(?:(?!{_SMALL}\s)[\w’'-]+\s+){{1,4}}?)"
    r"(?:(?:in|on|for) which|that|which|who|where|whose|whom)\s+[^,]+)",
    re.IGNORECASE,
)
_OF_NAME = re.compile(rf"\b(?P<inner>the\s+{_RELATION}\s+of\s+(?P<name>.+))", re.IGNORECASE)
_POSSESSED = re.compile(rf"(?P<inner>(?P<name>[A-Z].{{0,200}}?)['’]s?\s+{_RELATION}\b(?: of (?:birth|death|origin))?)")
_NOTHING_LEFT = re.compile(rf"\b(?:{WH}|{AUX}|the|of|in|by|an?|be|name|known|called)\b|\W", re.IGNORECASE)


def nested(bare: str) -> str:
    """Return the question for what must be known first; "" where there is none.

    `Where was the author of Halmar born?` depends on `Who is the author of Halmar?`
    """
    if match := _RELATIVE.search(bare):
        inner = match["inner"]
    elif (match := _POSSESSED.search(bare)) and (found := names(match["name"])):
        inner = match["inner"][match["inner"].rfind(found[-1]) :]
    elif (match := _OF_NAME.search(bare)) and (name := _first_name(match["name"], bare)):
        inner = match["inner"]
        inner = inner[: inner.find(name, match.start("name") - match.start("inner")) + len(name)]
    else:
        return ""
    inner = inner.strip()
    if not _NOTHING_LEFT.sub(" ", bare.replace(inner, " ", 1)).split():
        return ""
    ask = "Who" if match["noun"].split()[-1].casefold() in _PERSONS else "What"
    return f"{ask} is {inner}?"


def _first_name(text: str, question: str) -> str:
    """Return the name of the question that the text begins with; "" when none does."""
    return next((name for name in names(question) if text.startswith((name, f"the {name}", f"The {name}"))), "")

"""What the form of an English question says about its parts."""

import re
from collections.abc import Iterator

from deepresearch_mcp.text.stopwords import STOPWORDS
from deepresearch_mcp.thinkers.extractive.comparisons import alternatives, by_aspect, compared, comparison
from deepresearch_mcp.thinkers.extractive.nesting import nested
from deepresearch_mcp.thinkers.extractive.parts import Piece, aspect, sentence_case
from deepresearch_mcp.thinkers.extractive.patterns import ADVISE, AUX, THING, WH

_LONGEST = 400
"""Characters. A longer clause has no readable form, and matching it could take long."""
_DIRECT = re.compile(
    rf"^(?:how|why|when|where|who|whom) {AUX}\b|^how (?:many|much|old|long|far|often)(?: \w+){{0,2}}? {AUX}\b|"
    rf"^(?:what|which|whose)(?: \w+){{0,2}}? {AUX}\b|^{AUX} ",
    re.IGNORECASE,
)


def parts_of(clause: str) -> list[Piece]:
    """Return the parts that the form of one clause names; the clause itself where it names none."""
    bare = sentence_case(clause).rstrip("?.! ") or clause
    text = f"{bare}?" if clause.rstrip().endswith("?") or _DIRECT.match(bare) else bare
    if len(bare) > _LONGEST:
        return [Piece(text)]
    for form in (_things_before, comparison, alternatives, _each_noun, _each_thing, _span):
        if pieces := list(form(bare)):
            return pieces
    if inner := nested(bare):
        return [Piece(inner, aspect=aspect(inner)), Piece(text, aspect=aspect(text), rests_on=(inner,))]
    return [Piece(text, aspect=aspect(text))]


_NOUN = r"(?:[a-z][\w-]*(?: [a-z][\w-]*){0,2})"
_FIRST_NOUN = r"(?:[A-Za-z][a-z-]*(?: [a-z][\w-]*){0,2})"
_NOUNS = re.compile(
    rf"^(?i:what|which)\s+(?P<be>is|are|was|were)\s+(?:the\s+)?(?P<nouns>{_NOUN}(?:,\s+{_NOUN})*,?\s+and\s+{_NOUN})"
    r"\s+(?P<rest>(?:of|for|behind|in|to)\s+.+)$"
)
_NOUN_TASK = re.compile(
    rf"^(?:[Tt]he\s+)?(?P<nouns>{_FIRST_NOUN}(?:,\s+{_NOUN})*,?\s+and\s+{_NOUN})\s+(?P<rest>of\s+.+)$"
)
_ADJECTIVE = re.compile(r"^(?:main|key|major|most \w+|biggest|current|primary|principal|chief|top)\s+", re.IGNORECASE)
_LIST = re.compile(r",\s+and\s+|,\s+|\s+and\s+")


def _each_noun(bare: str) -> Iterator[Piece]:
    """`What are the causes and effects of X?` asks for the causes, and for the effects."""
    match = _NOUNS.match(bare) or _NOUN_TASK.match(bare)
    if not match:
        return
    past = match.groupdict().get("be") in {"was", "were"}
    nouns = _LIST.split(match["nouns"])
    if any(re.search(r"\b(?:of|in|to|for)\b", noun) for noun in nouns):
        return
    for noun in nouns:
        plural = _is_plural(_ADJECTIVE.sub("", noun))
        be = {(True, True): "were", (True, False): "was", (False, True): "are", (False, False): "is"}[past, plural]
        small = noun[:1].lower() + noun[1:]
        yield Piece(f"What {be} the {small} {match['rest']}?", aspect="list" if plural else "overview")


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


_SEVERAL = rf"(?P<things>{THING}(?:,\s+{THING})*,?\s+and\s+{THING})"
_SHARED = (
    re.compile(
        rf"^(?P<lead>(?i:{WH})(?: [a-z]+)?) "
        r"(?P<aux>do|does|did|are|is|was|were|has|have|had|can|could|should|will|would)"
        rf"\s+{_SEVERAL}\s+(?P<rest>[a-z].*)$"
    ),
    re.compile(
        r"^(?P<lead>(?i:how|why|what|when|where)) (?P<aux>do|did)\s+(?P<things>[a-z]\w+ and [a-z]\w+)"
        r"\s+(?P<rest>[a-z].*)$"
    ),
    re.compile(rf"^(?P<lead>(?i:what|who)) (?P<aux>are|were|is|was)\s+{_SEVERAL}(?P<rest>)$"),
)
_ONE = {"do": "does", "are": "is", "were": "was", "have": "has"}
_TOGETHER = re.compile(
    r"\b(?:each other|one another|together|relate[ds]?|related|interact|between|both|same|meet|merged?|differ|"
    r"compare)\b"
)


def _each_thing(bare: str) -> Iterator[Piece]:
    """`How do A and B handle X?` asks it of A, and of B."""
    topic, colon, asks = bare.rpartition(": ")
    match = next((found for pattern in _SHARED if (found := pattern.match(asks))), None)
    if match is None or _TOGETHER.search(match["rest"]):
        return
    lead, aux, rest = match["lead"], match["aux"], re.sub(r"^(?:each|both|all)\s+", "", match["rest"])
    things = _LIST.split(match["things"])
    if any(thing in STOPWORDS["en"] for thing in things):
        # `else` alone finds nothing.
        return
    for thing in things:
        agreeing = aux if thing.islower() and _is_plural(thing) else _ONE.get(aux, aux)
        text = " ".join(f"{lead} {agreeing} {thing} {rest}".split()) + "?"
        yield Piece(f"{topic}{colon}{text}", aspect=aspect(text), topic=rest, subjects=(thing,))


_THINGS_BEFORE = re.compile(rf"^(?P<things>{THING}(?:,\s+{THING})*,?\s+and\s+{THING}):\s+(?P<rest>\S.*)$")


def _things_before(bare: str) -> Iterator[Piece]:
    """`A, B and C: default settings` asks it of each, unless it asks how they differ or which of them is better."""
    match = _THINGS_BEFORE.match(bare)
    if match and not _TOGETHER.search(match["rest"]) and not _CHOICE.match(match["rest"]):
        yield from by_aspect(_LIST.split(match["things"]), [match["rest"]])


_CHOICE = re.compile(rf"^(?:which|who|{ADVISE})\b", re.IGNORECASE)


def things_in(clause: str) -> list[str]:
    """Return the things that a clause compares, or asks the same of; none where it names one or no thing."""
    bare = clause.rstrip("?. ")
    if found := compared(bare):
        return found
    asks = bare.rpartition(": ")[2]
    match = next((found for pattern in _SHARED if (found := pattern.match(asks))), None)
    return [thing for thing in _LIST.split(match["things"]) if thing] if match else []


_YEAR = r"(?:the )?(?:(?:early|mid|late)[ -])?(?:1\d|20)\d\ds?"
_CHANGE = (
    "changed? evolved? developed? grown? grew shifted risen? fallen fall rise progress(?:ed)? declined? increased? "
    "decreased? improved?"
).replace(" ", "|")
_SPAN = re.compile(
    rf"^(?:how|in what ways?|to what extent)\s+(?:has|have|did|do|does)\s+(?P<what>.+?)\s+(?:{_CHANGE})\b.*?\s+"
    rf"(?:between\s+(?P<a>{_YEAR})\s+and\s+(?P<b>{_YEAR})|since\s+(?P<a3>{_YEAR})|"
    rf"from\s+(?P<a2>{_YEAR})\s+(?:to|until|till)\s+(?P<b2>{_YEAR}|now|today|the present))$",
    re.IGNORECASE,
)
_NOW = frozenset({"now", "today", "the present"})


def _span(bare: str) -> Iterator[Piece]:
    """`How has X changed since 2017?` asks for the change, for X then, and for X now."""
    match = _SPAN.match(bare)
    if not match:
        return
    start = match["a"] or match["a2"] or match["a3"]
    end = match["b"] or match["b2"] or "today"
    what = match["what"] if match["what"].casefold().startswith("the ") else f"{match['what']} like"
    yield Piece(f"{bare}?", aspect="history")
    yield Piece(f"What was {what} in {start}?", priority="medium")
    then = f"What is {what} today?" if end.casefold() in _NOW else f"What was {what} in {end}?"
    yield Piece(then, priority="medium")

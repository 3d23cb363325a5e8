"""Questions that compare several things: each thing is looked up for each aspect."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.stopwords import STOPWORDS
from deepresearch_mcp.thinkers.extractive.aspects import aspects_in
from deepresearch_mcp.thinkers.extractive.parts import Piece, listed, sentence_case
from deepresearch_mcp.thinkers.extractive.patterns import THING, WH

_ABOUT = (
    r"(?:,?\s+(?:in terms of|with (?:respect|regard) to|as regards|regarding|concerning|when it comes to|"
    r"on|for|in|by|at)"
    r"\s+(?P<about>.+))?$"
)
_BESIDE = r"(?:and|with|to|against|vs\.?|versus)"
_MORE = r"(?:\w+er|more \w+|less \w+)"
_COMPARED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^compar(?:e|ing|ison of)\s+(?P<things>.+?\s{_BESIDE}\s.+?){_ABOUT}",
        rf"^how\s+(?:do|does|did|are)\s+(?P<things>.+?\s(?:and|from)\s.+?)\s+(?:differ|compare|different)"
        rf"(?:\s+from (?:each other|one another))?{_ABOUT}",
        rf"^how\s+(?:does|do|did)\s+"
        rf"(?P<things>.+?\s(?:compare|differ|stack up)\s+(?:to|with|from|against)\s.+?){_ABOUT}",
        r"^(?:what(?:['’]s| is| are| were) )?(?:the )?(?:\w+ ){0,2}"
        r"(?:differences?|similarities|trade-?offs?) between\s+"
        rf"(?P<things>.+?\sand\s.+?){_ABOUT}",
        r"^(?:what(?:['’]s| is| are| were) )?(?:the )?(?:\w+ ){0,2}differences? in (?P<about>[\w -]+?) between\s+"
        r"(?P<things>.+\sand\s.+)$",
        r"^(?P<things>[^,:]+?\s(?:vs\.?|versus)\s[^:]+?):\s+(?P<about>.+)$",
        rf"^(?P<things>[^,]+?\s(?:vs\.?|versus)\s.+?){_ABOUT}",
        rf"^(?:is|are)\s+(?P<things>.+?\s{_MORE}\s+than\s.+?){_ABOUT}",
    )
)
_WHICH = re.compile(
    r"^which (?:one )?(?:is|are)\s+(?:the )?(?P<quality>[\w-]+(?: [\w-]+)?)(?:\s+(?:for|in|at)\s+(?P<about>.+?))?"
    r"\s*[,:]\s*(?P<things>.+\sor\s.+)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r",\s*(?:and|or|with|to|vs\.?|versus)\s+|\s*,\s*|\s+(?:compare|differ|stack up)\s+(?:to|with|from|against)\s+|"
    rf"\s+{_MORE}\s+than\s+|\s+(?:and|or|with|against|vs\.?|versus|from|to)\s+",
    re.IGNORECASE,
)
_AS = re.compile(r"\s+as (?:an?|the)\s.*$", re.IGNORECASE)
_LONGEST_THING = 8
"""Words. A longer phrase names no thing, so the form was misread."""
_MOST_THINGS = 5
_QUESTION = re.compile(rf"{WH}\s", re.IGNORECASE)
_STRAY = re.compile(r"\b(?:in terms of|with (?:respect|regard)|based (?:up)?on|such as)\b", re.IGNORECASE)


def comparison(bare: str) -> Iterator[Piece]:
    """`Compare A and B on X and Y` asks for X of A and of B, then for Y of each."""
    match = _WHICH.match(bare) or next((m for pattern in _COMPARED if (m := pattern.match(bare))), None)
    if match is None:
        return
    found = match.groupdict()
    about = found["about"] or ""
    if _QUESTION.match(about):
        # `Rebase versus merge: when should each be used?` asks something else than how they differ.
        return
    things = _things(found["things"])
    if not 2 <= len(things) <= _MOST_THINGS:
        return
    context = _kind_of(found["things"])
    yield from (replace(piece, context=context) for piece in by_aspect(things, aspects_in(about) or [""]))
    if quality := found.get("quality"):
        yield Piece(f"Which is {quality}{f' for {about}' if about else ''}: {listed(things, 'or')}?", "comparison")


def by_aspect(things: Sequence[str], aspects: Sequence[str]) -> Iterator[Piece]:
    """Each thing for each aspect, titled as a reader would: `SQLite: locks`. No aspect: the thing itself."""
    for about in aspects:
        for thing in things:
            title = f"{thing}: {about}" if about else thing
            yield Piece(sentence_case(title), topic=about, subjects=(thing,))


def compared(bare: str) -> list[str]:
    """Return the things that a comparison is between; none where the clause is no comparison."""
    match = _WHICH.match(bare) or next((m for pattern in _COMPARED if (m := pattern.match(bare))), None)
    if match is None or _QUESTION.match(match.groupdict()["about"] or ""):
        return []
    things = _things(match["things"])
    return things if 2 <= len(things) <= _MOST_THINGS else []


def compared_by(bare: str) -> list[str]:
    """Return the aspects that a comparison names; none where it names none or the clause is no comparison."""
    match = next((m for pattern in _COMPARED if (m := pattern.match(bare))), None) if compared(bare) else None
    return aspects_in(match.groupdict()["about"] or "") if match else []


def _things(text: str) -> list[str]:
    things = [re.sub(r"^(?:both|either)\s+", "", thing.strip(), flags=re.IGNORECASE) for thing in _BETWEEN.split(text)]
    things = [bare for thing in things if (bare := _AS.sub("", thing))]
    kind = _kind_of(text)
    if kind and things[-1].endswith(kind):
        things = [_ARTICLE.sub("", thing) for thing in (*things[:-1], things[-1].removesuffix(kind).strip())]
    misread = any(len(thing.split()) > _LONGEST_THING or _STRAY.search(thing) for thing in things)
    return [] if misread else things


_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_ONE_WORDS = re.compile(
    r"^(?:the\s+)?[\w.-]+(?:,\s+[\w.-]+)*,?\s+(?:and|or|with|versus|vs\.?)\s+(?P<last>[\w.-]+)\s+"
    r"(?P<kind>(?:modules|libraries|packages|classes|functions|methods|types|formats|modes|levels|engines|commands)"
    r"(?:\s+(?:of|in|from)\s.+)?)$"
)


def _kind_of(text: str) -> str:
    """What is said of all things in a list of single words: `modules of Python` in `json, pickle and shelve modules …`.

    A common word is a thing only together with its kind.
    """
    match = _ONE_WORDS.match(text.strip())
    return match["kind"] if match and not STOPWORDS["en"] & set(words(text[: match.start("last")])) - _JOINS else ""


_JOINS = frozenset({"the", "and", "or", "with"})


_BOTH = re.compile(
    rf"^(?i:are|were|is|was|do|did|have|has)\s+(?:both\s+)?(?P<things>{THING}\s+and\s+{THING})\s+(?P<rest>\S.*)$"
)
_EITHER = re.compile(
    r"^(?i:which|who|what)\s+(?P<rest>[^,]+?),?\s+(?:between\s+)?"
    rf"(?P<things>{THING}(?:,\s+{THING})*,?\s+or\s+{THING}(?: for [A-Z]\w+)?)$"
)
_SAME = re.compile(
    r"^(?:both\s+)?(?:(?:is|was|are|were|has|had|did|located|based|born|found)\s+)?(?:(?:of|from|in|for|on)\s+)?"
    r"(?:(?:the same|an?|the)\s+)?(?:(?:kinds?|types?) of\s+)?"
)


def alternatives(bare: str) -> Iterator[Piece]:
    """`Were A and B of the same nationality?` and `Which began first, A or B?` ask about each thing alone."""
    match = _BOTH.match(bare) or _EITHER.match(bare)
    if not match:
        return
    about = _SAME.sub("", match["rest"]).strip()
    for thing in re.split(r",\s+(?:and|or)\s+|,\s+|\s+(?:and|or)\s+", match["things"]):
        yield Piece(f"What is known about {thing}?", aspect=about)
    yield Piece(f"{bare}?", aspect="comparison")

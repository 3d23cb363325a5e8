"""What the form of an English question says about its parts: comparisons, several things, lists, spans of time, nested things."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from deepresearch_mcp.records.plan import Priority
from deepresearch_mcp.text.keywords import STOPWORDS
from deepresearch_mcp.thinkers.extractive.clauses import AUX, WH
from deepresearch_mcp.thinkers.extractive.terms import names


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a question."""

    text: str
    """Readable as a question or heading."""
    aspect: str = ""
    """Words that a search for it may well have beside its own: `reasons`, `comparison`."""
    priority: Priority = "high"
    rests_on: tuple[str, ...] = ()
    """Texts of other parts whose answer is needed first."""


def parts_of(clause: str) -> list[Piece]:
    """Return the parts that the form of one clause names; the clause itself where it names none."""
    bare = sentence_case(clause).rstrip("?.! ") or clause
    text = f"{bare}?" if clause.rstrip().endswith("?") or _DIRECT.match(bare) else bare
    for form in (_comparison, _alternatives, _each_noun, _each_thing, _span):
        if pieces := list(form(bare)):
            return pieces
    if inner := _nested(bare):
        return [Piece(inner, aspect=aspect(inner)), Piece(text, aspect=aspect(text), rests_on=(inner,))]
    return [Piece(text, aspect=aspect(text))]


_ASPECTS = (
    (r"^(?:what|how)\b.*\b(?:differ|difference|differences|compared?)\b|\bvs\.?\b|\bversus\b", "comparison"),
    (r"^why\b|\bcauses?\b|\breasons?\b", "reasons"),
    (r"^when (?!should\b|can\b|do (?:i|you|we)\b)|^(?:in )?(?:what|which) (?:year|date|century)\b", "date"),
    (r"^how (?:many|much)\b", "number"),
    (r"^how (?:long|old|far|tall|big|large|high|fast|often)\b", "figures"),
    (r"^how (?:do|does|is|are|can)\b", "explained"),
    (r"^(?:what|which) (?:are|were)\b", "list"),
    (r"^(?:what|who) (?:is|was)\b", "overview"),
    (r"^(?:should|is|are|does|do|can|will)\b", "evidence"),
)


_DIRECT = re.compile(rf"^{WH}(?: \w+){{0,2}}? {AUX}\b|^{AUX} ", re.IGNORECASE)


def aspect(question: str) -> str:
    """Return a word that pages answering this form of question often hold; "" where the form says nothing."""
    folded = question.casefold()
    return next((word for pattern, word in _ASPECTS if re.search(pattern, folded)), "")


def sentence_case(text: str) -> str:
    """Begin with a capital, unless the first word is written with one inside."""
    text = text.strip()
    first = text.split(" ", 1)[0]
    if any(char.isupper() for char in first[1:]) or "_" in first:
        return text
    return text[:1].upper() + text[1:]


_ABOUT = r"(?:in terms of|with (?:respect|regard) to|as regards|regarding|concerning|when it comes to|on|for|in|by|at)"
_COMPARE = re.compile(
    rf"^compar(?:e|ing|ison of)\s+(?P<things>.+?\s(?:and|with|to|against|vs\.?|versus)\s.+?)(?:,?\s+{_ABOUT}\s+(?P<about>.+))?$"
    rf"|^how\s+(?:do|does|did|are)\s+(?P<things2>.+?\s(?:and|from)\s.+?)\s+(?:differ|compare|different)(?:\s+from (?:each other|one another))?(?:,?\s+{_ABOUT}\s+(?P<about2>.+))?$"
    rf"|^how\s+(?:does|do|did)\s+(?P<things3>.+?\s(?:compare|differ|stack up)\s+(?:to|with|from|against)\s.+?)(?:,?\s+{_ABOUT}\s+(?P<about3>.+))?$"
    r"|^(?:what(?:['’]s| is| are| were) )?(?:the )?(?:\w+ ){0,2}(?:differences?|similarities|trade-?offs?)(?: in (?P<about4a>[\w -]+?))? between\s+(?P<things4>.+?\sand\s.+?)"
    rf"(?:,?\s+{_ABOUT}\s+(?P<about4>.+))?$"
    rf"|^(?P<things5>[^,]+?\s(?:vs\.?|versus)\s.+?)(?:(?::|,)?\s+{_ABOUT}\s+(?P<about5>.+)|:\s+(?P<about5b>.+))?$"
    rf"|^(?:is|are)\s+(?P<things6>.+?\s(?:\w+er|more \w+|less \w+)\s+than\s.+?)(?:,?\s+{_ABOUT}\s+(?P<about6>.+))?$"
    rf"|^which (?:one )?(?:is|are)\s+(?:the )?(?P<quality>[\w-]+(?: [\w-]+)?)(?:\s+(?:for|in|at)\s+(?P<about7>.+?))?\s*[,:]\s*(?P<things7>.+\sor\s.+)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r",\s*(?:and|or|with|to|vs\.?|versus)\s+|\s*,\s*|\s+(?:compare|differ|stack up)\s+(?:to|with|from|against)\s+|\s+(?:\w+er|more \w+|less \w+)\s+than\s+"
    r"|\s+(?:and|or|with|against|vs\.?|versus|from|to)\s+",
    re.IGNORECASE,
)
_LONGEST_THING = 8
"""Words. What is longer is no name of a thing, and the form was misread."""


def _comparison(bare: str) -> Iterator[Piece]:
    match = _COMPARE.match(bare)
    if not match:
        return
    groups = match.groupdict()
    listed = next(value for key, value in groups.items() if key.startswith("things") and value)
    about = next((value for key, value in groups.items() if key.startswith("about") and value), "")
    things = _things(listed)
    if not 2 <= len(things) <= 5:
        return
    for thing in things:
        yield Piece(f"What is known about {thing} with regard to {about}?" if about else f"What characterises {thing}?")
    tail = f" with regard to {about}" if about else ""
    quality = groups["quality"]
    joined = f"{', '.join(things[:-1])} and {things[-1]}"
    text = (
        f"Which is {quality}{' for ' + about if about else ''}: {' or '.join(things)}?"
        if quality
        else f"How do {joined} differ{tail}?"
    )
    yield Piece(text, aspect="comparison")


_STRAY = re.compile(r"\b(?:in terms of|with (?:respect|regard)|based on|such as|based upon)\b", re.IGNORECASE)


def _things(listed: str) -> list[str]:
    things = [
        re.sub(r"^(?:both|either)\s+", "", thing.strip(), flags=re.IGNORECASE) for thing in _BETWEEN.split(listed)
    ]
    things = [thing for thing in things if thing]
    return things if all(len(thing.split()) <= _LONGEST_THING and not _STRAY.search(thing) for thing in things) else []


_NOUN = r"(?:[a-z][\w-]*(?: [a-z][\w-]*){0,2})"
_FIRST_NOUN = r"(?:[A-Za-z][a-z-]*(?: [a-z][\w-]*){0,2})"
_NOUNS = re.compile(
    rf"^(?i:what|which)\s+(?P<be>is|are|was|were)\s+(?:the\s+)?(?P<nouns>{_NOUN}(?:,\s+{_NOUN})*,?\s+and\s+{_NOUN})\s+(?P<rest>(?:of|for|behind|in|to)\s+.+)$"
)
_NOUN_TASK = re.compile(
    rf"^(?:[Tt]he\s+)?(?P<nouns>{_FIRST_NOUN}(?:,\s+{_NOUN})*,?\s+and\s+{_NOUN})\s+(?P<rest>of\s+.+)$"
)
_ADJECTIVE = re.compile(r"^(?:main|key|major|most \w+|biggest|current|primary|principal|chief|top)\s+", re.IGNORECASE)


def _each_noun(bare: str) -> Iterator[Piece]:
    """`What are the causes and effects of X?` asks for the causes, and for the effects."""
    match = _NOUNS.match(bare) or _NOUN_TASK.match(bare)
    if not match:
        return
    past = match.groupdict().get("be", "are") in {"was", "were"}
    nouns = [noun for noun in re.split(r",\s+and\s+|,\s+|\s+and\s+", match["nouns"]) if noun]
    nouns[0] = nouns[0][0].lower() + nouns[0][1:]
    if any(re.search(r"\b(?:of|in|to|for)\b", noun) for noun in nouns):
        return
    for noun in nouns:
        plural = _ADJECTIVE.sub("", noun).endswith("s") and not noun.endswith(("ss", "us", "is"))
        be = ("were" if past else "are") if plural else ("was" if past else "is")
        yield Piece(f"What {be} the {noun} {match['rest']}?", aspect="list" if plural else "overview")


_THING = r"(?:(?:the )?[A-Z][\w.+#&’'/-]*(?: (?:of |the )?[A-Z0-9][\w.+#&’'/-]*)*|[\"“][^\"”]+[\"”])"
_THINGS = re.compile(
    rf"^(?P<lead>(?i:{WH})(?: [a-z]+)?) (?P<aux>do|does|did|are|is|was|were|has|have|had|can|could|should|will|would)\s+"
    rf"(?P<things>{_THING}(?:,\s+{_THING})*,?\s+and\s+{_THING})\s+(?P<rest>[a-z].*)$"
)
_WORDS = re.compile(
    r"^(?P<lead>(?i:how|why|what|when|where)) (?P<aux>do|did)\s+(?P<things>[a-z]\w+ and [a-z]\w+)\s+(?P<rest>[a-z].*)$"
)
_NAMED = re.compile(
    rf"^(?P<lead>(?i:what|who)) (?P<aux>are|were|is|was)\s+(?P<things>{_THING}(?:,\s+{_THING})*,?\s+and\s+{_THING})(?P<rest>)$"
)
_ONE = {"do": "does", "are": "is", "were": "was", "have": "has"}
_TOGETHER = re.compile(
    r"\b(?:each other|one another|together|relate[ds]?|interact|between|both|same|meet|merge[ds]?|related|differ|compare)\b"
)


def _each_thing(bare: str) -> Iterator[Piece]:
    """`How do A and B handle X?` asks it of A, and of B, and how the two differ."""
    topic, colon, after = bare.rpartition(": ")
    match = _THINGS.match(after) or _WORDS.match(after) or _NAMED.match(after)
    if not match or _TOGETHER.search(match["rest"]):
        return
    things = [thing for thing in re.split(r",\s+and\s+|,\s+|\s+and\s+", match["things"]) if thing]
    if any(thing in STOPWORDS["en"] for thing in things):
        # Nothing is found by `else` alone.
        return
    for thing in things:
        aux = (
            match["aux"]
            if thing.islower() and thing.endswith("s") and not thing.endswith("ss")
            else _ONE.get(match["aux"], match["aux"])
        )
        text = " ".join(f"{match['lead']} {aux} {thing} {match['rest']}".split()) + "?"
        yield Piece(f"{topic}{colon}{text[:1].lower() if colon else text[:1]}{text[1:]}", aspect=aspect(text))
    if match["lead"].casefold() == "how" and match["aux"] == "do" and not colon:
        joined = f"{', '.join(things[:-1])} and {things[-1]}"
        yield Piece(f"How do {joined} differ in how they {match['rest']}?", aspect="comparison", priority="medium")


_BOTH = re.compile(
    rf"^(?i:are|were|is|was|do|did|have|has)\s+(?:both\s+)?(?P<things>{_THING}\s+and\s+{_THING})\s+(?P<rest>\S.*)$"
)
_EITHER = re.compile(
    rf"^(?i:which|who|what)\s+(?P<rest>[^,]+?),?\s+(?:between\s+)?(?P<things>{_THING}(?:,\s+{_THING})*,?\s+or\s+(?:{_THING})(?: for [A-Z]\w+)?)$"
)
_SAME = re.compile(
    r"^(?:both\s+)?(?:(?:is|was|are|were|has|had|did|located|based|born|found)\s+)?(?:(?:of|from|in|for|on)\s+)?(?:(?:the same|an?|the)\s+)?"
    r"(?:(?:kinds?|types?) of\s+)?"
)


def _alternatives(bare: str) -> Iterator[Piece]:
    """`Were A and B of the same nationality?`, `Which began first, A or B?` need to know each thing by itself."""
    match = _BOTH.match(bare) or _EITHER.match(bare)
    if not match:
        return
    about = _SAME.sub("", match["rest"]).strip()
    for thing in re.split(r",\s+(?:and|or)\s+|,\s+|\s+(?:and|or)\s+", match["things"]):
        yield Piece(f"What is known about {thing}?", aspect=about)
    yield Piece(f"{bare}?", aspect="comparison")


_YEAR = r"(?:the )?(?:(?:early|mid|late)[ -])?(?:1[0-9]|20)\d\d(?:s)?"
_SPAN = re.compile(
    rf"^(?:how|in what ways?|to what extent)\s+(?:has|have|did|do|does)\s+(?P<what>.+?)\s+(?:changed?|evolved?|developed?|grown?|grew|shifted|risen?|fallen|fall|rise|progress(?:ed)?|declined?|increased?|decreased?|improved?)\b"
    rf"(?P<how>.*?)\s+(?:between\s+(?P<a>{_YEAR})\s+and\s+(?P<b>{_YEAR})|from\s+(?P<a2>{_YEAR})\s+(?:to|until|till)\s+(?P<b2>{_YEAR}|now|today|the present)|since\s+(?P<a3>{_YEAR}))$",
    re.IGNORECASE,
)


def _span(bare: str) -> Iterator[Piece]:
    """`How has X changed since 2017?` asks for the change, for X then, and for X now."""
    match = _SPAN.match(bare)
    if not match:
        return
    what = match["what"]
    start = match["a"] or match["a2"] or match["a3"]
    end = match["b"] or match["b2"] or "today"
    be, like = ("was", "") if what.casefold().startswith("the ") else ("was", " like")
    yield Piece(f"{sentence_case(bare)}?", aspect="history")
    yield Piece(f"What {be} {what}{like} in {start}?", priority="medium")
    if end.casefold() in {"now", "today", "the present"}:
        yield Piece(f"What is {what}{like} today?", priority="medium")
    else:
        yield Piece(f"What {be} {what}{like} in {end}?", priority="medium")


_PERSON = (
    "person man woman author director producer founder creator writer composer singer performer inventor developer owner spouse wife husband "
    "father mother son daughter brother sister actor actress winner leader architect designer king queen emperor poet artist player coach "
    "scientist physicist politician screenwriter songwriter novelist manager president minister mayor governor ruler discoverer"
)
_PLACE = (
    "country city state county town village river birthplace hometown university college school company club team band label network league "
    "association organization organisation publisher manufacturer film movie book novel album song series capital region district province "
    "island ship aircraft airport stadium arena venue language religion party newspaper magazine agency continent"
)
_NOUNS_NESTED = rf"(?:{'|'.join((_PERSON + ' ' + _PLACE).split())})"
_RELATIVE = re.compile(
    r"(?:\b(?:of|in|by|for|to|from|at|with|on|than|as|about|near)\s+|['’]s\s+)(?P<inner>the\s+(?P<noun>(?:(?!(?:the|an?|of|in|by|for|to|at|on|from|with|and|or)\s)[\w’'-]+\s+){1,4}?)(?:that|which|who|where|whose|whom|in which|on which|for which)\s+[^,]+)",
    re.IGNORECASE,
)
_OF_NAME = re.compile(
    rf"\b(?P<inner>the\s+(?:[a-z-]+\s+){{0,2}}?(?P<noun>{_NOUNS_NESTED})\s+of\s+(?P<name>.+))", re.IGNORECASE
)
_POSSESSED = re.compile(
    rf"(?P<inner>(?P<name>[A-Z].*?)['’]s?\s+(?:[a-z-]+\s+){{0,2}}?(?P<noun>{_NOUNS_NESTED})\b(?: of (?:birth|death|origin))?)"
)


def _nested(bare: str) -> str:
    """Return the question for the thing that must be known first: `the author of Brand` in `Where was the author of Brand born?`"""
    if match := _RELATIVE.search(bare):
        inner = match["inner"]
    elif (match := _POSSESSED.search(bare)) and (found := names(match["name"])):
        inner = match["inner"][match["inner"].rfind(found[-1]) :]
    elif (match := _OF_NAME.search(bare)) and (name := _starting(match["name"], bare)):
        inner = match["inner"][: match["inner"].find(name, match.start("name") - match.start("inner")) + len(name)]
    else:
        return ""
    inner = inner.strip()
    rest = bare.replace(inner, " ", 1)
    if len(re.sub(rf"(?i)\b(?:{WH}|{AUX}|the|of|in|by|a|an|be|name|known|called)\b|\W", " ", rest).split()) < 1:
        return ""
    noun = match["noun"].split()[-1].casefold()
    ask = "Who" if noun in _PERSON.split() else "What"
    return f"{ask} is {inner}?"


def _starting(text: str, question: str) -> str:
    """Return the name of the question that the text begins with; "" when none does."""
    found = (name for name in names(question) if text.startswith((name, f"the {name}", f"The {name}")))
    return next(found, "")

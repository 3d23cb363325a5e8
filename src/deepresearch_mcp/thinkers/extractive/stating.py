"""Whether a sentence states what a question asks for, and not only words of it."""

import re
from collections.abc import Iterator
from itertools import pairwise

from deepresearch_mcp.thinkers.extractive.answers import Sort, defines, expected, fits
from deepresearch_mcp.thinkers.extractive.patterns import AUX
from deepresearch_mcp.thinkers.extractive.terms import coverage, names, split_topic, stems, wanted

_EFFECT = 0.75
"""The share of the question's words that the clause must hold whose reason is given."""
_LED_BY = 1
"""Other words before the first word of the question in that clause: `solid ice floats` is still about ice."""
_TAIL = 0.5
"""The share of what is said of the question's subject that must stand in one clause with a date, number or name."""
_NEAR = 4
"""Words between a number and what it counts, at most."""
_TO = r"to (?:avoid|prevent|allow|ensure|reduce|make|keep|let|protect|save|stop|get|give)"
_REASONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:the|one|a)\b[^,]{0,30}?\breasons? (?:why|that|for which|for)?\s*(?P<effect>.+?) (?:is|was|are|were)\b"
        r"(?P<reason>.+)$",
        r"^(?:because(?: of)?|due to|owing to|as a result of)\s(?P<reason>[^,]+),\s(?P<effect>.+)$",
        r"^(?P<reason>.+?)[,;]?\s(?:which|this|that) is why\s(?P<effect>.+)$",
        r"^(?P<reason>.+?)(?:[,;] (?:and )?(?:therefore|for this reason|so|thus|hence)|[,;] as a result),?\s"
        r"(?P<effect>.+)$",
        r"^(?P<effect>.+?),? (?:(?:(?:is|are|was|were) )?(?:mainly |partly |mostly |largely )?"
        r"(?:because|due to|owing to)|as a result of|so that"
        r"|in order (?:to|that)|(?:is|are|was|were) (?:\w+ly )?(?:caused by|explained by"
        rf"|the result of|attributed to)|since(?! (?:\w+ )?(?:1\d|20)\d\d)|{_TO})\b(?P<reason>.+)$",
        r"^(?P<reason>.+?) (?:(?:causes?|caused|explains?(?: why)?|explained why|means that|makes?|made)\b"
        r"|(?:leads?|led) to|result(?:s|ed)? in)\s(?P<effect>.+)$",
    )
)
"""Each form of a sentence that gives a reason for something. The first reason in a sentence counts."""
_DENIED = re.compile(r"\b(?:not|never|no|cannot|without)\b|n['’]t\b", re.IGNORECASE)
_CUTS = re.compile(
    r"[,;:()]\s|\s[–—-]\s|\b(?:because|which|who|whom|whose|that|when|where|while|after|before|until|although|but|and|as"
    r"|though|whereas)\s",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\bhow many (?P<noun>[\w-]+(?: [\w-]+)?)", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d+(?:[.,]\d+)*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?"
    r"|billions?|half|twice)\b",
    re.IGNORECASE,
)
_YEAR_ALONE = re.compile(r"^(?:1\d|20)\d\d$")
_WHO_IS = re.compile(r"^who (?:is|was|are|were) (?:the )?(?P<whom>.+?)[?.! ]*$", re.IGNORECASE)
_WHAT_IT_DOES = re.compile(
    r"^what (?:do|does) (?:the |an? )?(?P<thing>.+?) do(?: (?:in|for|with|on|to) .+?)?[?.! ]*$", re.IGNORECASE
)
_DEFAULT = re.compile(r"\bdefaults?\b", re.IGNORECASE)
_PLACES = r"(?:in|by|below|above|with|on|at|from|here|later|under|further)\b"
_VAGUE = r"(?:not|an?|important|the same|also|often|usually|as)\b"
_NO_VALUE = rf"(?:\w+ly\s)?(?:\w{{3,}}(?:ed|en|ing)\s{_PLACES}|{_VAGUE}|{_PLACES})"
_VALUE = re.compile(
    rf"\bdefaults? to \S|\b(?:is|are) (?:also )?the default\b"
    rf"|\bdefaults?\b[^;]{{0,60}}?\s(?:is|are|was)\s(?:set to\s)?(?!{_NO_VALUE})\S"
    rf"|\bby default\b[^;]{{0,40}}\b(?:is|are|uses?|set to)\s|\b(?:is|are|uses?|set to)\s[^;]{{0,40}}\bby default\b",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(r"\b(?:not?|never|no longer)\s+(?:\w+\s+)?$", re.IGNORECASE)
_RELATIVE = re.compile(r"(?:which|who|whom|whose|that)\s", re.IGNORECASE)
_BEFORE = 4
"""Words before a relative clause in which the thing stands that it speaks of."""


def states(question: str, sentence: str, language: str = "en") -> bool:
    """Tell whether a sentence states by itself what is asked.

    The reason of what is asked; a date, number, name or place in one clause with what is asked about it; the value of
    a default; or what a thing is. Other forms of questions take more than a sentence.
    """
    asks = split_topic(question)[1]
    sort = expected(asks)
    if _DEFAULT.search(asks) and sort in {"meaning", "any", "name", "number"}:
        value = _VALUE.search(sentence)
        return value is not None and not _NO_LONGER.search(sentence[: value.start()])
    if does := _WHAT_IT_DOES.match(asks):
        return _tells_what_it_does(does["thing"], sentence, language)
    match = _WHO_IS.match(asks)
    if sort == "meaning" or (match and match["whom"] in names(asks)):
        return defines(sentence, wanted(asks, language), language)
    if sort == "reason":
        return _gives_reason(asks, sentence, language)
    return sort in {"date", "number", "name", "place"} and any(
        _fits_clause(sort, clause, asks) for clause in _about(asks, sentence, language)
    )


def _tells_what_it_does(thing: str, sentence: str, language: str) -> bool:
    """Tell whether the thing is what a sentence is about: `The VACUUM command rebuilds the database file`."""
    name = r"\W{1,4}".join(map(re.escape, thing.split()))
    behind = rf"^(?:the |an? )?[`'\"“‘*]*{name}[`'\"”’*]*(?: {_KIND})? (?P<verb>[a-z]+)\b"
    match = re.match(behind, sentence, re.IGNORECASE)
    if match is None:
        return False
    verb = match["verb"].casefold()
    # Some sentences only say of a thing that it can, may or must be used.
    return verb.endswith("s") and verb not in _NO_DEEDS and bool(stems(sentence[match.end() :], language))


_KIND = r"(?:command|statement|function|method|clause|keyword|operator|option|setting|directive|module|class|decorator)"
_NO_DEEDS = frozenset({"is", "was", "has", "does", "as", "its", "this", "needs", "requires", "fails", "uses"})
"""Words behind a name that say nothing of what the thing does."""


def _gives_reason(asks: str, sentence: str, language: str) -> bool:
    """Tell whether what is asked is a main clause of the sentence, with a reason beside it."""
    query = wanted(asks, language)
    for form in _REASONS:
        match = form.match(sentence)
        if match is None:
            continue
        own, why = stems(match["effect"], language), stems(match["reason"], language)
        first = next((at for at, word in enumerate(own) if word in query), len(own))
        alike = bool(_DENIED.search(asks)) == bool(_DENIED.search(match["effect"]))
        if alike and first <= _LED_BY and coverage(query, own) >= _EFFECT and not set(why) <= set(query):
            return True
    return False


def _about(asks: str, sentence: str, language: str) -> Iterator[str]:
    """The clauses of a sentence that say what is asked of its subject."""
    named = {word for name in names(asks) for word in stems(name, language)}
    things = {word for word in named if not word[0].isdigit()}
    said = [word for word in wanted(asks, language) if word not in named]
    # The first word is mostly the subject: `bridge` in "When was the bridge at Varn closed?"
    tail = tuple(said[1:] or said)
    ends = [0, *(match.start() for match in _CUTS.finditer(sentence)), len(sentence)]
    for low, high in pairwise(ends):
        clause = sentence[low:high].lstrip(",;:() ")
        before = set(stems(" ".join(sentence[:low].split()[-_BEFORE:]), language))
        # A relative clause speaks of what stands before it: `Python 3.6, which was released in December`.
        of_another = bool(_RELATIVE.match(clause) and things and not things & before)
        if not of_another and (not tail or coverage(tail, stems(clause, language)) >= _TAIL):
            yield clause


def _fits_clause(sort: Sort, clause: str, asks: str) -> bool:
    if not fits(sort, clause, asks):
        return False
    if sort == "name" and (by := re.search(r"\bby\s+(?P<whom>.+)$", clause)):
        return fits(sort, by["whom"], asks)
    counted = _COUNTED.search(asks) if sort == "number" else None
    if counted is None:
        return sort != "number" or any(not _YEAR_ALONE.match(one) for one in _NUMBER.findall(clause))
    nouns = set(stems(re.sub(rf"\s{AUX}$", "", counted["noun"])))
    behind = (clause[match.end() :].split()[:_NEAR] for match in _NUMBER.finditer(clause))
    return any(nouns & set(stems(" ".join(words))) for words in behind)

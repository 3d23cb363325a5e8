"""Removes from a statement the words that name its source."""

import re
from functools import lru_cache

_SAYS = (
    r"(?:says?|said|tells?|told|reports?|reported|writes?|wrote|notes?|noted|states?|stated|claims?|claimed|records?"
    r"|recorded|shows?|showed|suggests?|suggested|finds?|found|holds?|held|estimates?|estimated)"
)
_SPOKE = r"(?:says|said|writes|wrote|tells|told)"
"""Verb forms that are no noun and no participle of the words before them: "the hottest day recorded in Rome"."""
_NAMED = r"(?=(?:an?|the|its|his|her|their|one|two|some|several|official|local)\b|(?-i:[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]))"
"""A source must follow, as a name or with an article: "as shown in adults" names the subjects, not a source."""
_SOURCE = (
    r"(?:(?:the|its|his|her|their)\s|(?-i:(?=[A-Z])))(?!(?:[^,;:–—]*\s)?(?:and|or|first|second|last|latest|only|most|least"
    r"|worst|record|[a-z]+est)\s)"
)
"""A source that speaks: not "the first case reported in Rome", nor "clerks and the reports"."""
_FROM = (
    r"(?:according to|as per|per (?=(?:the )?(?-i:[A-Z]))|in the words of|by the account of|on the evidence of|going by"
    rf"|citing|as (?:\w+ed|told|written|given|shown|found|put|held|seen|set down) (?:by|(?:in|on) {_NAMED})"
    r"|laut|nach angaben|gemäß|zufolge|selon|d['’]après|según|secondo|segundo|de acordo com|volgens|enligt)"
)
_OFFICE = r"(?:director|head|author|editor|professor|president|chair|keeper|founder|spokes|minister|analyst|economist)"
_BEHIND = rf"(?:[^,;:–—]|,\s(?=(?:an?|the)\s|(?-i:[A-Z])|\d|{_OFFICE})){{1,200}}"
"""The source up to the end of the statement, with its office or date: "Ann Lee, director of the ECB"."""
_WORD = r"(?:[^\W\d_][\w'’-]*(?:\.[\w'’-]+)*|(?:[^\W\d_]\.)+|(?:Dr|Mrs?|Ms|Prof|St|Jr|Sr)\.)\s+"
_LEADING = re.compile(rf"\s*{_FROM}\s*[^,.;:]{{1,160}}[,:]\s+", re.IGNORECASE)
_SAYING = re.compile(
    rf"\s*(?:{_WORD}){{1,12}}{_SAYS}(?:\s(?:in|on)\s[^,.;]{{1,30}})?\s+that\s+",
    re.IGNORECASE,
)
_WITHIN = re.compile(rf",\s+{_FROM}\s*[^,.;:]{{1,160}},(?=\s)", re.IGNORECASE)
_BRACKET = re.compile(
    rf"\s*[(\[](?:source:?|see|from(?!\s+\d)(?![^()\[\]]{{1,160}}\sto\s)|{_FROM})\s*[^()\[\]]{{1,160}}[)\]]"
    r"(?=\s*[.!]?\s*$)",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    rf"(?:(?:\s*[,;–—]|\s-)\s+{_FROM}\s*{_BEHIND}"
    rf"|\s+according to {_NAMED}{_BEHIND}"
    rf"|\s*[,;–—]\s+(?:{_WORD}){{1,12}}{_SPOKE}(?:\s+(?:in|on|at|to)\s[^,;:–—]{{1,60}})?"
    rf"|\s*[,;–—]\s+as\s(?:{_WORD}){{1,12}}(?:{_SAYS}(?:\s+it)?(?:\s+(?:in|on|at|to)\s[^,;:–—]{{1,60}})?"
    r"|(?:has|have|had)\s+it)"
    rf"|\s*[,;–—]\s+{_SOURCE}(?:{_WORD}){{0,11}}(?:reports|reported|notes|noted|claims|claimed)"
    r"(?:\s+(?:in|on|at|to)\s[^,;:–—]{1,60})?"
    rf"|\s*[,;–—]\s+(?:(?:says|said)\s{_NAMED}|(?:reports|reported|writes|wrote|notes|noted)\s(?-i:(?=[A-Z])))"
    rf"(?!.*\s(?:and|or)\s){_BEHIND})\s*$",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:no|not|none|nothing|nobody|nowhere|never|neither|nor|cannot|few|fewer|little|hardly|scarcely|barely|rarely"
    r"|seldom|only|without|far from|despite|contrary|against|unable|un(?:likely|clear|true|proven)|impossible|myth"
    r"|fail\w*|refus\w*|den(?:y|ies|ied|ial)|reject\w*|dismiss\w*|refut\w*|disput\w*|doubt\w*|question\w*|debunk\w*"
    r"|retract\w*|withdr\w*|contradict\w*|oppos\w*|challeng\w*|disprov\w*|disagre\w*|fals\w*|wrong\w*|mistaken\w*"
    r"|incorrect\w*|erroneous\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words that turn "found that" into its opposite, or limit it."""
_HEDGED = re.compile(
    r"\b(?:may|might|could|would|should|will|can|must|to\s+\w+|\w{2,}ed\s+(?:claims|reports|notes|records|estimates))\s"
    r"|^\W*(?:if|unless|whether|when|until|till|before|although|though|while|whereas|because|since|once|after|lest"
    r"|suppos\w+|assum\w+|imagine)\b|\b(?:and|but|or|so)\s",
    re.IGNORECASE,
)
"""Words before "found that" after which nothing is stated as found, or a second statement follows."""
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|will|would|can|could|may|might|must|should|it|they|he|she"
    r"|we|but|while|whereas|although|though|yet|so)\b|\band\s+(?:\w+\s+){0,2}\w+(?:s|ed)\b",
    re.IGNORECASE,
)
"""Signs of a second statement; the name of a source has none."""
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|whom|where|when)\b", re.IGNORECASE)
_HAS_IT = re.compile(r"\b(?:has|have|had)\s+it\s*$", re.IGNORECASE)
_BASE = re.compile(
    r"\b(?:\w*ind(?:ex|exes|ices|ice)|methods?|methodology|definitions?|measures?|measurements?|metrics?|scales?"
    r"|standards?|criteri(?:on|a)|basis|series|models?|scenarios?|classifications?|formulas?|conventions?|calendars?"
    r"|rules?|laws?|schemes?|plans?|schedules?|prices?|rates?|weights?|projections?|reckoning|accounting|units?|system"
    r"|terms|dating|theory|interpretation|ranking|incomes?|ages?|sizes?|sex|needs?|numbers?|levels?|types?|distances?"
    r"|seasons?|kalender|calendrier|calendario|méthode|methode|définition|âge|revenu|alter|einkommen)\b"
)
"""A base of measurement is not a source: the harmonised index and the national one may differ."""
_LONGEST = 2_000
"""In characters; a longer text is not a single statement."""
_LEAST = 3
"""The fewest words that must remain of a statement."""


@lru_cache(maxsize=4096)
def unattributed(text: str) -> str:
    """Return a statement without its attribution, at any position; a statement without one is returned unchanged.

    "Ada Lovelace was born on 11 December 1815, according to a parish list" is about her birth, not about a list, and
    contradicts a source that gives another day. Words that reverse the statement ("denied that", "did not find that"),
    a second statement and the base of a figure are not treated as attributions.
    """
    if len(text) > _LONGEST:
        return text
    said = text.strip()
    stop = said[-1:] if said[-1:] in ".!" else ""
    bare = said.removesuffix(stop) if stop else said
    for pattern in (_BRACKET, _TRAILING, _WITHIN, _LEADING, _SAYING):
        left = _cut(pattern, bare)
        if len(left.split()) >= _LEAST:
            bare = left
    return text if bare == said.removesuffix(stop) else f"{bare[:1].upper()}{bare[1:]}{stop}"


def _cut(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text) if pattern in {_LEADING, _SAYING} else pattern.search(text)
    if match is None or _TAKEN_BACK.search(match[0]):
        return text
    if _HEDGED.search(match[0]) if pattern is _SAYING else _says_more(match[0]):
        return text
    return f"{text[: match.start()]}{text[match.end() :]}".strip()


def _says_more(attribution: str) -> bool:
    source = _RELATIVE.split(_HAS_IT.sub("", attribution), maxsplit=1)[0]
    return bool(_CLAUSE.search(source) or _BASE.search(source))

"""Finds words that exclude, generalise, rank or give a reason, and that nothing behind a sentence bears out."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.text.language import guess

_WORDS = {
    "en": (
        r"only|solely|exclusively|alone|no other|nothing else|all|every|each|both|always|never|none|nothing|neither"
        r"|nowhere|anything|entirely|completely|altogether|fully|wholly|in every case|(?<!at )(?:most|least)|mostly"
        r"|best|worst|main(?:ly)?|decisive|decides?|often|usually|typically|generally|commonly|rarely|seldom|hardly|because"
        r"|therefore|so that|first|(?:the|\w+['’]s) (?!rest\b|request\b|test\b|latest\b|interest\b)\w{3,}est"
    ),
    "de": (
        r"nur|allein|ausschließlich|alle[nrsm]?|jede[nrsm]?|beide[nrsm]?|immer|nie|niemals|kein(?:e[nrsm]?)?|nichts"
        r"|nirgends|völlig|ganz|vollständig|am \w+sten|meist(?:ens)?|oft|häufig|selten|kaum|weil|daher|deshalb"
        r"|entscheidend|hauptsächlich"
    ),
    "fr": (
        r"seule?s?|seulement|uniquement|tou(?:t|s|te|tes)|chaque|toujours|jamais|aucune?|rien|les deux|entièrement"
        r"|complètement|le plus|la plus|les plus|souvent|généralement|rarement|surtout|parce que|car|donc"
    ),
    "es": (
        r"s[oó]lo|solamente|únicamente|tod[oa]s?|cada|siempre|nunca|ningun[oa]s?|ningún|nada|amb[oa]s|completamente"
        r"|enteramente|el más|la más|los más|las más|a menudo|generalmente|rara vez|sobre todo|porque|por tanto"
    ),
}
_MOST = 3
"""Words that are named of one sentence: more say nothing."""


def sweeping_words(text: str, claims: Iterable[Claim], language: str = "") -> tuple[str, ...]:
    """At most three such words of a sentence, in its order, that neither a claim behind it nor its quotes have.

    Each may be right all the same, as the claims may say it otherwise: a reader has to look. `language` is an ISO
    639-1 code; "" is guessed. A language without a list has none.
    """
    pattern = _pattern((language or guess(text) or "en").split("-")[0].lower())
    if pattern is None:
        return ()
    behind = "\n".join(part for one in claims for part in (one.text, *(quote.text for quote in one.quotes)))
    known = {found.group().lower() for found in pattern.finditer(behind)}
    said = (found.group().lower() for found in pattern.finditer(_without_code(text)))
    return tuple(dict.fromkeys(word for word in said if word not in known))[:_MOST]


def _without_code(text: str) -> str:
    return re.sub(r"`[^`]*`", " ", text)


@lru_cache(maxsize=8)
def _pattern(language: str) -> re.Pattern[str] | None:
    return re.compile(rf"(?i)(?<![\w-])(?:{_WORDS[language]})(?![\w-])") if language in _WORDS else None


_ADVISES: Mapping[str, str] = {
    "en": (
        r"should|ought|must|need(?:s|ed)? to|have to|better|best|worse|worst|prefer\w*|choose|choice|avoid|recommend\w*"
        r"|advis\w*|suit\w*|fits?|worth\w*|enough|safe\w*|unsafe|risk\w*|danger\w*|good|bad|poor\w*|weak\w*|strong\w*"
        r"|simpl\w*|eas(?:y|ier|iest|ily)|hard(?:er|est)?|cheap\w*|costl\w*|likely|unlikely|probabl\w*|presumabl\w*"
        r"|suggests?|impl(?:y|ies)|means?|matters?|counts?|decid\w*|decisive|important|crucial|key|plausib\w*|seems?"
        r"|would|could|may|might|sensib\w*|reasonabl\w*|sufficient\w*|adequate\w*|useful|pays?|hence|therefore|if"
    ),
}
_ORDERS = re.compile(
    r"^[\W_]*(?:[^:]{1,40}:\s*)?(?:(?i:use|keep|set|run|take|give|put|make|leave|add|load|enable|disable|build|choose|replace"
    r"|remove|catch|wait|send|store|start|stop|turn|rely|copy|move|delete|check|test|read|write|call|plan|begin|treat|back"
    r"|do|don['’]t|never|always)\b|[A-Z][a-z]+\s+(?:`|(?:your|both|each|every|it|them"
    r"|the|an?|all|any|no|one|two|these|those|this|that|its|their|only|not|up|out|for|with|on)\b))"
)
"""`Keep the default …`, `Cancel the rest …`: it tells what to do; no name is followed by such a word."""


def may_be_plain(text: str, language: str = "") -> bool:
    """Whether no word of a judgement advises, values, weighs or infers, so that it may be a plain statement of facts.

    A sign for a reader and no proof. Only English has a list; other languages give False.
    """
    code = (language or guess(text) or "en").split("-")[0].lower()
    if code not in _ADVISES or _ORDERS.match(text):
        return False
    return re.search(rf"(?i)(?<![\w-])(?:{_ADVISES[code]})(?![\w-])", _without_code(text)) is None

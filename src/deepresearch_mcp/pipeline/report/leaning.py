"""Finds sentences that lean on one before them, by the words that point back: "that lock", "the two", "therefore"."""

import re
from functools import lru_cache

from deepresearch_mcp.text.language import guess

_FIRST = {
    "en": (
        r"that|this|these|those|it|its|they|their|them|he|she|his|her|such|both|neither"
        r"|so|then|there|here|thus|hence|nor|also|instead|otherwise|likewise|similarly|conversely"
        r"|afterwards?|meanwhile|since then|until then|by then|from then on|even so|the reason (?:is|was|lies)"
    ),
    "de": (
        r"das|dies(?:e[rsnm]?)?|jene[rsnm]?|es|sie|er|ihre?[rsnm]?|seine?[rsnm]?|deren|dessen|solche?[rsnm]?|beides?|beiden"
        r"|daher|deshalb|dadurch|damit|dagegen|dort|hier|so|dann|also|auch|stattdessen|sonst|ebenso|umgekehrt"
    ),
    "fr": (
        r"c['’]est|ce(?:la|ci|t|tte|s)?|celui-ci|celle-ci|ceux-ci|celles-ci|il|elle|ils|elles|son|sa|ses|leurs?|tels?"
        r"|telles?|les deux|donc|ainsi|alors|aussi|là|ici|sinon|inversement"
    ),
    "es": (
        r"es[oea]s?|est[oea]s?|aquell[oa]s?|él|ella|ellos|ellas|su|sus|tal|tales|ambos|ambas|así|entonces|también|allí"
        r"|aquí|por eso|por ello|si no"
    ),
    "it": (
        r"quest[oaie]|quell[oaie]|ciò|esso|essa|essi|esse|suo|sua|suoi|sue|loro|tale|tali|entramb[ie]|quindi|così|allora"
        r"|anche|inoltre|invece"
    ),
    "pt": (
        r"iss[oe]|ess[ea]s?|ist[oe]|est[ea]s?|ele|ela|eles|elas|seu|sua|seus|suas|tal|tais|ambos|ambas|assim|então"
        r"|também"
    ),
    "nl": (
        r"dat|dit|deze|die|het|hij|zij|ze|zijn|haar|hun|zulke?|beide|daarom|daardoor|daarmee|daar|hier|zo|dan|dus|ook"
        r"|anders|daarentegen"
    ),
}
"""Words that point back where a sentence begins with them, perhaps behind another small word."""
_BEFORE = {
    "en": (
        r"but|and|yet|or|even|only|still|because|if|when|while|where|since|as|for|with|without|unlike|in|on|at|by|under"
        r"|of|to"
    ),
    "de": r"aber|und|doch|oder|auch|nur|weil|wenn|während|da|für|mit|ohne|in|im|an|auf|bei|unter|von|zu",
    "fr": r"mais|et|ou|même|seul|parce que|si|quand|comme|pour|avec|sans|dans|en|sur|à|sous|de",
    "es": r"pero|y|o|incluso|solo|porque|si|cuando|como|para|con|sin|en|sobre|a|bajo|de",
    "it": r"ma|e|o|anche|solo|perché|se|quando|come|per|con|senza|in|su|a|sotto|di",
    "pt": r"mas|e|ou|mesmo|só|porque|se|quando|como|para|com|sem|em|sobre|a|sob|de",
    "nl": r"maar|en|of|zelfs|alleen|omdat|als|wanneer|terwijl|voor|met|zonder|in|op|bij|onder|van|te",
}
_ANYWHERE = {
    "en": (
        r"(?:these|those) (?!(?:that|who|whose|which|of|in|on|with|from|where)\b)\w+|this|such an? \w+"
        r"|no such \w+|the (?:latter|former)|the same (?!time\b)\w+|there too"
        r"|therefore|thereby|consequently|by contrast|in contrast|on the contrary|as a result|for (?:this|that) reason"
    ),
    "de": (
        r"dieser|diesem|diesen|dieses|diese|letztere[rsnm]?|erstere[rsnm]?|de(?:r|n|m)selben?|dieselben?|dasselbe|daher"
        r"|deshalb|folglich|demgegenüber|im gegensatz dazu|hingegen|dagegen|infolgedessen"
    ),
    "fr": (
        r"ce(?:t|tte|s)? \w+-(?:ci|là)|ce dernier|cette dernière|ces derni(?:ers|ères)|la? même \w+|les mêmes \w+|donc"
        r"|par conséquent|en revanche|au contraire|pour cette raison"
    ),
    "es": (
        r"est[ea] últim[oa]|est[oa]s últim[oa]s|el primero|l[ao] mism[oa] \w+|los mismos \w+|por (?:lo )?tanto"
        r"|por consiguiente|en cambio|por el contrario|por es[oa](?: razón)?"
    ),
    "it": (
        r"quest[oi] ultim[oi]|quest[ae] ultim[ae]|l[oa] stess[oa] \w+|gli stessi \w+|pertanto|quindi|di conseguenza"
        r"|al contrario"
    ),
    "pt": (
        r"est[ea] últim[oa]|est[ea]s últim[oa]s|[oa] mesm[oa] \w+|portanto|por conseguinte|em contrapartida"
        r"|pelo contrário"
    ),
    "nl": r"laatstgenoemde|eerstgenoemde|dezelfde \w+|hetzelfde \w+|daarom|derhalve|daarentegen|bijgevolg",
}
"""Words that point back wherever they stand."""
_OBJECT = re.compile(
    r"(?i)^[\W_]*(?:let|\w{2,}ing|use|put|keep|set|run|take|call|make|give|read|write|test|check|avoid|prefer|leave|treat|add"
    r"|load|enable|disable|build|choose|replace|remove|catch|wait|do|send|store|start|stop|turn|rely|copy|move|delete)\s+"
    r"(?:(?:on|in|with|for|from|to|at|by|of|off|up)\s+)?(?:it|them|these|those)(?!\w)"
)
"""`Copying it without …`, `Use them …`: nothing before the pronoun can be what it stands for."""
_NO_SUCH = re.compile(r"(?i)\bno such \w")
_HANGS = re.compile(
    r"(?i)\b(?:nothing|little|much|everything|something)\b[^,;:.]{1,24}\b(?:on|of|from|upon|by|with|against|for|to)"
    r" (?:it|them|that)(?=[\W_]*$)"
)
"""`nothing hangs on it`"""
_WHAT_HAS_IT = re.compile(
    r"(?i)^[\W_]*(?:(?:an?|any|all|each|every|no|most|many|old|new|older|newer|existing)\s+)*[a-z]+\s+(?:that|which|who)\s+"
    r"(?:(?:still|already|also|only|never|always|do not|does not|cannot|can|must|should)\s+)*[a-z]+\s+(?:it|them)(?!\w)"
)
"""`Code that passes it still runs`: its head is what passes, and nothing else stands before the pronoun."""
_DOES_SO = re.compile(r"(?i)^[^,;:.]{0,60}\b(?:do|does|did|doing|done) so\b")
"""`A library that does so …`, before anything else is said that could be done."""
_IN_THE_MIDDLE = re.compile(
    r"\b(?:in|on|at|for|with|without|by|from|to|under|of|behind|after|before|during|through|via|per|whether|because|like"
    r"|unlike|against|about|into|if|when|while|whereas|although) "
    r"that (?!(?:of|is|was|are|were|the|a|an|it|they|he|she|we|you|has|have|had|can|could|may|might|must|should|will"
    r"|would|does|did|this|these|those|no|all|each|every|which|who|its|their)\b)(?P<noun>[a-z]+(?: [a-z]+)?)"
)
"""`whether that second version`, `by that setting`: in small letters, as a name begins a clause of its own."""
_VERBS = (
    r"is|are|was|were|has|have|had|do|does|did|can|cannot|could|may|might|must|should|will|would|needs?|differ|exclude"
    r"|share|shares|agree|work|works|holds?|behave|stand|stands|belong|come|comes|takes?|gives?|keeps?|costs?|shows?"
)
_POINTED = re.compile(
    r"(?i)(?:^[\W_]*that|\b(?:this|these|those|such(?: an?)?|the same)) "
    rf"(?P<noun>(?!(?:as|who|which|that|of|time|{_VERBS})\b)[a-z]+(?: [a-z]+)?)"
)
_COUNTED = re.compile(
    r"(?i)\b(?:the|these|those|all|any of the|both of the) (?:(?:first|last|other) )?(?:two|three|four|five|six)"
    rf"(?=[\s*_]*(?:[,.;:)]|$)|\s+(?:{_VERBS}|apart|together|alike|in|on|by|with|and|or|also|both|never|always|only)\b)"
    r"|\bthe (?:first|second|third|fourth|fifth|last|others?|former|latter|rest|remainder)"
    rf"(?=[\s*_]*(?:[,.;:)]|$)|\s+(?:{_VERBS}|one|ones|and|where|when|if|because|only|never|always)\b)"
    r"|\bthe (?:first|second|third|fourth|fifth|last|other) (?:condition|point|reason|thing|way|case|part|kind|group"
    r"|rule|difference|change|question|danger|risk|step|half|need|exception)\b(?! (?:of|that|which|is to)\b)"
    r"|\bneither of (?:the two|them)|\b(?:each|either|none|all|both|most|some|one) of them\b"
)
"""`The first two are …`, `keeps the two apart`, `the third does`: they count what was named before."""
_ORDER = re.compile(r"(?i)\bthe (?:first|second|third|fourth|fifth|last|other|latter|former|rest|remainder)\b")
_NAMED_BEFORE = re.compile(r"(?i)(?:\b(?:one|two|three|both|either|several|first|last|and|or)\b|[,;:])")
"""Words of the same sentence that may hold what is counted."""
_STEPS = re.compile(r"\b[Ss]teps? \d{1,2}\b(?:\s*(?:,|and|to|or|–|-)\s*\d{1,2}\b)*(?! of\b)")
_STEP_CLAUSE = re.compile(rf";[^;.!?]*?{_STEPS.pattern}[^;.!?]*|\s*\([^()]*?{_STEPS.pattern}[^()]*\)")
_LISTS = re.compile(r"(?i)\b(?:and|or|two|both|either|three|four|five)\b|[;:]|,.*,")
_LABEL = re.compile(r"^[^:.,!?]{1,30}:\s+")
"""A label in front of an item's first sentence."""
_THAT_CLAUSE = re.compile(
    r"(?i)^(?:it (?:is|was|seems|may be|can be) \w+ (?:that|to|for|whether)\b|there (?:is|are|was|were)\b|so far\b"
    r"|es gibt\b|il (?:y a|faut|est \w+ (?:de|que))\b)"
)
"""These begin like a reference and are none."""


def leans(text: str, language: str = "") -> bool:
    """Return whether a sentence points back at what was said before it, as far as its words show.

    `language` is an ISO 639-1 code; "" is guessed. A language without a list never leans.
    """
    return points(text, language) or (is_english(language, text) and counts(text))


def points(text: str, language: str = "") -> bool:
    """The same for a sentence that leans on the one just before it, and does not only count what was named earlier."""
    found = _patterns((language or guess(text) or "en").split("-")[0].lower())
    if found is None:
        return False
    first, anywhere = found
    bare = _LABEL.sub("", text.strip())
    if _THAT_CLAUSE.match(bare):
        return is_english(language, text) and _NO_SUCH.search(bare) is not None
    return bool(first.match(bare) or anywhere.search(bare)) or (is_english(language, text) and _leans_inside(bare))


def is_english(language: str, text: str) -> bool:
    """Whether a sentence is in English, the only language whose finer signs of leaning are known."""
    return (language or guess(text) or "en").split("-")[0].lower() == "en"


def _leans_inside(bare: str) -> bool:
    # A noun that the sentence has before is its own.
    pointed = any(
        one.group("noun").split()[0] not in bare[: one.start()].lower() for one in _IN_THE_MIDDLE.finditer(bare)
    )
    return pointed or any((_OBJECT.match(bare), _HANGS.search(bare), _DOES_SO.match(bare), _WHAT_HAS_IT.match(bare)))


def counts(text: str) -> bool:
    """Whether a sentence counts what another one names: "the first two", "keeps the two apart", "the third is"."""
    found = None if _THAT_CLAUSE.match(text.strip()) else _COUNTED.search(text)
    return found is not None and not _NAMED_BEFORE.search(text[: found.start()])


def counts_by_order(text: str) -> bool:
    """Whether a sentence counts by order: "the first two", "the third". "The two" may be what was asked about."""
    return counts(text) and bool(_ORDER.search(text))


def lists(text: str) -> bool:
    """Whether a sentence names several things, which the next ones may count."""
    return bool(_LISTS.search(text))


def steps_named(text: str) -> tuple[int, ...]:
    """The numbers of steps that a sentence names, as in "steps 4 and 5"."""
    return tuple(int(number) for one in _STEPS.finditer(text) for number in re.findall(r"\d+", one.group()))


def without_steps(text: str) -> str:
    """The sentence without a clause or a bracket that names steps by their numbers; "" where it is more than that."""
    left = _STEP_CLAUSE.sub("", text)
    return "" if left == text or _STEPS.search(left) else left


def pointed_at(text: str) -> tuple[str, ...]:
    """Nouns that a sentence points back at: `version` of "that second version", both words where they may be it."""
    found = (one for pattern in (_POINTED, _IN_THE_MIDDLE) for one in pattern.finditer(text))
    # A noun that the sentence has before is its own.
    nouns = (
        one.group("noun").lower().split()
        for one in found
        if not any(word in text[: one.start()].lower() for word in one.group("noun").lower().split())
    )
    return tuple(dict.fromkeys(word for noun in nouns for word in noun))


_CONNECTOR = re.compile(
    r"(?i)^([\W_]*)(?:so(?! (?:far|long|that|much|many|little|as)\b)|thus|hence|therefore|consequently|as a result|also"
    r"|moreover|likewise|similarly|however|still,|by contrast|in contrast|conversely|yet|but|and),?\s+"
)
_ADVERB = re.compile(
    r"(?i),\s+(?:therefore|however|by contrast|in contrast|moreover|consequently|too),(?=\s)"
    r"|,?\s+(?:therefore|too|however|by contrast)(?=[.!?;:]|$)"
    r"|\s+(?:also|therefore|thus)(?=\s)(?!\s+(?:as|in|by|for)\b)"
)


def freed(text: str, language: str = "") -> str:
    """The sentence without the small words that tie it to the one before it, if it stands by itself then; else ""."""
    if not is_english(language, text):
        return ""
    bare = _ADVERB.sub("", _CONNECTOR.sub(r"\1", text, count=1))
    at = next((at for at, char in enumerate(bare) if char.isalnum() or char == "`"), 0)
    said = bare[:at] + bare[at : at + 1].upper() + bare[at + 1 :]
    return said if said != text and not leans(said, language) else ""


@lru_cache(maxsize=16)
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    if language not in _FIRST:
        return None
    # An apostrophe ends no word here: "it's" leans too.
    first = rf"(?i)[\W_]*(?:(?:{_BEFORE[language]})\s+)?(?:{_FIRST[language]})(?!\w)"
    return re.compile(first), re.compile(rf"(?i)(?<!\w)(?:{_ANYWHERE[language]})(?!\w)")

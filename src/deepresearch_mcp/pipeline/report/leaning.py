"""Finds sentences that lean on the one before them, by the words that point back: "that lock", "its", "therefore"."""

import re
from functools import lru_cache

from deepresearch_mcp.text.language import guess

_FIRST = {
    "en": (
        r"that|this|these|those|it|its|they|their|them|he|she|his|her|such|both|neither"
        r"|so|then|there|here|thus|hence|nor|also|instead|otherwise|likewise|similarly|conversely"
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
        r"(?:these|those) (?!(?:that|who|which)\b)\w+|this|such an? \w+|the (?:latter|former)|the same \w+|there too"
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
    found = _patterns((language or guess(text) or "en").split("-")[0].lower())
    if found is None:
        return False
    first, anywhere = found
    bare = _LABEL.sub("", text.strip())
    if _THAT_CLAUSE.match(bare):
        return False
    return bool(first.match(bare) or anywhere.search(bare))


@lru_cache(maxsize=16)
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    if language not in _FIRST:
        return None
    # An apostrophe ends no word here: "it's" leans too.
    first = rf"(?i)[\W_]*(?:(?:{_BEFORE[language]})\s+)?(?:{_FIRST[language]})(?!\w)"
    return re.compile(first), re.compile(rf"(?i)(?<!\w)(?:{_ANYWHERE[language]})(?!\w)")

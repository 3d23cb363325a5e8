"""What a text denies."""

import re
from collections.abc import Iterator

from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.text.normalise import normalise
from deepresearch_mcp.text.stopwords import STOPWORDS

_NEGATION = re.compile(
    r"(?P<n>\b(?:not|never|without|cannot|neither|nor|hardly|barely|scarcely|seldom|rarely|nobody|nothing|nowhere|none|"
    r"lacks?|lacked|lacking|fails? to|failed to|denie[sd]|deny)\b|\b(?:no)\b(?!\.?\s?\d)|n't\b|"
    r"\b(?:kein|keine|keinen|keinem|keiner|keines|nicht|nie|niemals|niemand|nichts|ohne|weder|kaum)\b|"
    r"\b(?:ne|n')\s?(?=\w+(?:\s\w+){0,3}\s(?:pas|plus|jamais|rien|aucun|aucune|guère)\b)|\b(?:sans|aucun|aucune|jamais|ni)\b|"
    r"\b(?:nunca|jamás|ningún|ninguna|ninguno|nadie|nada|tampoco|sin)\b)"
)
_NO_NEGATION = re.compile(
    r"\s(?:(?:only|just|merely|simply|least|nur|seulement|solo|sólo|solamente|doubt)\b"
    r"|(?:more|less|fewer|greater|larger|later|earlier) than\b)"
)
_CLAUSE = re.compile(r"[.;:!?](?=\s|$)|,\s|\s-\s|\b(?:but|aber|sondern|mais|pero|sino|although|while|whereas)\b")
_SCOPE = 3
"""How many meaningful words after a negation are taken to be denied."""
_STOP = frozenset[str]().union(*STOPWORDS.values())


def negations(text: str) -> int:
    """Count the negations of a text (English; the basics of German, French and Spanish).

    "Not only", "no doubt", "no more than" and "No. 5" are none.
    """
    return sum(1 for _ in _scopes(normalise(text).text))


def contradicts(claim: str, evidence: str) -> bool:
    """Tell whether one text denies what the other states, as far as words show it.

    A negation in the evidence counts where the claim speaks of the words denied; one in the claim must
    have its like in the evidence.
    """
    said, found = normalise(claim).text, normalise(evidence).text
    if _is_sentence(said.strip(" ."), found.strip()):
        return False
    claimed, given = list(_scopes(said)), list(_scopes(found))
    if claimed and not given:
        return True
    spoken, stated = _stems(said), _stems(found)
    unsaid, denied = set[str]().union(*claimed), set[str]().union(*given)
    # Only words that one side uses without denying them speak against the other.
    return any(scope and scope <= stated and not scope & denied for scope in claimed) or any(
        scope and scope <= spoken and not scope & unsaid for scope in given
    )


_TRIES = 20


def _is_sentence(said: str, found: str) -> bool:
    """Tell whether the words stand in a text as a sentence of their own, so that nothing around them can turn them."""
    at = found.find(said)
    for _ in range(_TRIES):
        if at < 0:
            return False
        before, after = found[:at].rstrip(" \"'")[-1:], found[at + len(said) :].lstrip(" \"'")[:1]
        if before in ".!?:;" and after in ".!?;":
            return True
        at = found.find(said, at + 1)
    return False


def _scopes(flat: str) -> Iterator[frozenset[str]]:
    """Yield for each negation the stems of the words that it denies: the next few of its clause, else those before."""
    for match in _NEGATION.finditer(flat):
        if _NO_NEGATION.match(flat, match.end()):
            continue
        window = flat[match.end() : match.end() + 160]
        stops = [stop.start() for pattern in (_CLAUSE, _NEGATION) if (stop := pattern.search(window))]
        after = _content(window[: min(stops, default=None)])[:_SCOPE]
        yield frozenset(
            after or _content(_CLAUSE.split(flat[max(0, match.start() - 160) : match.start()])[-1])[-_SCOPE:]
        )


def _content(text: str) -> list[str]:
    return [stem(word) for word in words(text) if word not in _STOP]


def _stems(text: str) -> set[str]:
    return set(_content(text))

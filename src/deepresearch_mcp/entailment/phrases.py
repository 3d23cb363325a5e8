"""Divides a sentence by its small words: runs of meaningful words, the preposition of each run, and clauses."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from deepresearch_mcp.entailment.rules import alternatives, bounded, word_list
from deepresearch_mcp.text.dates import found_dates
from deepresearch_mcp.text.keywords import stem
from deepresearch_mcp.text.normalise import normalise
from deepresearch_mcp.text.number_words import in_digits
from deepresearch_mcp.text.numbers import UNITS

Kind = Literal["word", "det", "light", "be", "aux", "prep", "rel", "break"]

_DETERMINERS = word_list("phrases.determiners")
_LIGHT = word_list("phrases.light")
_BE = word_list("phrases.be")
_AUXILIARY = word_list("phrases.auxiliaries")
_PREPOSITIONS = word_list("phrases.prepositions")
PLACES = word_list("phrases.places")
"""Interchangeable prepositions: the capital of a country is the capital in it."""
_RELATIVE = word_list("phrases.relatives")
_BREAKS = word_list("phrases.breaks")
CONNECTIVES = word_list("phrases.connectives")
"""Conjunctions that open a clause and carry meaning, because they relate it to another clause."""
QUANTIFIERS = word_list("phrases.quantifiers")
"""Words that begin a new noun phrase, as articles do, and carry meaning."""
MODALS = word_list("phrases.modals")
DENIALS = word_list("phrases.denials")
LIMITS = word_list("phrases.limits")
"""Words that limit a sentence: without them it would say more."""
GOVERNORS = word_list("phrases.governors")
"""Words that govern a clause without stating it as fact."""
_ADVERBS = word_list("phrases.adverbs")
_FIXED = MODALS | DENIALS | LIMITS | QUANTIFIERS | CONNECTIVES
_VERBS = word_list("phrases.verbs")
_BOUNDS = (
    ("", "phrases.about"),
    ("qatleast ", "phrases.at_least"),
    ("qatmost ", "phrases.at_most"),
    ("qover ", "phrases.over"),
    ("qunder ", "phrases.under"),
)
"""The marker for a bound before a number, and the list of its expressions."""
_BOUND = [(put, re.compile(rf"\b(?:{alternatives(name)})\s+(?=[$€£~]?\d)")) for put, name in _BOUNDS]
_TOKEN = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)|(?P<number>(?<![\w)])-?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*)(?P<ordinal>st|nd|rd|th)?(?![^\W_])"
    r"|(?P<word>\w+(?:[.]\w+)*(?:\(\))?)(?P<own>'s\b|(?<=s)'(?=\s))?"
    r"|(?P<percent>%)|(?P<currency>[$€£¥])|(?P<mark>[,;:()\[\]\"|?!–]|-\s|--)"
)
_NOT = re.compile(r"n't\b")
_PERCENT = re.compile(bounded("phrases.percent"))
_GLUED = re.compile(rf"(?<=\d)(?=(?:{alternatives('phrases.glued_units')})\b)")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or mark with its role in the sentence."""

    key: str
    """The form used for comparison: a stem, a number, a unit's short name."""
    shown: str
    kind: Kind
    marker: str = ""
    """The preposition of its run; "" for a subject, a verb or an object."""
    run: int = 0
    """The number of its run: meaningful words without a small word between them share one."""
    first: bool = False
    """Whether it begins its run."""
    clause: int = 0
    owner: bool = False
    """Whether it is written with 's."""

    @property
    def verbal(self) -> bool:
        """Whether it has the shape of a verb: an ending, or one of the common irregular forms."""
        return self.shown in _VERBS or (len(self.shown) > 4 and self.shown.endswith(("ed", "ing")))

    @property
    def adverb(self) -> bool:
        """Whether it can be dropped without changing what the sentence says."""
        return (
            self.key not in LIMITS
            and self.shown not in LIMITS
            and ((len(self.shown) > 4 and self.shown.endswith("ly")) or self.shown in _ADVERBS)
        )


Tokens = tuple[Token, ...]


@lru_cache(maxsize=4096)
def tokens(text: str) -> Tokens:
    """Return the words and marks of a sentence in order, each with its preposition, run and clause."""
    return settled(_read(text))


def meant(found: Tokens) -> list[Token]:
    """Return only the meaningful words."""
    return [token for token in found if token.kind == "word"]


def settled(found: Tokens) -> Tokens:
    """Recompute runs, prepositions and clauses after words were moved."""
    placed: list[Token] = []
    marker, run, clause, inside = "", 0, 0, False
    for at, token in enumerate(found):
        if token.kind == "word" and token.key in CONNECTIVES:
            run, clause, marker, inside = run + 1, clause + 1, "", False
            placed.append(replace(token, marker="", run=run, first=True, clause=clause))
            continue
        if token.kind == "word" and token.key in QUANTIFIERS and inside:
            run, marker, inside = run + 1, "", True
            placed.append(replace(token, marker="", run=run, first=True, clause=clause))
            continue
        if token.kind == "word":
            run += not inside
            placed.append(replace(token, marker=marker, run=run, first=not inside, clause=clause))
            inside = True
            continue
        if token.kind in {"break", "rel"}:
            clause += 1
            marker = ""
        elif token.kind == "prep" and not (token.key == "of" and _measures(found, at)):
            # "At a size of 500" means "at 500".
            marker = token.key
        elif token.kind in {"be", "aux"} or (token.kind == "det" and inside):
            marker = ""
        if token.kind != "light":
            inside = False
        placed.append(replace(token, run=run, clause=clause, marker=marker))
    return tuple(placed)


def _measures(found: Tokens, at: int) -> bool:
    following = next((one for one in found[at + 1 : at + 3] if one.kind == "word"), None)
    return following is not None and (following.key[:1].isdigit() or following.key in LIMITS)


def _read(text: str) -> Tokens:
    flat = _NOT.sub(" not", normalise(text).text.replace("cannot", "can not"))
    flat = _dated(flat)
    flat = in_digits(_GLUED.sub(" ", _PERCENT.sub("%", flat)), one=False)
    for put, bound in _BOUND:
        flat = bound.sub(put, flat)
    return tuple(_token(match) for match in _TOKEN.finditer(flat))


def _dated(flat: str) -> str:
    """Write all full dates in one form, whatever the order of day, month and year."""
    parts: list[str] = []
    at = len(flat)
    for readings, start, end in reversed(found_dates(flat)):
        if len(readings) == 1 and re.fullmatch(r"\d{4}-\d\d-\d\d", readings[0]):
            # Both days of "5 to 7 May" have the same position.
            parts += (flat[end:at] if end <= at else " ", readings[0])
            at = start
    return "".join(reversed([*parts, flat[:at]]))


def _token(match: re.Match[str]) -> Token:
    shown = match.group()
    if match["mark"]:
        return Token(shown.strip(), shown.strip(), "break")
    if match["day"]:
        return Token(shown, shown, "word")
    if number := match["number"]:
        return Token(_number(number) + (match["ordinal"] or ""), shown, "word")
    if match["percent"] or match["currency"]:
        return Token("percent" if match["percent"] else shown, shown, "word")
    word = match["word"]
    kind: Kind = (
        "det" if word in _DETERMINERS
        else "light" if word in _LIGHT
        else "be" if word in _BE
        else "aux" if word in _AUXILIARY
        else "prep" if word in _PREPOSITIONS and word != "without"
        else "rel" if word in _RELATIVE
        else "break" if word in _BREAKS
        else "word"
    )  # fmt: skip
    if kind != "word":
        return Token(word, word, kind)
    key = word if word in _FIXED else UNITS.get(word) or _key(word)
    return Token(key, word, "word", owner=bool(match["own"]))


def _key(word: str) -> str:
    return stem(word.removesuffix("()"))


def _number(digits: str) -> str:
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        digits = digits.replace(",", "")
    whole, dot, rest = digits.partition(".")
    return whole if dot and rest.isdigit() and not rest.strip("0") else digits

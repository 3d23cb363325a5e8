"""Explain: says what evidence lacks of a statement, or says instead, in words for a report."""

import re
from collections.abc import Sequence

from deepresearch_mcp.entailment.denial import Denied
from deepresearch_mcp.entailment.phrases import Token, Tokens, meant, tokens
from deepresearch_mcp.entailment.rewording import moved
from deepresearch_mcp.entailment.rules import whole_threshold
from deepresearch_mcp.text.attributions import unattributed


def what_is_wrong(lacks: str, missing: Sequence[str], denial: Denied | None) -> str:
    """Return what is missing and what is denied, as one sentence about a statement and its evidence."""
    lost = f"{lacks}: {', '.join(missing)}" if missing else ""
    return "; ".join(filter(None, (lost, denial.told if denial else "")))


def shortfall(statement: str, missing: Sequence[str], found: Sequence[str], *, partly: bool) -> str:
    """Return why the quoted sentences do not carry a statement, or carry only a part of it.

    `missing` holds the known missing details, as they are displayed.
    """
    closest = nearest_sentence(statement, found)
    if partly and (differing := instead(statement, closest)):
        theirs, own = differing
        return f"the page says “{theirs}”, not “{own}”"
    more = absent(statement, "\n".join(found)) if partly else []
    nowhere: dict[str, str] = {}
    for word in (*missing, *more):
        nowhere.setdefault(word.casefold(), word)
    if nowhere:
        return f"not in the quoted words: {', '.join([*nowhere.values()][:_NAMED])}"
    if not partly:
        return "the quoted words say something else"
    if apart := absent(statement, closest):
        return f"the words stand there, but not together ({', '.join(apart[:_NAMED])}); no model judged it"
    return "the words stand there, but not as they are put here; no model judged it"


_NAMED = whole_threshold("explain.named")
"""How many words a reason names."""


def absent(statement: str, evidence: str) -> list[str]:
    """Return the meaningful words of a statement that occur nowhere in the evidence, as written."""
    held = {token.key for token in meant(tokens(evidence))}
    return [_word(token) for token in meant(tokens(statement)) if token.key not in held]


def instead(statement: str, sentence: str) -> tuple[str, str] | None:
    """Return what sentence and statement say in the one place where they differ; None if there is no such place."""
    wanted, given = tokens(unattributed(statement)), tokens(unattributed(sentence))
    if len(meant(wanted)) < _ENOUGH:
        return None
    for wording in moved(wanted):
        for reading in moved(given):
            if found := _differing(wording, reading):
                return _as_written(found[0], sentence), _as_written(found[1], statement)
    return None


_ENOUGH = whole_threshold("explain.enough")
_SLOT = whole_threshold("explain.slot")
"""The most words in a place where two sentences differ."""


def _differing(said: Tokens, given: Tokens) -> tuple[str, str] | None:
    mine = [one for one in said if one.kind in {"word", "prep"}]
    theirs = [one for one in given if one.kind in {"word", "prep"}]
    head = 0
    while head < min(len(mine), len(theirs)) and mine[head].key == theirs[head].key:
        head += 1
    tail = 0
    while tail < min(len(mine), len(theirs)) - head and mine[-1 - tail].key == theirs[-1 - tail].key:
        tail += 1
    own, other = mine[head : len(mine) - tail], theirs[head : len(theirs) - tail]
    most = min(_SLOT, head + tail)
    if head + tail < _ENOUGH - 1 or not (0 < len(own) <= most and 0 < len(other) <= most):
        return None
    return _words(other), _words(own)


_SHOWN = {"qover": "more than", "qunder": "less than", "qatleast": "at least", "qatmost": "at most"}


def _words(found: Sequence[Token]) -> str:
    return " ".join(map(_word, found))


def _word(token: Token) -> str:
    return _SHOWN.get(token.shown, token.shown)


def _as_written(words: str, text: str) -> str:
    """Return the words with their capitals in a text."""
    found = re.search(r"\W+".join(map(re.escape, words.split())), text, re.IGNORECASE)
    return " ".join(found.group().split()) if found else words


def nearest_sentence(statement: str, found: Sequence[str]) -> str:
    """Return the sentence that holds most of a statement's words; "" if there are none."""
    wanted = {token.key for token in meant(tokens(statement))}
    return max(found, key=lambda one: len(wanted & {token.key for token in meant(tokens(one))}), default="")

"""Sentences that tell a reader to do something, or ask one something, instead of stating anything."""

import re

from deepresearch_mcp.injection.rules import alternatives, word_list

_VERBS = word_list("orders.verbs")
_NOUNS = re.compile(rf"\W*\s(?:{alternatives('orders.after_noun')})\b", re.IGNORECASE)
_OPENING = re.compile(
    rf"^[\W_]*(?:(?:{alternatives('orders.lead_in')})\b[\W_]*){{0,4}}"
    rf"(?:(?:{alternatives('orders.negated')})\s+(?:(?:{alternatives('orders.negated_to')}) )?)?"
    r"(?:[a-z]+ly\s+)?([a-z]+)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(alternatives("orders.elsewhere"), re.IGNORECASE)
_OPENING_ABROAD = re.compile(rf"^\W*(?:{alternatives('orders.opening')})", re.IGNORECASE)
_ASKS = re.compile(r"[?？؟][\"”’»)\]]*\s*$")
_HOW = re.compile(alternatives("orders.how"), re.IGNORECASE)


def is_order(sentence: str) -> bool:
    """Whether a sentence is an instruction or a question to its reader, as far as its words tell.

    Made for a use in which a mistake costs little: only sentences that have nothing to do with what was asked are
    dropped for it.
    """
    if _ASKS.search(sentence) or _OPENING_ABROAD.match(sentence) or _ELSEWHERE.search(sentence):
        return True
    found = _OPENING.match(sentence)
    return bool(found and found[1].lower() in _VERBS and not _NOUNS.match(sentence, found.end()))


def is_code(line: str) -> bool:
    """Whether a line is a piece of a program and no sentence."""
    return (
        bool(_CODE.search(line)) or _is_statement(line) or sum(map(line.count, "{}[]()=;_\"'/<>")) > _SIGNS * len(line)
    )


_SIGNS = 0.1
"""Share of a program's signs among the characters of a line; prose has less than half of it."""
_CODE = re.compile(
    r"\w\((?:[^()\n\"'=_.,]*+[\"'=_.,][^()\n]*+|)\)"
    r"|^\s*(?:import \w|from [\w.]+ import )|[\w\])] ?(?:==|!=|:=|\+=|=>|->|&&|\|\|) ?[\w\"'(\[]"
    r"|^\s*[\w.\[\]\"', ]{1,60} = \S|[{};]\s*$|^```"
)


def _is_statement(line: str) -> bool:
    """Whether a line opens with a keyword and ends with a sign, or with one and a last word: "for x in y:"."""
    line = line.removesuffix("\n")
    opened = _KEYWORD.match(line)
    if opened is None:
        return False
    prose = _PROSE.search(line, opened.end())
    head = prose.start() if prose else len(line)
    words = [line.rstrip(), ""] if line[-1:].isspace() else line.rsplit(None, 1)
    last = len(words[0]) - 1 if len(words) > 1 else 0
    sign = _SIGN.search(line, max(opened.end(), last))
    return sign is not None and sign.start() < head


_KEYWORD = re.compile(r"\s*(?:import|from|def|class|return|const|let|var|with|for|if)\b")
_PROSE = re.compile(r"[.?!]")
_SIGN = re.compile(r"[:;(=]")


def asks_how(question: str) -> bool:
    """Whether instructions would answer a question."""
    return bool(_HOW.search(question))

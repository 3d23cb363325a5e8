"""Recognises sentences that instruct or ask a reader instead of stating something, and lines of code."""

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
    """Whether a sentence appears to be an instruction or a question to its reader.

    Mistakes are cheap, since callers drop such a sentence only if it has nothing to do with what was asked.
    """
    if _ASKS.search(sentence) or _OPENING_ABROAD.match(sentence) or _ELSEWHERE.search(sentence):
        return True
    found = _OPENING.match(sentence)
    return bool(found and found[1].lower() in _VERBS and not _NOUNS.match(sentence, found.end()))


def is_code(line: str) -> bool:
    """Whether a line is program code and not a sentence, nor a cell with figures such as "$530m ($450m)"."""
    bare = _FIGURE_ASIDE.sub("", line)
    return (
        bool(_CODE.search(line)) or _is_statement(line) or sum(map(bare.count, "{}[]()=;_\"'/<>")) > _SIGNS * len(bare)
    )


_SIGNS = 0.1
"""A line with a larger share of program punctuation is code; prose has less than half as much."""
_FIGURE_ASIDE = re.compile(r"(?<=\s)\([-–−+$€£¥]{0,2}\d[\d.,]{0,15} ?(?:%|[a-z]{1,2})?\)")
"""A figure in brackets behind a blank, as tables give that of the year before."""
_CODE = re.compile(
    r"\w\((?:[^()\n\"'=_.,]*+[\"'=_.,][^()\n]*+|)\)"
    r"|^\s*(?:import \w|from [\w.]+ import )|[\w\])] ?(?:==|!=|:=|\+=|=>|->|&&|\|\|) ?[\w\"'(\[]"
    r"|^\s*[\w.\[\]\"', ]{1,60} = \S|[{};]\s*$|^```"
)


def _is_statement(line: str) -> bool:
    """Whether a line opens with a keyword and has a `:`, `;`, `(` or `=` near its end, as "for x in y:" does."""
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
    """Whether a question asks how to do something, so that instructions answer it."""
    return bool(_HOW.search(question))

"""Headings: what a sub-question is about, as a phrase rather than a question."""

import re

from deepresearch_mcp.thinkers.extractive.parts import sentence_case
from deepresearch_mcp.thinkers.extractive.patterns import AUX, WH
from deepresearch_mcp.thinkers.extractive.prose import clip

_LONGEST_HEADING = 110


_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^What is known about (?:the )?(.+) with regard to [“\"]?(.+?)[”\"]?$"), r"\1: \2"),
    (re.compile(r"^What is known about (?:the )?(.+)$"), r"\1"),
    (re.compile(r"^What characterises (.+)$"), r"\1"),
    (re.compile(r"^How do (.+) differ with regard to (.+)$"), r"\1 compared: \2"),
    (re.compile(r"^How do (.+) differ in how they (.+)$"), r"\1 compared"),
    (re.compile(r"^How do (.+) differ$"), r"\1 compared"),
    (re.compile(r"^(?:What|Who) (?:is|are|was|were) (?:(?:the|an?) )?(.+)$"), r"\1"),
    (re.compile(r"^How (do|can|should|could|did) (?:I|you|we|one) (.+)$"), r"How to \2"),
    (re.compile(r"^(How|Why|When|Where) do (?!n[o']t)(.+)$"), r"\1 \2"),
)
_NOT_A_PHRASE = re.compile(
    rf"\b(?:known|called|named|used|done|made|like|for|of|in|from|about|with|to|at|by|on)$|^(?:{AUX}|it|there|this|that)\b",
    re.IGNORECASE,
)
_SINGULAR = re.compile(
    r"^(How|Why|When|Where) does ((?:the )?(?:[A-Z][\w.+#’'-]*)(?: [A-Z][\w.+#’'-]*)*) ([a-z]+)( .+)?$"
)


def heading_of(question: str) -> str:
    """Turn a sub-question into a heading: `What are the causes of X?` → `Causes of X`; other forms stay."""
    text = " ".join(question.split())
    bare = text.rstrip("?. ")
    topic, colon, rest = bare.partition(": ")
    if colon and re.match(rf"{WH}\s", rest, re.IGNORECASE) and len(topic.split()) <= 6:
        return clip(f"{topic}: {rest}{'?' if text.endswith('?') else ''}", _LONGEST_HEADING)
    if match := _SINGULAR.match(bare):
        lead, subject, verb, tail = match.groups()
        return clip(f"{lead} {subject} {_third_person(verb)}{tail or ''}", _LONGEST_HEADING)
    for pattern, put in _PATTERNS:
        if (match := pattern.match(bare)) and not _NOT_A_PHRASE.search(phrase := match.expand(put)):
            return clip(sentence_case(phrase), _LONGEST_HEADING)
    return clip(sentence_case(text), _LONGEST_HEADING)


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return "has" if verb == "have" else f"{verb}s"

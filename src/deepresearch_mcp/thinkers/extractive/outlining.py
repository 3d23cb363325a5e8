"""Outline: a title and one section a sub-question, under headings that are phrases rather than questions."""

import re
from collections.abc import Sequence

from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Outline, SectionPlan
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.extractive.parts import sentence_case
from deepresearch_mcp.thinkers.extractive.patterns import AUX, WH
from deepresearch_mcp.thinkers.extractive.prose import clip

_WHOLE = "q0"
_REST = "Further findings"
_LONGEST_TITLE = 140
_LONGEST_HEADING = 110


def outline(brief: Brief, parts: Sequence[SubQuestionEvidence]) -> Outline:
    """Return the question as title and the sections in the order of the plan; a heading never repeats.

    Claims for the whole question, `q0`, come last, because the other parts have a better order.
    """
    sections: list[SectionPlan] = []
    for part in sorted(parts, key=lambda part: part.sub_question.id == _WHOLE):
        heading = heading_of(part.sub_question.text)
        if part.sub_question.id == _WHOLE and sections and all(heading != section.heading for section in sections):
            heading = _REST
        same = next((section for section in sections if section.heading.casefold() == heading.casefold()), None)
        if same is None:
            sections.append(SectionPlan(heading=heading, sub_questions=(part.sub_question.id,)))
        else:
            joined = same.model_copy(update={"sub_questions": (*same.sub_questions, part.sub_question.id)})
            sections[sections.index(same)] = joined
    return Outline(title=title_of(brief.question), sections=tuple(sections))


def title_of(question: str) -> str:
    """Return the question on one line without its polite opening, at most 140 characters."""
    text = " ".join(question.split())
    first = re.split(r"(?<=[?？])\s", text)[0] if len(text) > _LONGEST_TITLE else text
    return clip(sentence_case(first), _LONGEST_TITLE)


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

"""Completes the clauses of a question: what they are about replaces their pronouns, or goes before them."""

import re

from deepresearch_mcp.thinkers.extractive.forms import things_in
from deepresearch_mcp.thinkers.extractive.parts import listed as in_a_row
from deepresearch_mcp.thinkers.extractive.parts import sentence_case
from deepresearch_mcp.thinkers.extractive.patterns import ASKS, AUX, WH
from deepresearch_mcp.thinkers.extractive.terms import names

_THINGS = re.compile(r"\b(it|they|them|he|she|him)\b", re.IGNORECASE)
_OWNERS = re.compile(r"\b(its|their|his|her)\b", re.IGNORECASE)


_EACH = re.compile(r"\b(?:each|both|either|one|them|they|these|the two|which)\b", re.IGNORECASE)
_WHICH = re.compile(r"^which\s+(?:one\s+)?(?=(?:is|are|was|were|has|have|would|should|do|does)\b)", re.IGNORECASE)
_CHOSEN = re.compile(r"^which\s+(?:of (?:them|these|the two)|an?|the|i|we|you|to)\s", re.IGNORECASE)
"""`which a library can use`: one of the things before."""
_ABOUT_IT = re.compile(r"\b(?:it|that|this)(?=[?.]?$)", re.IGNORECASE)
_SUBJECT_ASKED = re.compile(rf"^what\s+(?!{AUX}\b)\w+", re.IGNORECASE)


def completed(found: list[str], about: str = "") -> list[str]:
    """Make clauses complete: what they are about replaces their pronouns or goes before them.

    `about` is what the question says before it asks; without it the first clause tells.
    """
    if about:
        return [clause if names(clause) else _headed(about, clause) for clause in found]
    if len(found) < 2:
        return found
    first = found[0].rstrip("?. ")
    things = things_in(first)
    topic = subject(found[0])
    if not topic and not things:
        return found
    whole = [found[0]]
    for clause in found[1:]:
        put = clause
        noun = _ASKED_NOUN.match(first)
        which = _WHICH.match(clause)
        if noun and topic and not names(clause) and which:
            put = _headed(topic, f"which of the {noun['noun']} {clause[which.end() :]}")
        elif len(things) > 1 and _CHOSEN.match(clause):
            put = _headed(in_a_row(things, "and"), clause)
        elif not names(clause) and len(things) > 1 and _EACH.search(clause):
            bare = clause.rstrip("?. ")
            put = (
                f"{bare}: {in_a_row(things, 'or')}?"
                if _WHICH.match(clause)
                else _headed(in_a_row(things, "and"), clause)
            )
        elif not names(clause) and _SUBJECT_ASKED.match(first) and _ABOUT_IT.search(clause):
            put = f"{_ABOUT_IT.sub(lambda _: first[:1].lower() + first[1:], clause, count=1)}"
        elif topic and not names(clause) and topic.casefold() not in clause.casefold():
            if noun and re.search(r"\b(?:they|them|their)\b", clause, re.IGNORECASE):
                put = re.sub(r"\b(?:they|them)\b", noun["noun"], clause, count=1, flags=re.IGNORECASE)
                put = re.sub(r"\btheir\b", f"the {noun['noun']}’", put, count=1, flags=re.IGNORECASE)
                whole.append(_headed(topic, put))
                continue
            owned = _OWNERS.sub(f"{topic}’" if topic.endswith("s") else f"{topic}’s", clause, count=1)
            put = owned if owned != clause else _THINGS.sub(topic, clause, count=1) if ASKS.match(clause) else clause
            if put == clause:
                bare_topic = re.sub(r"^(?:the|an?)\s+", "", topic, flags=re.IGNORECASE)
                put = f"{bare_topic[:1].upper()}{bare_topic[1:]}: {_small(clause)}"
        whole.append(put)
    return whole


_ASKED_NOUN = re.compile(rf"^(?:what|which)\s+(?P<noun>(?:[a-z][\w-]*\s){{0,2}}[a-z][\w-]*s)\s+{AUX}\b", re.IGNORECASE)


def _headed(topic: str, clause: str) -> str:
    """Put a topic before a clause, as in `Rebase versus merge: when should each be used?`."""
    return f"{sentence_case(topic)}: {_small(clause)}"


def _small(clause: str) -> str:
    return clause[:1].lower() + clause[1:] if ASKS.match(clause) else clause


_DEFINED = re.compile(
    r"^(?:what|who)\s+(?:is|are|was|were)\s+((?:the |an? )?(?:[\w’'.+#-]+ ){0,5}?[\w’'.+#-]+)$", re.IGNORECASE
)
_WITH_ARTICLE = re.compile(rf"^{WH}\s+(?:do|does|did)\s+(the [\w’'-]+(?: of (?:the )?[\w’'-]+)?)\s", re.IGNORECASE)


def subject(clause: str) -> str:
    """Return what a clause is about; "" where that is unclear.

    It is the term whose meaning is asked, else the first name, else a subject of `do` with an article.
    """
    bare = clause.rstrip("?. ")
    if match := _DEFINED.match(bare):
        return match.group(1)
    for name in names(bare):
        at = bare.find(name)
        return f"the {name}" if re.search(r"\bthe\s$", bare[:at], re.IGNORECASE) else name
    if match := _WITH_ARTICLE.match(bare):
        return match.group(1)
    return bare if len(bare.split()) <= 4 and not ASKS.match(bare) else ""

"""The line on versions and dates under the opening: made a sentence where a writer only listed them."""

import re
from collections.abc import Sequence
from itertools import groupby

from deepresearch_mcp.records.report import Sentence

_VERB = re.compile(
    r"\b(?:are|is|was|were|be|been|has|have|had|do|does|may|can|will|describes?|covers?|documents?|appl(?:y|ies)|refers?"
    r"|comes?|stems?|states?|speaks?|concerns?|reflects?|go(?:es)?|ends?|begins?|dates? (?:from|back)|rests?|follows?"
    r"|bears?|carr(?:y|ies)|gives?|names?|shows?|holds?|runs?|reach(?:es)?|stands?|belongs?|draws?)\b",
    re.IGNORECASE,
)
_LONGEST = 9
"""Words of a name with its version; longer ones are sentences, whatever their verb is."""
_OPENS_CLAUSE = re.compile(r"(?:In|On|At|From|Since|By|Until|Before|After|As|For|With|When|While|Where|Because)\b")
_LOWERED = re.compile(r"(?:The|A|An|Pages|Documentation|Versions?|Releases?|Editions?)\b")


def as_sentences(described: Sequence[Sentence], language: str) -> tuple[Sentence, ...]:
    """The sentences; English facts without a verb, as "PostgreSQL 15.20", joined as what the sources describe."""
    done: list[Sentence] = []
    for bare, group in groupby(described, lambda one: language.startswith("en") and _is_bare(one)):
        found = tuple(group)
        done += [_joined(found)] if bare else map(_stopped, found)
    return tuple(done)


def _stopped(sentence: Sentence) -> Sentence:
    text = sentence.text.rstrip()
    return sentence if not text or text.endswith(_STOPS) else sentence.model_copy(update={"text": f"{text}."})


_STOPS = (".", "!", "?", "。", "！", "？", "…")


def _is_bare(sentence: Sentence) -> bool:
    text = sentence.text
    is_name = len(text.split()) <= _LONGEST and not _OPENS_CLAUSE.match(text)
    return sentence.kind != "judgement" and bool(text.strip()) and is_name and not _VERB.search(text)


def _joined(found: Sequence[Sentence]) -> Sentence:
    named = [_lowered(one.text.strip().rstrip(".;")) for one in found]
    *head, last = named
    listed = f"{', '.join(head)} and {last}" if head else last
    ids = dict.fromkeys(name for one in found for name in one.claim_ids)
    return found[0].model_copy(update={"text": f"The sources describe {listed}.", "claim_ids": tuple(ids)})


def _lowered(text: str) -> str:
    """The text as it stands inside a sentence."""
    return text[:1].lower() + text[1:] if _LOWERED.match(text) else text

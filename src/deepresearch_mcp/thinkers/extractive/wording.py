"""What the wording of a sentence shows: fact, estimate, opinion or forecast, and the date at which it holds."""

import re

from deepresearch_mcp.entailment.check import clauses_of, without_samples
from deepresearch_mcp.records.evidence import ClaimKind
from deepresearch_mcp.text.numbers import numbers
from deepresearch_mcp.thinkers.extractive.patterns import MONTH, any_of

_KINDS: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = (
    (
        "forecast",
        re.compile(
            any_of(
                r"(?<!to )(?<!can )(?<!not )(?<!could )(?<!help )(?<!helps )(?<!weather )"
                r"\b(?:forecasts?|projections?|predict(?:s|ed)?)\b"
                r"(?! (?:errors?|models?|accuracy|methods?|techniques?|skill|intervals?|values?|horizons?|class))",
                r"\b(?:projected to|expected (?:to (?!return|contain|match|implement|provide)|by|in))\b",
                r"\b(?:is|are) (?:likely|on track) to\b",
                # Neither "is set to 30 seconds" nor "are due to rain" is a forecast.
                r"\b(?:is|are) (?:set|due) to (?:be \w+ed|become|reach|rise|fall|grow|increase|decrease|decline|open|"
                r"close|begin|start|end|expire|launch|double|triple|exceed|hit|take|arrive|expand|remain|continue|drop|"
                r"climb|overtake|replace|retire|leave|come|go|shrink|cost|lose|gain|return)\b",
                r"\bwill\b[^.]{0,120}\b(?:by|in|until|before) 20\d\d\b",
            ),
            re.IGNORECASE,
        ),
    ),
    (
        "opinion",
        re.compile(
            any_of(
                r"\b(?:believe[sd]?|argu(?:e|es|ed|ing)|opine[sd]?|contend(?:s|ed)|claim(?:s|ed) that)\b",
                r"\bsuggests? that\b",
                r"\b(?:in (?:my|our|his|her|their) (?:opinion|view)|i think|we think|arguably|according to critics)\b",
                r"\bcritici[sz](?:e|es|ed)\b",
            ),
            re.IGNORECASE,
        ),
    ),
    (
        "estimate",
        re.compile(
            any_of(
                r"\b(?:about|around|nearly|almost|some|circa|ca\.?|c\.)\s+[$€£]?\d",
                r"\b(?:approximately|roughly)\b",
                r"(?<!to )\bestimates?\b(?! (?:the|parameters?|of the (?:parameters?|model))\b)",
                r"\bestimated\b(?! (?:with|using|from|in|the|parameters?|model)\b)",
            ),
            re.IGNORECASE,
        ),
    ),
)


def kind_of(text: str) -> ClaimKind:
    """Tell from the wording whether a sentence is a forecast, an opinion, an estimate or a fact.

    A bound ("more than 5") is no estimate, nor is how many were asked ("about 12,000 participants").
    """
    bare = without_samples(text)
    for kind, pattern in _KINDS:
        if pattern.search(bare):
            return kind
    return "fact"


def kind_of_claim(text: str, quote: str) -> ClaimKind:
    """Tell the kind of a claim by its own wording, or else by the clauses of the quote that it comes from.

    A clause that estimates or forecasts a figure does not count if the claim leaves the figure out.
    """
    said = kind_of(text)
    quoted = kind_of(quote) if said == "fact" else "fact"
    if quoted == "fact":
        return said
    figures = numbers(" ; ".join(clause for clause in clauses_of(quote) if kind_of(clause) == quoted))
    return said if quoted != "opinion" and figures and figures.isdisjoint(numbers(text)) else quoted


_DATED = re.compile(
    r"\b(?:as of|as at|since|until|by|in|during|on)\s+"
    rf"((?:(?:early|mid|late)[ -])?(?:\d{{1,2}}\s+)?(?:{MONTH}\s+(?:\d{{1,2}},?\s+)?)?(?:1[5-9]|20)\d\d)\b",
    re.IGNORECASE,
)


def dated(text: str) -> str:
    """Return the first date at which the sentence says it holds, as written; "" if it gives none."""
    match = _DATED.search(text)
    return match.group(1) if match else ""

"""Finds words for causes, comparisons, extremes, certainty and limits, and words that attribute a statement."""

import re
from collections.abc import Sequence

from deepresearch_mcp.entailment.rules import alternatives, bounded, word_list

_KINDS = ("cause", "comparison", "extreme", "most", "only", "all", "certainty")


def _ties(kind: str) -> str:
    return bounded(f"ties.{kind}").replace("{no_superlatives}", "|".join(sorted(word_list("ties.no_superlatives"))))


def _grounds(kind: str) -> str:
    """Return the expression for the words that support a tie: words of its kind, and weaker ones."""
    signs = f"|{alternatives('ties.grounds.signs')}" if kind == "most" else ""
    return f"{_ties(kind)}|{bounded(f'ties.grounds.{kind}')}{signs}"


_TIES = {kind: re.compile(_ties(kind), re.IGNORECASE) for kind in _KINDS}
_CARRY = {kind: re.compile(_grounds(kind), re.IGNORECASE) for kind in _KINDS}
_LIMITS = {
    kind: re.compile(bounded(f"ties.limits.{kind}"), re.IGNORECASE) for kind in ("certainty", "extent", "condition")
}


def ties(text: str) -> dict[str, str]:
    """Return the ties in a text: kind → the word that makes it.

    The kinds are `cause`, `comparison`, `extreme` (superlatives), `most`, `only`, `all` (without exception) and
    `certainty`. English, and the most common words of German, French and Spanish.
    """
    return {kind: found.group() for kind, pattern in _TIES.items() if (found := pattern.search(text))}


def untold_ties(text: str, evidence: str) -> tuple[str, ...]:
    """Return the words that make a tie of a kind which the evidence has no words for.

    The evidence is read generously: "since" supports a cause, "over" a comparison.
    """
    return tuple(word for kind, word in ties(text).items() if not _CARRY[kind].search(evidence))


def lost_limits(text: str, said: str) -> tuple[str, ...]:
    """Return the kinds of limits (`certainty`, `extent`, `condition`) that `said` has and `text` has lost."""
    return tuple(kind for kind, limit in _LIMITS.items() if limit.search(said) and not limit.search(text))


_OWNED = re.compile(
    rf"{bounded('ties.owned')}|{alternatives('ties.owned_signs')}"
    rf"|{bounded('ties.finders')}(?:\s[\w,()-]+){{0,8}}?\s(?:{alternatives('ties.finding')})\b",
    re.IGNORECASE,
)


def says_whose(text: str) -> bool:
    """Return whether a text presents its content as a person's view, a guess or a forecast."""
    return bool(_OWNED.search(text))


_COUNT = (
    rf"(?:(?:{alternatives('ties.count.about')})\s)?(?:\d[\d,.]{{0,15}}+|{alternatives('ties.count.numbers')})"
    rf"(?:\s(?:{alternatives('ties.count.scales')}))?"
)
_SAMPLE = re.compile(
    rf"\b{_COUNT}(?:\s[\w-]+){{0,2}}?\s(?:{alternatives('ties.sample.counted')})\b"
    rf"|{bounded('ties.sample.study')}\s(?:(?:{alternatives('ties.sample.linking')})\s)?"
    rf"{_COUNT}(?:\s[\w-]+){{0,2}}?\s(?:{alternatives('ties.sample.people')})\b",
    re.IGNORECASE,
)


def without_samples(text: str) -> str:
    """Return a text without sample sizes, such as "about 12,000 participants"."""
    return _SAMPLE.sub(" ", text)


def untold_kind(text: str, kinds: Sequence[str]) -> str:
    """Return the kind of a claim that a text presents as fact: `estimate`, `opinion` or `forecast`; "" for none."""
    left = [kind for kind in kinds if kind != "fact"]
    bare = without_samples(text)
    if bare != text and not any(char.isdigit() for char in bare):
        # The sample of a study is counted, not estimated.
        left = [kind for kind in left if kind != "estimate"]
    return left[0] if left and not says_whose(text) else ""

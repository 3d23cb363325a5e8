"""Denial: finds what a text denies, and whether it denies what another one states."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from deepresearch_mcp.entailment.rules import alternatives, bounded, threshold, whole_threshold
from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.text.normalise import normalise
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.text.stopwords import STOPWORDS

_NEGATION = re.compile(alternatives("denial.negations"))
_NO_NEGATION = re.compile(rf"\s(?:{alternatives('denial.no_negation')})\b")
_INSTEAD = re.compile(bounded("denial.instead"))
"""Words that exclude something without denying what the sentence is about."""
_VALUE = re.compile(rf"(?:{alternatives('denial.values')})$")
"""Words before "none" that make it a value, as in Python."""
_CLAUSE = re.compile(rf"[.;:!?](?=\s|$)|,\s|\s-\s|{bounded('denial.joining')}")
_WINDOW = whole_threshold("denial.window")
"""Characters around a negation that are searched for what it denies."""
_SCOPE = whole_threshold("denial.scope")
"""How many meaningful words after a negation count as denied."""
_STOP = frozenset[str]().union(*STOPWORDS.values())


def negations(text: str) -> int:
    """Count the negations of a text (English; the basics of German, French and Spanish).

    "Not only", "no doubt", "no more than" and "No. 5" do not count.
    """
    return sum(1 for _ in _denials(normalise(text).text))


@dataclass(frozen=True, slots=True)
class Denied:
    """What one text denies and another states."""

    words: str
    """From the negation to the end of what it denies, casefolded."""
    by_claim: bool
    """Whether the claim denies it and the evidence does not; False: the other way round."""

    @property
    def said(self) -> str:
        """The denial in a few words, as one of several faults."""
        return f"not denied there: {self.words}" if self.by_claim else f"denied nearby: {self.words}"

    @property
    def told(self) -> str:
        """The denial as a sentence about a sentence and its sources."""
        if self.by_claim:
            return f"it denies something that its sources do not deny: “{self.words}”"
        return f"its sources deny something where it does not: “{self.words}”"


def contradicts(claim: str, evidence: str) -> bool:
    """Return whether one text denies what the other states, as far as words show; see `denied`."""
    return denied(claim, evidence) is not None


def denied(claim: str, evidence: str) -> Denied | None:
    """Return what one text denies and the other states; None if they agree.

    A negation in the evidence counts if the claim mentions the denied words; a negation in the claim needs an equal one
    in the evidence. A comparison denies nothing ("than no treatment"). Another sentence, or a bracket, beside the one
    about the claim denies the claim only if it refers back to it or has its subject.
    """
    said, found = normalise(claim).text, normalise(evidence).text
    if _is_sentence(said.strip(" ."), found.strip()):
        return None
    claimed, given = list(_denials(said)), list(_denials(found))
    unsaid_besides = frozenset[str]().union(*(_behind(said, one.end()) for one in _INSTEAD.finditer(said)))
    own = [one for one in claimed if not one.compared]
    if own and not given:
        return Denied(own[0].words, by_claim=True)
    spoken, stated = _stems(said), _stems(found)
    unsaid = unsaid_besides.union(*(one.scope for one in claimed))
    theirs = frozenset[str]().union(*(one.scope for one in given))
    # Only words that one side uses without denying them contradict the other side.
    for one in own:
        if one.scope and one.scope <= stated and not one.scope & theirs:
            return Denied(one.words, by_claim=True)
    if any(one.scope and one.scope <= spoken and not one.scope & unsaid for one in given):
        for one in _bearing(said, evidence):
            if one.scope and one.scope <= spoken and not one.scope & unsaid:
                return Denied(one.words, by_claim=False)
    return None


_MOST = threshold("denial.most")
"""One sentence must hold this share of the claim's words to be about the same thing."""
_UNSURE = re.compile(bounded("denial.unsure"))
"""Words that deny without a negation, or deny a part; near them, a negation may restate the same thing."""


def flatly_denied(claim: str, evidence: str) -> bool:
    """Return whether one sentence of the evidence says what the claim says, and only one of the two denies it.

    This is stricter than `denied`: if the negation is in another sentence or clause, or if another word may deny as
    well, only a reader can decide what it means for the claim.
    """
    said = normalise(claim).text
    own, spoken = list(_denials(said)), _stems(_NEGATION.sub(" ", said))
    if not spoken or len(own) > 1 or _UNSURE.search(said):
        return False
    for start, end in sentences(evidence):
        part = normalise(evidence[start:end]).text
        if len(_stems(part) & spoken) < _MOST * len(spoken) or _UNSURE.search(part):
            continue
        theirs = list(_denials(part))
        if len(own) + len(theirs) == 1 and (own + theirs)[0].scope <= (_stems(part) if own else spoken):
            return True
    return False


def _behind(flat: str, start: int) -> frozenset[str]:
    """Return the stems of the next few words of the clause."""
    return frozenset(_content(_CLAUSE.split(flat[start : start + _WINDOW])[0])[:_SCOPE])


_TRIES = whole_threshold("denial.tries")


def _is_sentence(said: str, found: str) -> bool:
    """Return whether the words form a whole sentence of a text, so that no context can change their meaning."""
    at = found.find(said)
    for _ in range(_TRIES):
        if at < 0:
            return False
        before, after = found[:at].rstrip(" \"'")[-1:], found[at + len(said) :].lstrip(" \"'")[:1]
        if before in ".!?:;" and after in ".!?;":
            return True
        at = found.find(said, at + 1)
    return False


@dataclass(frozen=True, slots=True)
class _Denial:
    """A negation and what it denies."""

    scope: frozenset[str]
    """Stems of the denied words: the next few of the clause, or else those before."""
    start: int
    words: str
    """From the negation to the end of what it denies, casefolded."""
    compared: bool
    """Whether it belongs to a comparison or an alternative, so that it denies nothing."""


_OTHERS = (
    rf"(?: (?:{alternatives('denial.compared')})){{0,5}}"
    r"(?:(?: [\w-]+)? (?:who|which)(?: [\w-]+){1,3})?"
)
"""Words for what something is compared with; any other word may be the subject of a denial."""
_COMPARED = re.compile(rf"\b(?:{alternatives('denial.comparing')}){_OTHERS} $|\bwith (?:and|or) $")
_OR = re.compile(r"\bor $")
_LITTLE = re.compile(rf"\b(?:{alternatives('denial.little')}) or $")
_BEFORE = whole_threshold("denial.before")


def _denials(flat: str) -> Iterator[_Denial]:
    clause_denied = -_BEFORE
    for match in _NEGATION.finditer(flat):
        if _NO_NEGATION.match(flat, match.end()):
            continue
        before = flat[max(0, match.start() - _BEFORE) : match.start()]
        if match.group() == "none" and _VALUE.search(before) and not flat.startswith(" of ", match.end()):
            continue
        clause = _CLAUSE.split(before)[-1]
        compared = bool(_COMPARED.search(before)) or (
            # "No cost or no benefit" continues the denial, as "little or no benefit" does.
            match.group() == "no"
            and bool(_OR.search(before))
            and not _LITTLE.search(before)
            and match.start() - clause_denied > len(clause)
        )
        if not compared:
            clause_denied = match.end()
        window = flat[match.end() : match.end() + _WINDOW]
        stops = [stop.start() for pattern in (_CLAUSE, _NEGATION) if (stop := pattern.search(window))]
        behind = window[: min(stops, default=None)]
        scope = _content(behind)[:_SCOPE]
        words_denied = f"{match.group()}{' '.join(behind.split(' ')[: _SCOPE + 2])}".strip()
        if not scope:
            earlier = _CLAUSE.split(flat[max(0, match.start() - _WINDOW) : match.start()])[-1]
            scope = _content(earlier)[-_SCOPE:]
            words_denied = f"{' '.join(earlier.split(' ')[-_SCOPE - 1 :])}{match.group()}".strip()
        yield _Denial(frozenset(scope), match.start(), words_denied.rstrip(" .,;:()"), compared)


_BACK = re.compile(rf"\W*(?:{alternatives('denial.back')})\b")
_PRONOUN = re.compile(bounded("denial.pronouns"))
_NEAR = threshold("denial.near")
"""A sentence with this share of the best sentence's words is also about the claim."""
_INSIDE = re.compile(r"\(([^()]*)\)?")


def _bearing(said: str, evidence: str) -> Iterator[_Denial]:
    """Yield the negations of the evidence that may contradict what is said."""
    spoken, subject = _stems(said), _content(said)[:1]
    parts = [normalise(evidence[start:end]).text for start, end in sentences(evidence)]
    held = [len(_stems(part) & spoken) for part in parts]
    most = max(held, default=0)
    for part, shared in zip(parts, held, strict=True):
        its_own = shared >= _NEAR * most or bool(_stems(part).intersection(subject))
        inside = [(one.start(1), one.end(1)) for one in _INSIDE.finditer(part)]
        begins = [start for start, _ in inside]
        pronouns = [(one.start(), one.end()) for one in _PRONOUN.finditer(part)]
        for one in _denials(part):
            if one.compared:
                continue
            within = inside[bisect_right(begins, one.start) - 1] if begins and begins[0] <= one.start else (0, 0)
            low, high = within if one.start < within[1] else (0, len(part))
            named = bisect_left(pronouns, (low, 0))
            refers = bool(_BACK.match(part, low)) or (named < len(pronouns) and pronouns[named][1] <= one.start)
            if low:
                # A bracket that opens with its denial refers to the sentence around it.
                if one.start - low <= 1 or refers or _stems(part[low:high]).intersection(subject):
                    yield one
            elif its_own or refers:
                yield one


def _content(text: str) -> list[str]:
    return [stem(word) for word in words(text) if word not in _STOP]


def _stems(text: str) -> set[str]:
    return set(_content(text))

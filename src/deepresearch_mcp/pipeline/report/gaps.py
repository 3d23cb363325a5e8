"""What a report could not establish: what is missing, what was tried for it, and why it ended."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.report.digest_figures import unanswered
from deepresearch_mcp.pipeline.report.gap_check import NUMBER, SpokenOf, facts_of
from deepresearch_mcp.pipeline.report.unbacked import unbacked
from deepresearch_mcp.records.ceilings import limit_words
from deepresearch_mcp.records.plan import Scope, SubQuestion
from deepresearch_mcp.records.report import Gap
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.urls import addresses_in

_MOST = 4
"""Gaps that a report tells, beside sub-questions without a claim: its reader wants the ones that weigh."""
_UNSEARCHED = 1
"""Of these at least so many that were not searched for, if there are any."""


@dataclass(frozen=True, slots=True)
class Missing:
    """What a report lacks, a line each."""

    tried: str = ""
    """What was done for all in `sought`."""
    sought: tuple[str, ...] = ()
    """What the run looked for in vain."""
    others: tuple[str, ...] = ()
    """All else, each with why it is missing."""
    in_full: tuple[str, ...] = ()
    """Each in `sought` with the queries that were asked for it."""


def told_gaps(findings: Findings, *, ended_early: bool) -> Missing:
    """What the run looked for in vain, what a limit left open, then sub-questions without a claim."""
    # What was perhaps never searched for may not be called missing from the sources.
    why = "Not answered before the research ended" if ended_early else "No source that could be read answers"
    why = "Nothing relevant was found on" if findings.digest and not findings.ceiling else why
    unshown = unanswered(findings)
    empty = {
        part.sub_question.text: why if _asked(part.sub_question, findings) else _unasked(part.sub_question, findings)
        for part in findings.claims_by_sub_question
        # A claim that was read for it answers it, even if it fits another one better.
        if (
            part.sub_question.id in unshown
            if findings.digest
            else not part.claims and not findings.of(part.sub_question.id).claims
        )
    }
    known = _known(findings)
    tried = _still_open(findings, known)
    guessed = findings.assessment.gaps if findings.assessment and not findings.digest else ()
    searched = [gap for gap in tried if not gap.ceiling]
    left = [gap for gap in tried if gap.ceiling]
    searched = searched[: _MOST - min(len(left), _UNSEARCHED)]
    asked = set[str]()
    sought = tuple(_with_queries(gap, _sought(gap), asked) for gap in searched)
    said = _unsearched(left[: _MOST - len(searched)])
    told = [_words(text) for text in (*sought, *said, *(gap.missing for gap in findings.gaps))]
    said += [gap for gap in guessed if _is_backed(gap, known) and not _told(gap, told)]
    told += [_words(text) for text in said]
    said += [f"{reason}: {text}" for text, reason in empty.items() if not _told(text, told)]
    tried = _TRIED if any(gap.queries for gap in searched) else _READ
    return Missing(tried if sought else "", sought, tuple(dict.fromkeys(said)), tuple(map(_in_full, searched)))


_TRIED = "Looked for on the pages that were read and with searches of its own, and not found:"
_READ = "Looked for on the pages that were read, and not found:"


def open_gaps(findings: Findings) -> list[Gap]:
    """What the run looked for in vain, each matter once, in words that may be shown; the decisive ones first."""
    known, points = _known(findings), points_of(findings.brief.scope)
    assessed = findings.assessment.coverage if findings.assessment else ()
    points = {one.point: points[one.point] for one in assessed if one.status == "open" and one.point in points}
    # Of two that ask for the same, the one that was searched for stays.
    found = sorted(findings.gaps, key=lambda gap: (bool(gap.ceiling), not gap.decisive, gap.point not in points))
    kept: list[Gap] = []
    for gap in found:
        missing = _missing(gap, known, points)
        if missing and not any(_are_one(missing, other.missing) for other in kept):
            kept.append(gap.model_copy(update={"missing": missing}))
    return sorted(kept, key=lambda gap: (not gap.decisive, gap.point not in points))


def _still_open(findings: Findings, known: str) -> list[Gap]:
    """The gaps that the report does not answer, as a model says, or its words where no model has said it."""
    gaps = open_gaps(findings)
    if not gaps or findings.digest:
        return gaps
    checks = {one.missing: one for one in findings.gap_checks}
    spoken = SpokenOf(facts_of(findings, findings.draft))
    kept: list[Gap] = []
    for gap in gaps:
        check = checks.get(gap.missing)
        if check is None:
            if not spoken.knows(gap.missing):
                kept.append(gap)
        elif check.status == "partly":
            # What is left of a half-answered gap is most often a detail that some page tells in passing: told only
            # where the answer turns on it.
            if gap.decisive and _may_tell(check.rest, known) and _is_part(check.rest, gap.missing):
                kept.append(gap.model_copy(update={"missing": check.rest}))
        elif check.status == "open" and check.same_as not in {one.missing for one in gaps}:
            kept.append(gap)
    return kept


def _known(findings: Findings) -> str:
    """What the figures and addresses of a gap must be known from, as it has no citation."""
    claims = findings.settled().values()
    return "\n".join(
        (
            findings.brief.question,
            *(part.sub_question.text for part in findings.parts),
            *points_of(findings.brief.scope).values(),
            *(part for claim in claims for part in (claim.text, *(quote.text for quote in claim.quotes))),
        )
    )


def points_of(scope: Scope) -> dict[str, str]:
    """The deliverables and cells of what is asked, in words, by their ids."""
    texts = {one.id: one.text for one in scope.deliverables}
    return texts | {one.id: f"{one.subject}: {one.aspect}" for one in scope.cells}


def _missing(gap: Gap, known: str, points: Mapping[str, str]) -> str:
    """What is missing, in the words of the gap, or, where these may not be shown, of the open point; "" if neither."""
    missing = " ".join(_OF_EVIDENCE.sub("", gap.missing).split())
    return missing if _may_tell(missing, known) else points.get(gap.point, "")


def _may_tell(missing: str, known: str) -> bool:
    return bool(missing) and not is_screened(missing) and not _EVIDENCE.search(missing) and _is_backed(missing, known)


_EVIDENCE = re.compile(r"\b(?:the|these|those|our|no|any|all) (?:verified )?claims\b|\bclaims so far\b", re.IGNORECASE)
"""How an assessment speaks of what was found; a reader of the report knows of no claims."""
_OF_EVIDENCE = re.compile(
    rf"\s*\([^()]*(?:{_EVIDENCE.pattern})[^()]*\)|[,;:–—]\s[^,;:]*(?:{_EVIDENCE.pattern})[^,;:.]*", re.IGNORECASE
)
"""The parenthesis or the part of a sentence that does."""


def _is_part(rest: str, missing: str) -> bool:
    """Whether what is left of a gap asks nothing that it did not ask."""
    words = _words(rest)
    return bool(words) and len(words & _words(missing)) >= _OF_IT * len(words)


_OF_IT = 0.6


def _are_one(missing: str, other: str) -> bool:
    """Whether two gaps ask for the same: most words of the shorter one are in both, and a version if both name any."""
    versions = [set(NUMBER.findall(text)) for text in (missing, other)]
    if all(versions) and versions[0].isdisjoint(versions[1]):
        return False
    words = ({word for word in _words(text) if not word.isdigit()} for text in (missing, other))
    one, two = sorted(words, key=len)
    share = _ABOUT_IT if len(one) >= _LONG else _SHORT_SAME
    return bool(one) and len(one & two) >= share * len(one)


_LONG = 5
"""Words from which a gap is long."""
_SHORT_SAME = 0.75
"""Share of the words of a short gap that another one has to have."""


def _unsearched(gaps: Sequence[Gap]) -> list[str]:
    """One line for all that a limit left open, with the limit that did it most often."""
    if not gaps:
        return []
    limit = Counter(gap.ceiling for gap in gaps).most_common(1)[0][0]
    missing = (_lowered(gap.missing.rstrip(" .?")) for gap in gaps)
    # Its reader can have the rest: by saying how, the line is of use beside what it lacks.
    why = f"as {limit_words(limit)} was reached; a larger effort or limit goes on"
    return [f"Not searched for any further, {why}: {'; '.join(missing)}."]


def _lowered(text: str) -> str:
    """The text as it stands inside a sentence: a question word or "That" in a small letter."""
    return text[:1].lower() + text[1:] if _OPENS.match(text) else text


_OPENS = re.compile(r"(?:Whether|How|What|When|Which|Where|Why|Who|That|If|The|An?)\b")


def _sought(gap: Gap) -> str:
    missing = " ".join(gap.missing.split()).rstrip(" .")
    return f"{missing[:1].upper()}{missing[1:]}{'' if missing.endswith('?') else '.'}"


def _in_full(gap: Gap) -> str:
    return _with_queries(gap, f"Not found: {_sought(gap)}", set())


def _with_queries(gap: Gap, told: str, known: set[str]) -> str:
    """The line with what was searched for: its reader may know better words, or takes these to a newer source.

    A query in `known` is told already; the one that is told is added.
    """
    asked = dict.fromkeys(" ".join(one.split()) for one in gap.queries)
    # Leads of pages stand in queries too.
    sound = (one for one in asked if len(one) <= _LONGEST_QUERY and not addresses_in(one) and not is_screened(one))
    query = next((one for one in sound if one not in known), "")
    known.add(query)
    return f"{told} Searched for: “{query}”." if query else told


_LONGEST_QUERY = 120
"""The most characters of a query that is told of a gap."""


def _is_backed(gap: str, known: str) -> bool:
    return all(_TURN.fullmatch(one) for one in unbacked(gap, known))


_TURN = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
"""An ordinal, as in "4th quarter". A gap may name it, since it says that nothing is known."""


def _asked(sub_question: SubQuestion, findings: Findings) -> bool:
    """Whether it was searched for. Without a plan it is the question, which is searched as a whole."""
    same = WHOLE_QUESTION if sub_question.text == findings.whole.text else sub_question.id
    return findings.of(sub_question.id).asked or findings.of(same).asked


def _unasked(sub_question: SubQuestion, findings: Findings) -> str:
    ceiling = findings.left_out.get(sub_question.id)
    return (
        f"Not asked, as {limit_words(ceiling)} left no room for it" if ceiling else "Not searched for in this research"
    )


_ABOUT_IT = 0.6
"""Share of a sub-question's words from which a gap is about it."""


def _words(text: str) -> set[str]:
    return set(map(stem, content_words(text)))


def _told(text: str, gaps: Sequence[set[str]]) -> bool:
    words = _words(text)
    return bool(words) and any(len(words & gap) >= _ABOUT_IT * len(words) for gap in gaps)

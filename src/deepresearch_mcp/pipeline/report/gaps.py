"""What a report could not establish: what is missing, what was tried for it, and why it ended."""

import re
from collections.abc import Mapping, Sequence

from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.report.digest_figures import unanswered
from deepresearch_mcp.pipeline.report.unbacked import unbacked
from deepresearch_mcp.pipeline.report_frame import how_many
from deepresearch_mcp.records.ceilings import limit_words
from deepresearch_mcp.records.plan import Scope, SubQuestion
from deepresearch_mcp.records.report import Gap
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.urls import addresses_in


def told_gaps(findings: Findings, *, ended_early: bool) -> list[str]:
    """A line for each thing that is missing: what the run looked for in vain, then sub-questions without a claim."""
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
    # A gap has no citation, so its figures and addresses must be known from elsewhere.
    claims = findings.settled().values()
    known = "\n".join(
        (
            findings.brief.question,
            *(part.sub_question.text for part in findings.parts),
            *points_of(findings.brief.scope).values(),
            *(part for claim in claims for part in (claim.text, *(quote.text for quote in claim.quotes))),
        )
    )
    points = points_of(findings.brief.scope)
    assessed = findings.assessment.coverage if findings.assessment else ()
    points = {one.point: points[one.point] for one in assessed if one.status == "open" and one.point in points}
    tried = _each_once([(gap, missing) for gap in findings.gaps if (missing := _missing(gap, known, points))])
    guessed = findings.assessment.gaps if findings.assessment and not findings.digest else ()
    said = [_told_gap(gap, missing) for gap, missing in tried if not _is_unsearched(gap)]
    said += _unsearched([(gap, missing) for gap, missing in tried if _is_unsearched(gap)])
    told = [set(map(stem, content_words(text))) for text in (*said, *(missing for _, missing in tried))]
    said += [gap for gap in guessed if _is_backed(gap, known) and not _told(gap, told)]
    told += [set(map(stem, content_words(text))) for text in said]
    return list(
        dict.fromkeys([*said, *(f"{reason}: {text}" for text, reason in empty.items() if not _told(text, told))])
    )


def points_of(scope: Scope) -> dict[str, str]:
    """The deliverables and cells of what is asked, in words, by their ids."""
    texts = {one.id: one.text for one in scope.deliverables}
    return texts | {one.id: f"{one.subject}: {one.aspect}" for one in scope.cells}


def _missing(gap: Gap, known: str, points: Mapping[str, str]) -> str:
    """What is missing, in the words of the gap, or, where these may not be shown, of the open point; "" if neither."""
    if not is_screened(gap.missing) and _is_backed(gap.missing, known):
        return gap.missing
    return points.get(gap.point, "")


def _each_once(tried: Sequence[tuple[Gap, str]]) -> list[tuple[Gap, str]]:
    """The gaps without those that ask for what another one asks for; what was searched for comes first."""
    kept: list[tuple[Gap, str]] = []
    for gap, missing in sorted(tried, key=lambda one: _is_unsearched(one[0])):
        if not _told(missing, [set(map(stem, content_words(other))) for _, other in kept]):
            kept.append((gap, missing))
    return kept


def _is_unsearched(gap: Gap) -> bool:
    return bool(gap.ceiling)


def _unsearched(tried: Sequence[tuple[Gap, str]]) -> list[str]:
    """A line for each limit, with all that it left open, first what was looked for in the pages that were read."""
    by_limit: dict[tuple[str, bool], list[str]] = {}
    for gap, missing in sorted(tried, key=lambda one: not one[0].pages):
        by_limit.setdefault((gap.ceiling, gap.pages > 0), []).append(" ".join(missing.split()).rstrip(" .?"))
    pages = how_many(max((gap.pages for gap, _ in tried), default=0), "page that was read", "pages that were read")
    read = f"Not in the {pages}, and not searched for"
    return [
        f"{read if looked else 'Not searched for any'} further, as {limit_words(name)} was reached:"
        f" {'; '.join(map(_lowered, found))}."
        for (name, looked), found in by_limit.items()
    ]


def _lowered(text: str) -> str:
    """The text as it stands inside a sentence: a question word or "That" in a small letter."""
    return text[:1].lower() + text[1:] if _OPENS.match(text) else text


_OPENS = re.compile(r"(?:Whether|How|What|When|Which|Where|Why|That|If|The|An?)\b")


def _told_gap(gap: Gap, missing: str) -> str:
    """What is missing, and what was tried for it."""
    missing = " ".join(missing.split()).rstrip(" .")
    missing = f"{missing[:1].upper()}{missing[1:]}{'' if missing.endswith('?') else '.'}"
    pages = how_many(gap.pages, "page that was read", "pages that were read")
    queries = [f"“{one}”" for one in gap.queries if not addresses_in(one)]
    asked = f", nor by searching for {' and '.join(queries)}" if queries else ""
    return f"{missing} Nothing on it was found in the {pages}{asked}."


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


def _told(text: str, gaps: Sequence[set[str]]) -> bool:
    words = set(map(stem, content_words(text)))
    return bool(words) and any(len(words & gap) >= _ABOUT_IT * len(words) for gap in gaps)

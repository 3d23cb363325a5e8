"""What a digest says about itself: which sub-questions have a passage that answers, and which have none."""

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.headings import Headings, headings_in
from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.report_frame import how_many
from deepresearch_mcp.records.assessment import CoveredPoint

_ENGLISH = headings_in("en")
_NAMED = 120
"""Characters of a sub-question that is named."""


def evidence_line(findings: Findings, words: Headings = _ENGLISH) -> str:
    """The first closing line of a digest; "" for a report that a model wrote."""
    if not findings.digest:
        return ""
    answered = [part for part in findings.digest if part.passages]
    cited = [claim for claim in findings.passages.values() if claim.text == claim.quotes[0].text]
    pages = {claim.quotes[0].source_id for claim in cited}
    read = how_many(len(findings.documents), "page that was read", "pages that were read")
    if findings.nearest_only:
        near = how_many(len(cited), "passage comes", "passages come")
        return f"{words.digest}: nothing in the {read} answers the question · {near} nearest · no model has judged them"
    if not cited and not findings.draft.in_short:
        return f"{words.digest}: nothing in the {read} answers the question · no model has looked"
    shown = f"{how_many(len(cited), 'passage', 'passages')} from {len(pages)} of the {read}"
    if len(findings.digest) == 1:
        # A digest of one sub-question has nothing to count.
        return f"{words.digest}: {shown} · no model has judged them"
    of = f"{len(answered)} of {len(findings.digest)} sub-questions have a relevant passage"
    empty = [_cut(part.text) for part in findings.digest if not part.passages]
    none = f" · nothing relevant on: {'; '.join(empty)}" if empty else ""
    return f"{words.digest}: {shown} · {of}{none} · no model has judged them"


def _cut(text: str) -> str:
    return text if len(text) <= _NAMED else f"{text[:_NAMED].rstrip()}…"


def covered_by_digest(findings: Findings) -> tuple[CoveredPoint, ...]:
    """The deliverables and cells of a question, each covered or open as the sub-question that is nearest to it."""
    scope, plan = findings.brief.scope, findings.sub_questions
    shown = {part.sub_question: part.passages for part in findings.digest}
    texts = {one.id: one.text for one in scope.deliverables}
    texts |= {one.id: f"{one.subject}: {one.aspect}" for one in scope.cells}

    def point(name: str, text: str) -> CoveredPoint:
        # A question of several parts is covered once each of them is.
        own = [shown.get(nearest_sub_question(text, plan), 0)] if len(texts) > 1 else [*shown.values()]
        return CoveredPoint(point=name, text=text, status="covered" if all(own) else "open", claims=sum(own))

    return tuple(point(name, text) for name, text in texts.items())


def sufficiency_of(findings: Findings) -> int:
    """How far a digest answers, 1 to 10: by the share of its sub-questions that have a relevant passage."""
    answered = sum(part.passages > 0 for part in findings.digest)
    return max(1, round(10 * answered / len(findings.digest))) if findings.digest else 0


def unanswered(findings: Findings) -> frozenset[str]:
    """Ids of the sub-questions of a digest that have no relevant passage."""
    return frozenset(part.sub_question for part in findings.digest if not part.passages)

"""What a digest says about itself: which sub-questions have a passage that answers, and which have none."""

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report_frame import how_many

_NAMED = 120
"""Characters of a sub-question that is named."""


def evidence_line(findings: Findings) -> str:
    """The first closing line of a digest; "" for a report that a model wrote."""
    if not findings.digest:
        return ""
    answered = [part for part in findings.digest if part.passages]
    cited = [claim for claim in findings.passages.values() if claim.text == claim.quotes[0].text]
    pages = {claim.quotes[0].source_id for claim in cited}
    shown = f"{how_many(len(cited), 'passage', 'passages')} from {how_many(len(pages), 'page', 'pages')}"
    # A digest of one sub-question has nothing to count.
    of = f"{len(answered)} of {how_many(len(findings.digest), 'sub-question has', 'sub-questions have')}"
    if not cited:
        return "Digest: no relevant passage was found · no model has looked"
    lines = f"Digest: {shown} · {of} a relevant passage"
    missing = [part.text if len(part.text) <= _NAMED else f"{part.text[:_NAMED].rstrip()}…" for part in findings.digest]
    empty = [text for text, part in zip(missing, findings.digest, strict=True) if not part.passages]
    none = f" · nothing relevant found on: {'; '.join(empty)}" if empty else ""
    return f"{lines}{none} · no model has judged them"


def sufficiency_of(findings: Findings) -> int:
    """How far a digest answers, 1 to 10: by the share of its sub-questions that have a relevant passage."""
    answered = sum(part.passages > 0 for part in findings.digest)
    return max(1, round(10 * answered / len(findings.digest))) if findings.digest else 0


def unanswered(findings: Findings) -> frozenset[str]:
    """Ids of the sub-questions of a digest that have no relevant passage."""
    return frozenset(part.sub_question for part in findings.digest if not part.passages)

"""List: a report of the verified claims as they stand, for when none could be written."""

from collections.abc import Iterable

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report.opening import opening
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft, Sentence, WrittenSection
from deepresearch_mcp.text.markdown import without_markdown


def listed_claims(findings: Findings) -> Draft:
    """Each sub-question with its claims in their order, one paragraph each; disputed ones are left to the claims' list.

    What a source carries only in part is told in its own words.
    """
    standing = findings.settled()
    seen: set[str] = set()
    sections: list[WrittenSection] = []
    for part in findings.claims_by_sub_question:
        sentences = _sentences((claim for claim in part.claims if claim.verdict in {"supported", "partly"}), seen)
        if sentences:
            paragraphs = ((sentence,) for sentence in sentences)
            sections.append(WrittenSection.of_prose(part.sub_question.text[:150], paragraphs))
    said = [claim for claim in standing.values() if claim.claim_id in seen]
    in_short = opening(findings.brief, (), said)
    answer_only = findings.brief.request.mode == "answer"
    title = findings.brief.question[:200]
    return Draft(title=title, in_short=in_short, sections=() if answer_only else tuple(sections))


def _sentences(claims: Iterable[Claim], seen: set[str]) -> list[Sentence]:
    sentences: list[Sentence] = []
    for claim in claims:
        if claim.claim_id not in seen:
            seen.add(claim.claim_id)
            text = (
                claim.text if claim.verdict == "supported" else " ".join(without_markdown(claim.quotes[0].text).split())
            )
            sentences.append(Sentence(text=text, claim_ids=(claim.claim_id,)))
    return sentences

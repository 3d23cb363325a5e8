"""What is known after a round over two pages about ice."""

from typing import Any

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Plan
from pipeline_fakes import brief, page, part

ICE = page("https://one.example/ice", "Ice floats because it is less dense. Lakes freeze from above in winter.")
LAKES = page("https://two.example/lakes", "Fish survive below the ice. Seals breathe through holes.")
PLAN = Plan(
    sub_questions=(
        part("q1", "Why is ice less dense than water?", ("ice density", "hydrogen bonds ice"), priority="high"),
        part("q2", "What does floating ice do to lakes?", ("frozen lakes",)),
    )
)


def found(*claims: Claim, **given: Any) -> Findings:
    findings = Findings(brief(depth=3), plan=PLAN, documents={one.source_id: one for one in (ICE, LAKES)}, rounds=1)
    for one in claims:
        findings.of(one.sub_question).take([one])
    for name, value in given.items():
        setattr(findings, name, value)
    return findings

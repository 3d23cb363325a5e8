"""What tests of reports share: the facts of a run, and a research that found nothing."""

from typing import Any

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report.assemble import assemble
from deepresearch_mcp.pipeline.report_frame import Facts
from deepresearch_mcp.records.run import Metrics, Provenance
from pipeline_fakes import brief


def facts(**given: Any) -> Facts:
    whole: dict[str, Any] = {
        "run_id": "r1",
        "status": "completed",
        "metrics": Metrics(usd=0.5),
        "provenance": Provenance(version="0", thinker="scripted"),
        "warnings": ("told elsewhere",),
        "path": "/runs/r1",
    }
    return Facts(**(whole | given))


def opened(findings: Findings, **given: Any) -> str:
    """The opening of a report that cites nothing."""
    run = assemble(findings, facts(**given))
    assert (run.citations, run.answer) == ((), "")
    assert run.sections[0].heading == "In short"
    return run.sections[0].markdown


def nothing(**given: Any) -> Findings:
    made = Findings(brief(), engines={"one": {"asked": 1, "answered": 1}})
    for name, value in given.items():
        setattr(made, name, value)
    return made

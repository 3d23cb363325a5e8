"""How a run ended, in a line that stands before its report."""

from deepresearch_mcp.pipeline.report_frame import WITHOUT_MODEL
from deepresearch_mcp.records.run import BY_RULE, NOTHING_FOUND, Run
from deepresearch_mcp.text.markdown import visible


def ending_line(run: Run) -> str:
    """What must be known before the report is read, where the run is not complete; else ""."""
    if run.status == "cancelled":
        return "Cancelled before it was done: this is what was found until then."
    if run.status == "failed":
        return f"{failure_line(run)} What was found until then:"
    return partial_line(run) if run.status == "partial" else ""


def partial_line(run: Run) -> str:
    """Why a report is partial: each cause."""
    why = run.assessment.why if run.assessment else ""
    if why == NOTHING_FOUND:
        said = ["Nothing was found that answers the question: this partial report lists what was tried."]
    elif why and why != BY_RULE:
        said = [f"{why} was met, so this is a partial report."]
    else:
        said = []
    if any(section.heading == WITHOUT_MODEL for section in run.sections):
        part = "A part was done without the model"
        said.append(f"{part}{'' if said else ', so this is a partial report'}: it says below which part and why.")
    return " ".join(said) or "A ceiling was met, so this is a partial report."


def failure_line(run: Run) -> str:
    """Why a run failed, in its error's own sentence."""
    error = run.error or {}
    said = f"{error.get('message', 'The reason was not kept.')} {error.get('action', '')}".strip()
    return f"Run {run.run_id} failed. {visible(said)}"


def with_ending(run: Run) -> str:
    """The report as Markdown, for a reader who is given only its text."""
    line = ending_line(run)
    return f"{line}\n\n{run.report}" if line and run.report.strip() else run.report

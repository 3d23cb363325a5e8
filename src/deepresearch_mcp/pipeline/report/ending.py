"""How a run ended, in one line before its report."""

from deepresearch_mcp.records.ceilings import limit_words
from deepresearch_mcp.records.run import BY_RULE, HALF_FOUND, NOTHING_FOUND, Run
from deepresearch_mcp.text.markdown import visible


def ending_line(run: Run) -> str:
    """What a reader must know before the report of an incomplete run; "" for one that answers all the same."""
    if run.status == "cancelled":
        return "Cancelled before it was done: this is what was found until then."
    if run.status == "failed":
        return f"{failure_line(run)} What was found until then:"
    return partial_line(run) if run.status == "partial" and _lacks(run) else ""


def _lacks(run: Run) -> bool:
    """Whether a partial report leaves out something that was asked for, as far as is known."""
    assessed = run.assessment
    if assessed is None or assessed.why in {NOTHING_FOUND, HALF_FOUND, BY_RULE} or not assessed.coverage:
        return True
    told = {section.part for section in run.sections}
    return bool({"missing", "without_model"} & told) or any(one.status == "open" for one in assessed.coverage)


def partial_line(run: Run) -> str:
    """Why a report is partial, in a sentence."""
    why = run.assessment.why if run.assessment else ""
    if why == NOTHING_FOUND and run.citations:
        return "Nothing was found that answers the question: this partial report shows what comes nearest."
    if why == HALF_FOUND:
        return "Only a part of what was asked was found: this partial report says what is missing."
    if why == NOTHING_FOUND:
        return "Nothing was found that answers the question: this partial report lists what was tried."
    if why and why != BY_RULE:
        return f"Not everything could be researched: {limit_words(why)} was reached; see the end."
    if why == BY_RULE or any(section.part == "without_model" for section in run.sections):
        return "A part was done without the language model: the report says which part and why."
    return "Not everything could be researched: a limit was reached; see the end."


def failure_line(run: Run) -> str:
    """Why a run failed, in the words of its error."""
    error = run.error or {}
    said = f"{error.get('message', 'The reason was not kept.')} {error.get('action', '')}".strip()
    return f"Run {run.run_id} failed. {visible(said)}"


def with_ending(run: Run) -> str:
    """The report as Markdown with its ending, for a reader who gets only the text."""
    line = ending_line(run)
    return f"{line}\n\n{run.report}" if line and run.report.strip() else run.report

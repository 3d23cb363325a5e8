"""In which language a report is written, for programs that read it aloud, hyphenate it or set it from the right."""

from deepresearch_mcp.records.run import Run
from deepresearch_mcp.text.language import guess


def language_of(run: Run) -> str:
    """Return the language of a run's report: the one asked for, else that of its question and answer."""
    asked = run.provenance.request.get("language", "") if run.provenance else ""
    return str(asked or guess(f"{run.question}\n{run.answer}"))

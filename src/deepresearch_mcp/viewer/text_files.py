"""Writes a run as a text file: the report as Markdown, or everything as JSON."""

from deepresearch_mcp.pipeline.report.ending import with_ending
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.records.run import Run


async def as_markdown(run: Run, documents: Documents) -> str:
    """Return the report; for an incomplete run, also how it ended."""
    del documents
    return with_ending(run)


async def as_json(run: Run, documents: Documents) -> str:
    """Return the run object as JSON."""
    del documents
    return run.model_dump_json(indent=1)

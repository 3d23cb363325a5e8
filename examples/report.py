"""Research a question, watch it, and keep the report: `python examples/report.py "Why does ice float on water?"`."""

import asyncio
import sys
from pathlib import Path

from deepresearch_mcp import DeepResearch, Progress, Run


async def tell(progress: Progress) -> None:
    """Called with every change of the run, and every few seconds."""
    print(progress.line(), file=sys.stderr)


async def main(question: str) -> Run:
    """Research, and tell on standard error how it goes."""
    async with DeepResearch() as research:
        return await research.research(question, effort="quick", on_progress=tell)


if __name__ == "__main__":
    found = asyncio.run(main(sys.argv[1]))
    if found.error:
        sys.exit(f"{found.error['message']} {found.error['action']}")
    Path("report.md").write_text(found.report, encoding="utf-8")
    # Without a model, an answer of one line is given only where one sentence is the answer.
    print(found.answer or found.report)

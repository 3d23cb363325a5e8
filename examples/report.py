"""Research a question, watch it, and keep the report: `python examples/report.py "Why does ice float on water?"`."""

import asyncio
import sys
from pathlib import Path

from deepresearch_mcp import DeepResearch, Progress


async def tell(progress: Progress) -> None:
    """Called with every change of the run, and every few seconds."""
    print(progress.line(), file=sys.stderr)


async def main(question: str) -> None:
    """Research, and write `report.md` where the program was started."""
    async with DeepResearch() as research:
        run = await research.research(question, effort="quick", on_progress=tell)
    if run.error:
        sys.exit(f"{run.error['message']} {run.error['action']}")
    Path("report.md").write_text(run.report, encoding="utf-8")
    print(run.answer)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))

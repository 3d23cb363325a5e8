"""Ask several questions at once and wait for each as it comes: `python examples/several.py QUESTION QUESTION …`.

Each run has a ceiling of its own; one that meets it comes back `partial`, with what it has.
"""

import asyncio
import sys

from deepresearch_mcp import DeepResearch


async def main(questions: list[str]) -> None:
    """Start all, then follow each to its end."""
    async with DeepResearch() as research:
        started = [await research.start(question, max_usd=0.05, max_minutes=2) for question in questions]
        for run_id in started:
            run = await research.follow(run_id)
            print(f"{run.status}: {run.question}")
            print(f"  {run.answer or (run.error or {}).get('message', 'no answer')}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))

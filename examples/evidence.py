"""Follow every sentence to its words: `python examples/evidence.py "Why does ice float on water?"`.

Prints the claims with who checked them, each with its quote and where that stands, then what was not read and why.
"""

import asyncio
import sys

from deepresearch_mcp import DeepResearch


async def main(question: str) -> None:
    """Research without any model, so that the same pages always give the same claims."""
    async with DeepResearch() as research:
        run = await research.research(question, model="extractive", depth=1)
    urls = {source.source_id: source.url for source in run.sources}
    for claim in run.claims:
        print(f"{claim.verdict}, checked by {claim.checked_by}, {claim.independent} independent source(s)")
        print(f"  {claim.text}")
        for quote in claim.quotes:
            print(f"  “{quote.text}” at {quote.start}–{quote.end} of {urls.get(quote.source_id, quote.source_id)}")
    for page in run.unread:
        print(f"not read: {page.url} ({page.reason})")
    print(f"quotes located: {run.quotes.located}/{run.quotes.total}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))

"""Reach: how much of what an expert wants in an answer do our search, our fetches and our choice of passages show?

No model takes part. The recorded plans C of DIR/plans.json (queries and hypotheses) are searched in the local world,
the pages that a standard research may read are fetched, and passages are chosen from all of them. The key facts are in
DIR/QUESTION/keys.json, with the words that stand on a page. `fetched` is the share of their weight that stands on a
fetched page, `shown` the share that stands in one chosen passage, `tokens` what these passages and their headings cost.
Exit code 1 when a bar is missed.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import anyio

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.pipeline.research.choosing import AlreadyRead, choose_passages
from deepresearch_mcp.pipeline.research.estimating import pages_of_site
from deepresearch_mcp.pipeline.research.frontier import Frontier
from deepresearch_mcp.pipeline.research.fusion import by_words, fuse_hits
from deepresearch_mcp.records.request import Effort, Filters, ResearchRequest
from deepresearch_mcp.records.sources import Document, Hit, Query
from deepresearch_mcp.runtime import Runtime, open_runtime
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.text.urls import normalise_url

PLAN = "C"
HOSTS = tuple(f"127.0.0.{last}" for last in range(11, 17))
TOKENS = 90_000
BARS = {"shown": 0.70, "tokens": TOKENS}
_GRAM = 4
_ENOUGH = 0.5
"""Share of a key's sequences of four words that has to stand in one place; some keys are shortened with "…"."""
Gram = tuple[str, ...]


@dataclass(frozen=True)
class Key:
    """One key fact."""

    weight: float
    grams: tuple[Gram, ...]


def keys_of(path: Path) -> list[Key]:
    """The facts of a keys.json that have words; judgements are the writer's own work."""
    rows = json.loads(path.read_text(encoding="utf-8"))["keys"]
    facts = [row for row in rows if row["kind"] == "fact" and isinstance(row.get("words"), str)]
    return [Key(row["weight"], tuple(_grams_of_key(row["words"]))) for row in facts]


def _grams_of_key(words: str) -> Iterator[Gram]:
    for part in re.split(r"\.\.\.|…", words):
        said = _words(part)
        yield from _runs(said, min(_GRAM, len(said)))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _runs(words: Sequence[str], size: int) -> Iterator[Gram]:
    if size:
        yield from (tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def share(keys: Sequence[Key], texts: Sequence[str]) -> float:
    """The share of the keys' weight that stands in one of the texts."""
    held: list[set[Gram]] = []
    for text in texts:
        words = _words(text)
        held.append({run for size in range(1, _GRAM + 1) for run in _runs(words, size)})
    found = sum(key.weight for key in keys if any(_stands(key, text) for text in held))
    return found / sum(key.weight for key in keys)


def _stands(key: Key, text: set[Gram]) -> bool:
    return bool(key.grams) and sum(gram in text for gram in key.grams) >= _ENOUGH * len(key.grams)


def settings(home: Path, port: int) -> Settings:
    """Everything on loopback, as bench/world.py has it."""
    return Settings.model_validate(
        {
            "home": home,
            "search": {"engines": ["searxng"], "searxng_url": f"http://127.0.0.1:{port}"},
            "web": {"allow_private": [f"{host}:{port}" for host in HOSTS], "ports": [80, 443, port]},
        }
    )


async def fetched(
    queries: Sequence[str], request: ResearchRequest, runtime: Runtime
) -> tuple[list[Document], dict[str, float]]:
    """The pages that a research reads for the queries, and their standing among all hits."""
    research, most = runtime.settings.research, request.shape.max_pages
    [engine] = runtime.engines.open(("searxng",))
    frontier = Frontier(Filters(), pages_of_site(request, research.domain_cap), strict_dates=False)
    answers = await anyio.amap(lambda query: engine.search(Query(query)), queries)
    hits = [by_words(query, fuse_hits([answer])) for query, answer in zip(queries, answers, strict=True)]
    chosen: list[Hit] = []
    for query, found in zip(queries, hits, strict=True):
        frontier.place(query, found[: research.pages_per_query])
    # The best hit of every query, then the second best: a ceiling of pages cuts the last hits, not the last queries.
    for _ in range(research.pages_per_query):
        for found in hits:
            if len(chosen) < most:
                chosen += frontier.choose(found[: research.pages_per_query], 1, PLAN)
    pages = await anyio.amap(lambda url: _page(url, runtime), dict.fromkeys(hit.url for hit in chosen))
    standing = frontier.standing()
    read = {page.source_id: page for page in pages if page}
    places = {name: standing.get(normalise_url(page.requested_url) or "", 0.0) for name, page in read.items()}
    return list(read.values()), places


async def _page(url: str, runtime: Runtime) -> Document | None:
    try:
        return await runtime.web.fetch(url)
    except FetchFailed as error:
        print(f"not read: {url}: {error.message}", file=sys.stderr)
        return None


async def reach(data: Path, effort: Effort, tokens: int, port: int) -> list[dict[str, Any]]:
    """One row for each question that has a plan and keys."""
    plans = json.loads((data / "plans.json").read_text(encoding="utf-8"))
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as home:
        async with open_runtime(settings(Path(home), port)) as runtime:
            for name, plan in plans.items():
                if not (path := data / name / "keys.json").is_file():
                    continue
                keys = keys_of(path)
                request = ResearchRequest(question=plan[PLAN][0], effort=effort)
                documents, standing = await fetched(plan[PLAN], request, runtime)
                asks = (*plan[PLAN], *plan["hypotheses"])
                began = runtime.clock.monotonic()
                passages = choose_passages(asks, documents, tokens, AlreadyRead(standing=standing))
                rows.append(
                    {
                        "question": name,
                        "queries": len(plan[PLAN]),
                        "pages": len(documents),
                        "passages": len(passages),
                        "fetched": round(share(keys, [document.text for document in documents]), 3),
                        "shown": round(share(keys, [passage.text for passage in passages]), 3),
                        "tokens": sum(estimate(passage.text) + estimate(passage.heading) for passage in passages),
                        "seconds": round(runtime.clock.monotonic() - began, 2),
                    }
                )
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", required=True, help="the folder with plans.json and keys")
    parser.add_argument("--world", type=Path, metavar="DIR", default=Path(__file__).parents[2] / "shared" / "world")
    parser.add_argument("--port", type=int, default=8900, help="of the world")
    parser.add_argument("--tokens", type=int, default=TOKENS, help="room for passages")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not (args.world / "setup.sh").is_file():
        print(f"skipped: there is no world at {args.world}", file=sys.stderr)
        return 0
    subprocess.run([str(args.world / "setup.sh"), "--port", str(args.port)], check=True, stdout=sys.stderr)
    rows = anyio.run(reach, args.data, "standard", args.tokens, args.port)
    if not rows:
        print(f"no question of {args.data} has both a plan and keys", file=sys.stderr)
        return 2
    whole = {name: round(mean(row[name] for row in rows), 3) for name in ("fetched", "shown", "tokens")}
    missed = [name for name, bar in BARS.items() if (whole[name] < bar if name == "shown" else whole[name] > bar)]
    if args.json:
        print(json.dumps({"questions": rows, "mean": whole, "missed": missed}))
    else:
        for row in (*rows, {"question": "mean", **whole}):
            print("  ".join(f"{name} {value}" for name, value in row.items()))
        print("all bars met" if not missed else "missed: " + "; ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

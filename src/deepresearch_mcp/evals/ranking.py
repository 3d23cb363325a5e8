"""`ranking` and `vaswani`: does the library's search put the right documents first?"""

import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, grades, json_lines
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.text.library_urls import library_url, split_library_url
from deepresearch_mcp.web.snapshot import source_id

_TOP = 10
_COLLECTION = "set"
_CHAINS = ("hotpot", "musique")


@dataclass(frozen=True, slots=True)
class _Measured:
    ndcg: float
    """Mean over the questions."""
    all_gold: float
    """Share of the questions with every relevant document among the first ten."""
    asked: int


async def chains(data: Path, lab: Lab) -> Result:
    """nDCG@10 of HotpotQA (`hotpot`) and MuSiQue (`musique`), and over the questions of both (`ndcg_at_10`).

    The paragraphs are added to a collection, and each question is put to the library's own search, without embeddings.

    Raises:
        InvalidRequest: A set is missing or damaged.
    """
    found = {name: await _measured(folder(data, FOLDERS[name]), lab.clock) for name in _CHAINS}
    asked = sum(one.asked for one in found.values())
    figures = {name: one.ndcg for name, one in found.items()}
    figures |= {f"{name}_all_gold": one.all_gold for name, one in found.items()}
    figures["ndcg_at_10"] = round(sum(one.ndcg * one.asked for one in found.values()) / max(1, asked), 4)
    return Result(
        "ranking", asked, figures, ("`all_gold`: every paragraph that the answer needs is in the first ten.",)
    )


async def vaswani(data: Path, lab: Lab) -> Result:
    """nDCG@10 on abstracts of physics without titles.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    found = await _measured(folder(data, FOLDERS["vaswani"]), lab.clock)
    return Result("vaswani", found.asked, {"ndcg_at_10": found.ndcg})


def ndcg(ranked: Sequence[str], wanted: Mapping[str, int], top: int = _TOP) -> float:
    """Normalised discounted cumulative gain of the first `top` documents, 0 to 1; gains are the grades themselves."""
    gained = sum(wanted.get(name, 0) / math.log2(at + 2) for at, name in enumerate(ranked[:top]))
    ideal = sum(grade / math.log2(at + 2) for at, grade in enumerate(sorted(wanted.values(), reverse=True)[:top]))
    return gained / ideal if ideal else 0.0


async def _measured(where: Path, clock: Clock) -> _Measured:
    gold = grades(where)
    asked = [row for row in json_lines(where, "queries.jsonl*") if row["id"] in gold]
    with tempfile.TemporaryDirectory() as place:
        async with open_sqlite_store(Path(place), clock) as store:
            await store.collections.of(LOCAL_CALLER).put(_COLLECTION, place, 0.0)
            for row in json_lines(where, "corpus.jsonl*"):
                await _add(store, row, clock)
            ranked = [await _ranked(store, str(row["text"])) for row in asked]
    wanted = [{name: grade for name, grade in gold[row["id"]].items() if grade > 0} for row in asked]
    shares = [ndcg(found, one) for found, one in zip(ranked, wanted, strict=True)]
    whole = [wanted_one.keys() <= set(found) for found, wanted_one in zip(ranked, wanted, strict=True)]
    count = max(1, len(asked))
    return _Measured(round(sum(shares) / count, 4), round(sum(whole) / count, 4), len(asked))


async def _add(store: Store, row: Mapping[str, Any], clock: Clock) -> None:
    path, text = str(row["id"]), str(row["text"])
    url = library_url(_COLLECTION, path)
    document = Document(
        source_id=source_id(url),
        url=url,
        requested_url=url,
        title=str(row["title"]),
        site=_COLLECTION,
        # Two paragraphs may have the same words under different titles; the index holds a text once.
        snapshot=sha256(f"{row['title']}\n{text}".encode()).hexdigest(),
        length=len(text),
        read_at=clock.now(),
        text=text,
    )
    await store.collections.of(LOCAL_CALLER).add(_COLLECTION, FileStamp(path, len(text), 0), document)


async def _ranked(store: Store, query: str) -> list[str]:
    places = [
        split_library_url(hit.url)
        for hit in await store.collections.of(LOCAL_CALLER).search([_COLLECTION], query, _TOP)
    ]
    return [path for _, path in filter(None, places)]

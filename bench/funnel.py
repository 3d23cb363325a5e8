"""Funnel: at which stage of a stored run was each key fact lost?

    python bench/funnel.py RUN --keys FILE [--home DIR] [--json]

Everything is told from what the run has stored: steps, pages, events and the report. A fact reaches a stage if it
reached a later one. The stages, and how a fact is recognised at each:

- returned: an engine's answer, or a link that was followed, holds the address of its page (ports are not compared);
- fetched: its words stand on a page that was read: at least half of their sequences of four words;
- shown: the same in one passage that was chosen for the reader;
- claimed: a reader's claim has a quote that overlaps the place of these words on a page, or claim and quote together
  hold half of the fact's telling words (figures, names and words, by how rare they are among the claims) and three at
  least; claims that a gate dropped are taken from the answers of the model;
- verified: such a claim was judged supported, partly or disputed;
- given to a writer: the writer of a section had such a claim;
- written: a sentence of the report rests on such a claim.

Judgements of a keys.json are the writer's own work and are not followed. Older runs recorded neither the passages that
were read nor what a writer was given: there a fact counts as shown if its words stand around a quote, and one that was
verified and not written counts as not written; `estimated` names both.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from answer_keys import Key, Likeness, Text, read_keys
from deepresearch_mcp.exceptions import DeepResearchError, UnknownRun
from deepresearch_mcp.llm.json_text import extract_json
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import StepRow, kind_named
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.evidence import KEPT
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.store.orphans import FILE
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.system_clock import SystemClock

STAGES = ("returned", "fetched", "shown", "claimed", "verified", "given to a writer", "written")
_AROUND = 700
"""Characters on each side of a quote that count as shown, in runs that did not record their passages."""
_OLD_PASSAGE = 900
"""Characters of a passage of which an older run recorded only the start."""
_START = re.compile(r"s[0-9a-f]{12}:\d+")
_EVENTS = 1_000


@dataclass(frozen=True)
class Said:
    """A claim, or the draft of one."""

    text: str
    quotes: Sequence[tuple[str, int, int]] = ()
    """Source, start and end; of a draft none."""
    kept: bool = False
    given: bool = False
    written: bool = False


@dataclass
class Record:
    """What a run has stored, as far as the funnel needs it."""

    run_id: str
    question: str
    status: str
    addresses: set[str] = field(default_factory=set[str])
    pages: dict[str, Document] = field(default_factory=dict[str, Document])
    """By source id."""
    passages: set[tuple[str, int, int]] = field(default_factory=set[tuple[str, int, int]])
    claims: list[Said] = field(default_factory=list[Said])
    estimated: list[str] = field(default_factory=list[str])


async def whole_id(store: Store, name: str) -> str:
    """The id that a name means: the id, its beginning, or `last`."""
    if name == "last":
        rows = await store.runs.find(limit=1)
        found = [row.run_id for row in rows]
    else:
        found = await store.runs.beginning(name.lower(), "local", 2)
    if len(found) != 1:
        raise UnknownRun(name)
    return found[0]


async def recorded(store: Store, name: str) -> Record:
    """Read a run."""
    run_id = await whole_id(store, name)
    row = await store.runs.get(run_id)
    stored = await store.reports.read(run_id, "report.json")
    run: dict[str, Any] = json.loads(stored) if stored else {}
    if row is None or not run:
        raise UnknownRun(name)
    record = Record(run_id, row.request.question, row.status)
    rows = [one for one in await store.spending.steps(run_id) if one.status == "done" and one.result]
    for card in await store.documents.cards(run_id):
        record.addresses |= {card.url, card.requested_url}
        if document := await store.documents.load(card):
            record.pages[card.source_id] = document
    record.addresses |= {
        str(hit["url"]) for one in rows if one.kind == "search" for hit in _inside(one) if "url" in hit
    }
    record.passages = set(_passages(rows))
    given = await _given(store, run_id)
    record.claims = [*_claims(run, given), *(_drafts(rows))]
    if not record.passages:
        record.passages = {*_guessed(rows, record.claims)}
        record.estimated.append("shown")
    if not given:
        record.estimated.append("given to a writer")
    return record


def _inside(row: StepRow) -> Iterator[dict[str, Any]]:
    """All objects in the result of a step."""
    waiting: list[Any] = [json.loads(row.result or "null")]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield value
        waiting += value.values() if isinstance(value, dict) else value if isinstance(value, list) else []


def _passages(rows: Sequence[StepRow]) -> Iterator[tuple[str, int, int]]:
    """The passages that were chosen, in whichever step of the reader they are recorded."""
    for row in rows:
        # A kind of another version has no stage here.
        if row.kind != "decision" or steps.stage_of(row.key) not in {"reader", None}:
            continue
        for one in _inside(row):
            if {"source_id", "start", "end"} <= one.keys():
                yield str(one["source_id"]), int(one["start"]), int(one["end"])


def _guessed(rows: Sequence[StepRow], claims: Sequence[Said]) -> Iterator[tuple[str, int, int]]:
    """What an older run has surely shown: passages of which it recorded the start, and the words around its quotes."""
    for row in rows:
        for name in _START.findall(row.result or "") if kind_named(row.key) == "shown" else ():
            source, _, start = name.partition(":")
            yield source, int(start), int(start) + _OLD_PASSAGE
    for claim in claims:
        for source, start, end in claim.quotes:
            yield source, max(0, start - _AROUND), end + _AROUND


async def _given(store: Store, run_id: str) -> set[str]:
    """Ids of the claims that the writers of sections had."""
    found: set[str] = set()
    after = 0
    while events := await store.events.of(run_id, after, _EVENTS):
        after = events[-1].number
        for event in events:
            if event.kind == "section_written":
                found.update(map(str, event.data.get("claims", ())))
    return found


def _claims(run: Mapping[str, Any], given: set[str]) -> Iterator[Said]:
    """The claims of a run object; read as plain JSON, so that runs of other versions can be read."""
    written = {name for one in run.get("citations", ()) for name in one.get("claim_ids", ())}
    for section in run.get("sections", ()):
        for sentence in section.get("sentences", ()):
            written.update(*(sentence.get(names, ()) for names in ("claim_ids", "premises")))
    for claim in run.get("claims", ()):
        quotes = [(one["source_id"], one["start"], one["end"]) for one in claim["quotes"]]
        name, kept = claim["claim_id"], claim["verdict"] in KEPT
        yield Said(
            " ".join((claim["text"], *(one["text"] for one in claim["quotes"]))),
            quotes,
            kept,
            kept and (name in given or name in written or not given),
            kept and name in written,
        )


def _drafts(rows: Sequence[StepRow]) -> Iterator[Said]:
    """What models proposed when they read, whether or not it passed a gate."""
    for row in rows:
        if row.kind != "model" or kind_named(row.key) != "read":
            continue
        for answer in _inside(row):
            try:
                said = extract_json(str(answer.get("text") or ""))
            except (ValueError, RecursionError):
                continue
            drafts = said.get("claims") if isinstance(said, dict) else None
            for draft in drafts if isinstance(drafts, list) else ():
                if isinstance(draft, dict):
                    yield Said(" ".join(str(draft.get(name) or "") for name in ("claim", "text", "quote")))


def lost(record: Record, keys: Sequence[Key]) -> list[dict[str, Any]]:
    """For each fact the stage at which it was lost; "" if it is written."""
    pages = {name: Text(document.text) for name, document in record.pages.items()}
    passages = [Text(record.pages[source].text[start:end]) for source, start, end in record.passages if source in pages]
    alike = Likeness(one.text for one in record.claims)
    rows: list[dict[str, Any]] = []
    for key in keys:
        places = {name: found for name, text in pages.items() if (found := key.located(text))}
        near = alike.alike(key)
        about = [
            one
            for number, one in enumerate(record.claims)
            if number in near
            or any(
                start < upto and begin < end
                for source, start, end in one.quotes
                for begin, upto in places.get(source, ())
            )
        ]
        own = [page for page in record.pages.values() if key.is_on(page.url, page.title)]
        reached = (
            any(key.is_on(url) for url in record.addresses) or bool(own),
            any(key.stands_in(text) for text in pages.values()),
            any(key.stands_in(text) for text in passages),
            bool(about),
            any(one.kept for one in about),
            any(one.given for one in about),
            any(one.written for one in about),
        )
        last = max((number for number, there in enumerate(reached) if there), default=-1)
        at = STAGES[last + 1] if last + 1 < len(STAGES) else ""
        note = "its page was read, and its words are not in the text" if at == "fetched" and own else ""
        rows.append({"id": key.name, "weight": key.weight, "lost": at and f"not {at}", "fact": key.fact, "note": note})
    return rows


def totals(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each stage how many facts of what weight were lost at it, and the share of the weight that reached it."""
    whole = sum(row["weight"] for row in rows)
    left, found = whole, list[dict[str, Any]]()
    for stage in STAGES:
        gone = [row for row in rows if row["lost"] == f"not {stage}"]
        weight = sum(row["weight"] for row in gone)
        left -= weight
        share = round(left / whole, 3) if whole else 0.0
        found.append({"lost": f"not {stage}", "keys": len(gone), "weight": weight, "reached": share})
    return found


async def funnel(home: Path, run: str, file: Path) -> dict[str, Any]:
    """The funnel of a stored run."""
    keys, others = read_keys(file)
    async with open_sqlite_store(home, SystemClock()) as store:
        record = await recorded(store, run)
    rows = await anyio.to_thread.run_sync(lost, record, keys)
    return {
        "run": record.run_id,
        "status": record.status,
        "question": record.question,
        "keys": len(rows),
        "weight": sum(row["weight"] for row in rows),
        "not_followed": len(others),
        "pages": len(record.pages),
        "passages": len(record.passages),
        "claims": sum(bool(one.quotes) for one in record.claims),
        "estimated": record.estimated,
        "stages": totals(rows),
        "facts": rows,
    }


def printed(found: Mapping[str, Any]) -> str:
    """The same for a person."""
    lines = [
        f"run {found['run']}, {found['status']}: {' '.join(found['question'].split())[:100]}",
        f"{found['keys']} facts of weight {found['weight']}; {found['not_followed']} other keys are not followed;"
        f" {found['pages']} pages, {found['passages']} passages, {found['claims']} claims",
    ]
    lines += [f"estimated: {', '.join(found['estimated'])}"] if found["estimated"] else []
    lines += [
        f"{row['lost']:<22} {row['keys']:>3} facts  weight {row['weight']:>3}  {row['reached']:>6.1%} left"
        for row in found["stages"]
    ]
    lines += [
        f"{row['id']:>6}  {row['weight']}  {row['lost'] or 'written':<22} {row['fact'][:90]}"
        + (f" ({row['note']})" if row["note"] else "")
        for row in found["facts"]
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN", help="its id, the beginning of it, or `last`")
    parser.add_argument("--keys", type=Path, metavar="FILE", required=True, help="a keys.json")
    parser.add_argument("--home", type=Path, metavar="DIR", help="the data directory; default: DEEPRESEARCH_HOME")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    home = args.home or Path(os.environ.get("DEEPRESEARCH_HOME", ""))
    if not (home / FILE).is_file():
        print(f"no runs are stored in {home}: name their directory with --home or DEEPRESEARCH_HOME", file=sys.stderr)
        return 2
    try:
        found = anyio.run(funnel, home, args.run, args.keys)
    except DeepResearchError as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(found, ensure_ascii=False) if args.json else printed(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())

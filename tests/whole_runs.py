"""Whole runs over real wires, and what holds of every finished report."""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from deepresearch_mcp.cited_text.parse import parse_cited_text
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.text.citations import marks
from small_web import QUESTION, SmallWeb, settings_for

FIELDS = {
    *("run_id", "status", "stage", "question", "answer", "report", "sections", "citations", "claims", "sources"),
    *("unread", "warnings", "quotes", "assessment", "metrics", "provenance", "path", "error", "waiting"),
    *("checks", "dead", "dangling", "unused", "uncited", "checklist", "prompts", "judgement"),
}


@asynccontextmanager
async def opened(
    home: Path, web: SmallWeb, model: str = "", *, more: dict[str, Any] | None = None
) -> AsyncGenerator[Jobs]:
    """Jobs whose models live at the address `model`."""
    table = settings_for(home, web.base).model_dump()
    if model:
        table["model"] |= {"openai_base_url": f"{model}/v1", "anthropic_base_url": model, "retries": 0}
    for group, given in (more or {}).items():
        table[group] |= given
    async with open_runtime(Settings.model_validate(table)) as runtime, open_jobs(runtime) as jobs:
        yield jobs


async def researched(jobs: Jobs, question: str = QUESTION, *, fresh: bool = False, **given: Any) -> Run:
    request = ResearchRequest.model_validate({"question": question, "effort": "quick"} | given)
    row = await jobs.start_or_join(request, fresh=fresh)
    await jobs.follow(row.run_id)
    return await jobs.result(row.run_id)


def _keys(mark: str) -> list[str]:
    """The citations of a mark: `3a,c` are `3a` and `3c`."""
    number = mark.rstrip("abcdefghijklmnopqrstuvwxyz,")
    return [f"{number}{letter}" for letter in mark.removeprefix(number).split(",")]


async def checked(jobs: Jobs, run: Run) -> None:
    """What holds of every finished report, whoever thought."""
    assert set(json.loads(run.model_dump_json())) == FIELDS
    stored = Path(run.path) / "report.json"
    assert Run.model_validate_json(stored.read_bytes()) == run
    assert (Path(run.path) / "report.md").read_text(encoding="utf-8") == run.report
    assert run.quotes.located == run.quotes.total == len(run.citations) > 0
    for citation in run.citations:
        text = await jobs.runtime.store.documents.text(citation.snapshot)
        assert text is not None
        assert text[citation.start : citation.end] == citation.quote
    numbers = [number for number, _ in marks(run.report.split("## References")[0])]
    assert list(dict.fromkeys(numbers)) == list(dict.fromkeys(one.number for one in run.citations))
    brackets = re.findall(r"\[(?:cf\. )?(\d+[a-z,]*(?:, \d+[a-z,]*)*)\]", run.report)
    named = {key for bracket in brackets for mark in bracket.split(", ") for key in _keys(mark)}
    # A number alone names all quotes of its page that its sentences rest on.
    assert all({one.key, str(one.number)} & named for one in run.citations)
    known = {claim.claim_id for claim in run.claims}
    assert all(set(one.claim_ids) <= known for one in run.citations)
    assert {one.source_id for one in run.citations} <= {one.source_id for one in run.sources if one.cited}
    for section in run.sections:
        if section.heading not in {
            "Done without the model",
            "What could not be established",
            "References",
        }:
            passages = re.findall(r"^>.*(?:\n>.*)*", section.markdown, re.MULTILINE)
            # A passage of a page carries one mark, behind its last words; its title and source stand above it.
            assert all(marks(one) for one in passages), passages
            written = (
                re.sub(r"^(?:>|### ).*$", "", section.markdown, flags=re.MULTILINE) if passages else section.markdown
            )
            assert unmarked(written, run) == []


def unmarked(written: str, run: Run) -> list[str]:
    """The sentences and rows of a section that neither a mark of their own nor one behind them covers."""
    listed = run.report[run.report.index("## References") :]
    read = parse_cited_text(f"{written}\n\n{listed}")
    return [one.text for one in read.statements if not one.marks]

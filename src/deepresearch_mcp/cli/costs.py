"""`deepresearch-server runs cost` and `research --estimate`: what a run used or is likely to use."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import emit, out, say
from deepresearch_mcp.cli.opening import opened_jobs, opened_runtime
from deepresearch_mcp.cli.options import Json, Sets, settings_of
from deepresearch_mcp.cli.run_names import whole_id
from deepresearch_mcp.cli.runs import RunId
from deepresearch_mcp.records.principal import LOCAL_CALLER

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.accounts import Accounts, Sum
    from deepresearch_mcp.records.plan import Estimate
    from deepresearch_mcp.settings.schema import Settings


def cost(run_id: RunId, *, json: Json = False, sets: Sets = None) -> None:
    """Show what a run used, by stage, role, model, engine and sub-question."""

    async def run() -> tuple[str, lazy.accounts.Accounts]:
        async with opened_jobs(settings) as jobs:
            whole = await whole_id(jobs, run_id)
            return whole, lazy.accounts.accounts_of(await jobs.runtime.store.spending.steps(whole))

    settings = settings_of(sets)
    whole, found = anyio.run(run)
    if json:
        emit({"run_id": whole} | asdict(found))
        return
    _show(found)


def _show(found: "Accounts") -> None:
    console = out()
    groups = {
        "Stage": found.stages,
        "Role": found.roles,
        "Model": found.models,
        "Engine": found.engines,
        "Sub-question": found.sub_questions,
    }
    for word, sums in groups.items():
        if not sums:
            continue
        console.print(word, style="bold")
        for name, one in sums.items():
            console.print(f"  {name:<34} {_line(one)}", markup=False, highlight=False, soft_wrap=True)
    console.print("Total", style="bold")
    console.print(f"  {'':<34} {_line(found.total)}", markup=False, highlight=False, soft_wrap=True)
    if found.total.in_doubt:
        say(
            f"In doubt: {found.total.in_doubt} calls that brought no answer are counted at the most they may have"
            f" cost, ${found.total.doubt_usd:.4f}.",
            style="note",
        )


def _line(one: "Sum") -> str:
    parts = [f"${one.usd:.4f}" if one.usd_known else f"at least ${one.usd:.4f}"]
    if one.calls:
        parts.append(f"{one.calls} calls, {one.input_tokens:,} tokens in, {one.output_tokens:,} out")
    parts += [f"{one.searches} searches"] if one.searches else []
    parts += [f"{one.pages} pages"] if one.pages else []
    if one.began is not None and one.ended is not None:
        parts.append(f"{one.seconds:.1f} s of work in {one.ended - one.began:.1f} s")
    return ", ".join(parts)


async def estimated(arguments: Mapping[str, Any], folders: Sequence[Path], settings: "Settings") -> "Estimate":
    """Return what a research is likely to use, without starting it or reading a folder.

    Raises:
        InvalidRequest, SettingsError, StoreError: The research would be refused.
    """
    collections = (*(arguments.get("collections") or ()), *map(lazy.running.collection_of, folders))
    request = lazy.asking.checked_request({**arguments, "collections": collections}, defaults=settings.defaults)
    async with opened_runtime(settings) as runtime:
        return await runtime.estimate(request, LOCAL_CALLER)


def show_estimate(found: "Estimate", *, as_json: bool) -> None:
    """Print an estimate, stage by stage."""
    if as_json:
        emit({"estimate": found.model_dump() | {"minutes": round(found.seconds / 60, 2)}})
        return
    console = out()
    for line in lazy.described.estimate_lines(found):
        console.print(line, markup=False, highlight=False, soft_wrap=True)

"""Checks that the stored data of a run is unchanged; deletes runs."""

import hashlib
from dataclasses import dataclass

from deepresearch_mcp.exceptions import InvalidRequest, StoreError, UnknownRun
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.ports.store import EventRow
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.run import ENDED, Run


@dataclass(frozen=True, slots=True)
class Soundness:
    """What was checked, and the faults found."""

    events: int
    """Events of the audit trail."""
    quotes: int
    """Cited quotes, each compared with its stored page."""
    faults: tuple[str, ...]
    """One sentence per fault; empty if everything is intact."""


async def examine_run(jobs: Jobs, run_id: str, caller: str = LOCAL_CALLER) -> Soundness:
    """Check the chain of a run's events, and compare every quote of its report with the stored page.

    Raises:
        UnknownRun: This caller has no such run.
    """
    row = await jobs.get(run_id, caller)
    store, faults = jobs.runtime.store, list[str]()
    if (number := await store.events.broken(row.run_id)) is not None:
        faults.append(f"The audit trail was changed: event {number} does not follow from the one before it.")
    count, last = await _length(jobs, row.run_id)
    if row.status in ENDED and last and last.kind != "ended":
        faults.append("The audit trail has lost its end: the run has ended, and its last event does not say so.")
    quotes = 0
    try:
        run = await jobs.result(row.run_id, caller)
    except StoreError as error:
        faults.append(error.message)
    else:
        quotes, wrong = await _quotes(jobs, run)
        faults += wrong
        # A run that ended while no process worked on it never had a report.
        made = last is not None and last.data.get("report", True)
        if row.status in ENDED and made and not run.report and row.error is None:
            faults.append("Its report is gone.")
    return Soundness(count, quotes, tuple(faults))


async def _length(jobs: Jobs, run_id: str) -> tuple[int, EventRow | None]:
    """Return the number of events, and the last one."""
    count, last = 0, None
    while events := await jobs.runtime.store.events.of(run_id, after=last.number if last else 0):
        count, last = count + len(events), events[-1]
    return count, last


async def _quotes(jobs: Jobs, run: Run) -> tuple[int, list[str]]:
    texts: dict[str, str | None] = {}
    faults: list[str] = []
    for citation in run.citations:
        snapshot = citation.snapshot
        if snapshot not in texts:
            text = texts[snapshot] = await jobs.runtime.store.documents.text(snapshot)
            if text is None:
                faults.append(f"The stored text of {citation.url} is gone.")
            elif hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() != snapshot:
                faults.append(f"The stored text of {citation.url} was changed.")
        text = texts[snapshot]
        if text is not None and text[citation.start : citation.end] != citation.quote:
            faults.append(f"The quote of citation {citation.key} is no longer where it was.")
    return len(run.citations), faults


async def remove_run(jobs: Jobs, run_id: str, caller: str = LOCAL_CALLER) -> dict[str, int]:
    """Delete a run with everything that only it uses; return the number of deleted rows by kind.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: A process is working on the run.
    """
    row = await jobs.get(run_id, caller)
    store = jobs.runtime.store
    deleted = await store.runs.delete(row.run_id, jobs.runtime.clock.now().timestamp())
    if deleted is None:
        if await store.runs.get(row.run_id) is None:
            raise UnknownRun(run_id)
        raise InvalidRequest(f"Run {row.run_id} is being worked on.", "Cancel it first.")
    removed = await store.reports.remove(row.run_id)
    return deleted | {"reports": int(removed)}

"""Shares the report of a run by a link that expires and can be revoked."""

from datetime import UTC, datetime

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.ports.shares import ShareRow
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.run import ENDED, Run
from deepresearch_mcp.records.sharing import LONGEST_HOURS, PATH, USUAL_HOURS, SharedLink

OWN_ADDRESS = "http://127.0.0.1:8765"
"""Where `serve --http` serves by default, for links that are made beside it without `http.public_url`."""
_OWN_MATTERS = {"follow_up_of", "collections", "run_id"}
"""Arguments that name other things of the owner's."""


async def share_run(
    jobs: Jobs, run_id: str, base: str, *, hours: float = USUAL_HOURS, caller: str = LOCAL_CALLER
) -> SharedLink:
    """Make a link to a run that has a report; `base` is the address of the server.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: The run has no report yet, or the time is out of bounds.
    """
    if not 0 < hours <= LONGEST_HOURS:
        raise InvalidRequest(f"A link cannot last {hours:g} hours.", f"Give more than 0 and at most {LONGEST_HOURS}.")
    run = await jobs.result(run_id, caller)
    if run.status not in ENDED or not run.report:
        raise InvalidRequest(f"Run {run.run_id} has no report: it is {run.status}.", "Share it when it has ended.")
    now = jobs.runtime.clock.now().timestamp()
    secret, row = await jobs.runtime.store.shares.create(run.run_id, now, now + 3_600 * hours)
    return _shown(row, now, f"{base.rstrip('/')}{PATH}{secret}")


async def shares_of(jobs: Jobs, run_id: str, caller: str = LOCAL_CALLER) -> list[SharedLink]:
    """All links of a run, oldest first, without what opens them.

    Raises:
        UnknownRun: This caller has no such run.
    """
    row, now = await jobs.get(run_id, caller), jobs.runtime.clock.now().timestamp()
    return [_shown(one, now) for one in await jobs.runtime.store.shares.of(row.run_id)]


async def revoke_share(jobs: Jobs, run_id: str, share_id: str, caller: str = LOCAL_CALLER) -> None:
    """End a link at once, on every server of the store.

    Raises:
        UnknownRun: This caller has no such run.
        InvalidRequest: The run has no such link, or it is revoked already.
    """
    row, now = await jobs.get(run_id, caller), jobs.runtime.clock.now().timestamp()
    if not await jobs.runtime.store.shares.revoke(row.run_id, share_id.strip(), now):
        raise InvalidRequest(f"Run {row.run_id} has no valid link {share_id[:40]!r}.", "List its links.")


async def shared_run(jobs: Jobs, secret: str, now: float) -> Run | None:
    """The run that a link opens, without what concerns its owner alone; None if it opens nothing now."""
    link = await jobs.runtime.store.shares.find(secret, now)
    row = await jobs.runtime.store.runs.get(link.run_id) if link else None
    if row is None:
        return None
    run = await jobs.result(row.run_id, row.caller)
    if run.status not in ENDED or not run.report:
        return None  # it was resumed, and has no report now
    how = run.provenance
    if how:
        asked = {name: value for name, value in how.request.items() if name not in _OWN_MATTERS}
        how = how.model_copy(update={"request": asked})
    return run.model_copy(update={"path": "", "waiting": None, "provenance": how})


def _shown(row: ShareRow, now: float, url: str | None = None) -> SharedLink:
    return SharedLink(
        share_id=row.share_id,
        run_id=row.run_id,
        created=_moment(row.created),
        expires=_moment(row.expires),
        valid=row.valid(now),
        url=url,
    )


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

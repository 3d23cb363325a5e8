"""The structured result of a check: as much of it as a client takes, and the call that brings the rest."""

from typing import TYPE_CHECKING

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.results import CheckedLine, CheckResult
from deepresearch_mcp.mcp_server.texts import NEXT_WAIT, ROOM, call
from deepresearch_mcp.text.markdown import visible
from deepresearch_mcp.text.utf8 import shortened_to_bytes, size

if TYPE_CHECKING:
    from deepresearch_mcp.progress import Progress
    from deepresearch_mcp.records.checks import CheckedClaim
    from deepresearch_mcp.records.run import Run

_ORDER = ("disputed", "unsupported", "partly", "unverifiable", "supported")
_CUTS = (600, 120)
"""Bytes of a statement, a reason and a quote that are shown, the fewer where the room is short; the run object has them
whole."""
_CITES = 10
"""Marks and addresses that are listed for one statement."""
_LISTED = 20
"""Entries of a list beside the checks."""
_SHARES = 120
"""Each of those has this part of the result, so that all of them leave a third of it for the checks."""


def check_result(run: "Run", progress: "Progress", longest: int, patience: float = NEXT_WAIT) -> CheckResult:
    """The result as it is now, in at most `longest` bytes of JSON.

    `patience`: seconds that the next call is told to wait.

    Raises:
        DeepResearchError: The check failed, for this reason.
    """
    if run.status == "failed":
        error = run.error or {}
        raise DeepResearchError(error.get("message", "The check failed."), error.get("action", "Try again."))
    if run.status not in lazy.run.ENDED:
        again = (
            "check_citations with the same arguments; it continues where it stopped"
            if run.status == "interrupted"
            else call("get_report", run_id=run.run_id, wait_seconds=int(patience))
        )
        return CheckResult(run_id=run.run_id, status=run.status, progress=progress.line(), next=again)
    brief = min(_CUTS[0], longest // _SHARES)
    result = CheckResult(
        run_id=run.run_id,
        status=run.status,
        progress=shortened_to_bytes(visible(run.answer), 2 * brief),
        next=call("get_report", run_id=run.run_id),
        verdicts=dict(run.metrics.counts.verdicts.items()),
        dead_links=[shortened_to_bytes(visible(one.url), brief) for one in run.dead[:_LISTED]],
        dangling_marks=[
            shortened_to_bytes(visible(name), brief)
            for name in list(dict.fromkeys(one.text for one in run.dangling))[:_LISTED]
        ],
        uncited=[shortened_to_bytes(visible(one.text), brief) for one in run.uncited[:_LISTED]],
        warnings=[shortened_to_bytes(visible(one), brief) for one in run.warnings[:_LISTED]],
    )
    # Structured results are sent twice: as they are, and as text for clients that read nothing else.
    room = longest - ROOM - size(result.model_dump_json())
    ordered = sorted(enumerate(run.checks), key=lambda pair: (_ORDER.index(pair[1].verdict), pair[0]))
    for _, check in ordered:
        for cut in _CUTS:
            line = _line(check, cut)
            if (needed := size(line.model_dump_json()) + 1) <= room:
                room -= needed
                result.checks.append(line)
                break
    if len(result.checks) < len(run.checks):
        result.next = call("get_report", run_id=run.run_id, format="json", section="checks")
    return result


def _line(check: "CheckedClaim", cut: int) -> CheckedLine:

    quote = next(iter(check.quotes), None)
    return CheckedLine(
        text=shortened_to_bytes(visible(check.text), cut),
        verdict=check.verdict,
        found=check.wording,
        reason=shortened_to_bytes(visible(check.reason), cut),
        cites=[shortened_to_bytes(visible(name), cut) for name in check.cites[:_CITES]],
        url=shortened_to_bytes(visible(check.url), 2 * cut),
        quote=shortened_to_bytes(visible(quote.text), cut) if quote else "",
        start=quote.start if quote else 0,
        end=quote.end if quote else 0,
        snapshot=quote.snapshot if quote else "",
        page=quote.page if quote else None,
    )

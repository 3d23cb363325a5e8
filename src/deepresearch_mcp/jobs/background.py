"""Loads the earlier run that a run builds on, as text or as a run object."""

from collections.abc import Awaitable, Callable

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.run import ENDED, Run
from deepresearch_mcp.text.library_urls import LIBRARY

_LONGEST = 6_000
"""Most characters of an earlier run's claims."""


async def background_of(request: AnyRequest, result: Callable[[str], Awaitable[Run]]) -> str | Run:
    """Return what an earlier run established, as text; for the check of a run, that run; "" without an earlier run.

    Args:
        request: The request, which may name an earlier run.
        result: Returns a run of the same caller by its id.

    Raises:
        UnknownRun, InvalidRequest: There is no such run, or it has no result to build on.
    """
    if isinstance(request, CheckRequest):
        return _checkable(await result(request.run_id)) if request.run_id else ""
    if not request.follow_up_of:
        return ""
    earlier = await result(request.follow_up_of)
    if earlier.status not in ENDED:
        raise InvalidRequest(
            f"Run {earlier.run_id} has not ended, so nothing can follow up on it yet.",
            "Wait for its report, or cancel it.",
        )
    claims = "\n".join(f"- {claim.text}" for claim in earlier.claims if claim.verdict == "supported")[:_LONGEST]
    # `PrivateWords` keeps what follows from the web by this mark.
    private = any(source.url.startswith(LIBRARY) for source in earlier.sources)
    read = f"It read documents of collections ({LIBRARY}).\n" if private else ""
    return f"An earlier run asked: {earlier.question}\n{read}Its answer: {earlier.answer}\nIt established:\n{claims}"


def _checkable(earlier: Run) -> Run:
    if earlier.status not in ENDED or not (earlier.claims or earlier.checks):
        state = "has not ended" if earlier.status not in ENDED else "made no claim"
        raise InvalidRequest(
            f"Run {earlier.run_id} {state}, so there is nothing to check.", "Name a run that has a report."
        )
    return earlier

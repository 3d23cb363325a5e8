"""Questions to the user: the port that the pipeline awaits, and the store of questions and replies."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.work import ClientAnswer


class UserPrompter(Protocol):
    """Asks the user of a run, by any channel."""

    async def ask(self, inquiry: InputRequest) -> Reply:
        """Return the user's reply, however long it takes; never one that declines.

        The caller records the reply as a step of kind `decision` under the inquiry's id, so the next attempt at the run
        does not ask again. Waiting may end this attempt: the caller is then cancelled and keeps its state. In the next
        attempt the call returns the reply at once.
        """
        ...


class Inquiries(Protocol):
    """Questions of runs and their replies, shared by all processes on the store."""

    async def put(self, run_id: str, inquiry: InputRequest, now: float, progress: dict[str, Any]) -> bool:
        """Suspend a run of this process: its status becomes `input_required` and it has no owner.

        It deletes an earlier reply to an inquiry of the same id. False if the run has another owner, has ended, or is
        to be cancelled.
        """
        ...

    async def open(self, run_id: str) -> InputRequest | None:
        """Return the newest inquiry without a reply; the run's status says whether it is still open."""
        ...

    async def fill(
        self, run_id: str, inquiry_id: str, answers: Mapping[str, ClientAnswer], faulty: Collection[str]
    ) -> InputRequest | None:
        """Store answers to packets of work, from any process; returns the updated inquiry.

        See `InputRequest.after`. None if the run no longer waits for this inquiry.
        """
        ...

    async def close(self, run_id: str, inquiry_id: str, now: float) -> bool:
        """Queue a waiting run that is to be cancelled, so that its report is written.

        A declining reply is stored. False if the run does not wait for the inquiry.
        """
        ...

    async def replied(self, run_id: str, inquiry_id: str) -> tuple[InputRequest, Reply] | None:
        """Return an inquiry with its reply; None if there is none."""
        ...

    async def last(self, run_id: str) -> Reply | None:
        """Return the newest reply in this run."""
        ...

    async def reply(self, run_id: str, inquiry_id: str, reply: Reply, request: AnyRequest, now: float) -> bool:
        """Store a reply, from any process; the run resumes with `request` once a process claims it.

        The run becomes `queued`, or `cancelled` if the reply declines. False if the run does not wait for the inquiry.
        """
        ...

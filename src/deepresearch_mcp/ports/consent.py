"""Asking the user: what the pipeline awaits, and where question and answer are kept meanwhile."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.work import ClientAnswer


class UserPrompter(Protocol):
    """The user of a run, by whatever channel."""

    async def ask(self, inquiry: InputRequest) -> Reply:
        """The user's reply, however long it takes; never one that declines.

        The caller records the reply as a step of kind `decision` under the inquiry's id, so the next attempt at the run
        does not ask again. The wait may end this attempt: its caller is cancelled then and its work left as it stands.
        In the next attempt the reply is there at once.
        """
        ...


class Inquiries(Protocol):
    """Questions of runs and their replies, for all processes on the store."""

    async def put(self, run_id: str, inquiry: InputRequest, now: float, progress: dict[str, Any]) -> bool:
        """Suspend a run of this process: its status becomes `input_required` and it has no owner.

        An earlier reply to an inquiry of the same id is forgotten. False if the run belongs to another process by now,
        has ended, or is to be cancelled.
        """
        ...

    async def open(self, run_id: str) -> InputRequest | None:
        """The newest inquiry without a reply; the status of the run says whether it still counts."""
        ...

    async def fill(
        self, run_id: str, inquiry_id: str, answers: Mapping[str, ClientAnswer], faulty: Collection[str]
    ) -> InputRequest | None:
        """Store answers to packets of work, from any process; returns the updated inquiry.

        See `InputRequest.after`. None if the run no longer waits for it.
        """
        ...

    async def close(self, run_id: str, inquiry_id: str, now: float) -> bool:
        """Queue a waiting run that is to be cancelled, so that its report is written.

        The reply is kept as one that declines. False if the run does not wait for the inquiry.
        """
        ...

    async def replied(self, run_id: str, inquiry_id: str) -> tuple[InputRequest, Reply] | None:
        """The inquiry and the reply to it."""
        ...

    async def last(self, run_id: str) -> Reply | None:
        """The newest reply in this run."""
        ...

    async def reply(self, run_id: str, inquiry_id: str, reply: Reply, request: AnyRequest, now: float) -> bool:
        """Store a reply, from any process; the run resumes with `request` once a process claims it.

        The run is `queued` then; a reply that declines ends it as `cancelled`. False if the run does not wait for it.
        """
        ...

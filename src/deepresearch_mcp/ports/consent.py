"""Asking the user: what the pipeline may await, and where question and answer are kept meanwhile."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.work import ClientAnswer


class UserPrompter(Protocol):
    """The user of a run, reached in whatever way."""

    async def ask(self, inquiry: InputRequest) -> Reply:
        """The user's reply, however long it takes; never one that declines.

        The caller records it as a step of kind `decision`, under the inquiry's id: so in the next life of the run
        nobody is asked again. The wait may end this life of the run: whoever awaits it is cancelled then, and what it
        works on is left as it stands. In the next life the reply is there at once.
        """
        ...


class Inquiries(Protocol):
    """What runs ask and what is replied, for every process on the store."""

    async def put(self, run_id: str, inquiry: InputRequest, now: float, progress: dict[str, Any]) -> bool:
        """Suspend a run of ours that waits: it is then `input_required` and has no owner.

        An earlier reply to an inquiry of the same id is forgotten. False where the run is not ours any more, has
        ended, or is to be cancelled.
        """
        ...

    async def open(self, run_id: str) -> InputRequest | None:
        """The newest one without a reply; the run's status says whether it still counts."""
        ...

    async def fill(
        self, run_id: str, inquiry_id: str, answers: Mapping[str, ClientAnswer], faulty: Collection[str]
    ) -> InputRequest | None:
        """Store answers to packets of work, from any process; returns the inquiry as it is then.

        See `InputRequest.after`. None where the run waits for it no more.
        """
        ...

    async def close(self, run_id: str, inquiry_id: str, now: float) -> bool:
        """Queue a run once more that waits, so that it is written up; it is to be cancelled then.

        The reply is kept as one that declines. False where the run does not wait for it.
        """
        ...

    async def replied(self, run_id: str, inquiry_id: str) -> tuple[InputRequest, Reply] | None:
        """The reply to an inquiry, with that to which it was given."""
        ...

    async def last(self, run_id: str) -> Reply | None:
        """The newest reply in this run."""
        ...

    async def reply(self, run_id: str, inquiry_id: str, reply: Reply, request: AnyRequest, now: float) -> bool:
        """Store a reply, from any process; the run resumes with `request` once a process claims it.

        It is `queued` then; one that declines ends it as `cancelled`. False where the run does not wait for it.
        """
        ...

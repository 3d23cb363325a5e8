"""Readiness: which sub-questions are complete, so that writing may begin."""

import anyio


class Readiness:
    """Which sub-questions will bring nothing more; `last` is set once the round that runs is known to be the last."""

    def __init__(self) -> None:
        self.last = anyio.Event()
        self._all = anyio.Event()
        self._each: dict[str, anyio.Event] = {}

    def done(self, sub_question: str) -> None:
        """This one is complete."""
        self._event(sub_question).set()

    def everything(self) -> None:
        """The research is over."""
        self.last.set()
        self._all.set()
        for event in self._each.values():
            event.set()

    async def wait(self, sub_question: str) -> None:
        """Until this one is complete."""
        await self._event(sub_question).wait()

    async def wait_for_all(self) -> None:
        """Until the research is over."""
        await self._all.wait()

    def _event(self, sub_question: str) -> anyio.Event:
        event = self._each.setdefault(sub_question, anyio.Event())
        if self._all.is_set():
            event.set()
        return event

"""The library: the same engine in a few lines of Python."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from deepresearch_mcp.events import Progress
from deepresearch_mcp.jobs.asking import check_of, checked_request, reply_of
from deepresearch_mcp.jobs.handing import hand_in, unusable, work_of
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.jobs.pending_ends import model_error
from deepresearch_mcp.jobs.replies import reply
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.runtime import load_settings, open_runtime
from deepresearch_mcp.settings.schema import Settings

OnProgress = Callable[[Progress], Awaitable[None]]


class DeepResearch:
    """Researches questions; an async context manager.

    ```python
    async with DeepResearch() as research:
        run = await research.research("How do PostgreSQL and SQLite handle concurrent writers?")
        print(run.report)
    ```

    Without arguments it is set up as the command line is, by environment and
    configuration file (never by a `.env` found beside the program). Runs belong to
    the object: leaving the context interrupts those that have not ended.
    """

    def __init__(self, settings: Settings | None = None, **flags: object) -> None:
        """Use `settings` as they are, or read them and override some, as `DeepResearch(**{"model.use": "…"})`.

        Raises:
            SettingsError: A source of settings is wrong.
        """
        self._settings = settings or load_settings(flags).settings
        self._stack = AsyncExitStack()
        self._jobs: Jobs | None = None

    async def __aenter__(self) -> Self:
        # Python calls `__aexit__` only after this has succeeded: until then the stack here closes what was opened.
        async with AsyncExitStack() as opened:
            runtime = await opened.enter_async_context(open_runtime(self._settings))
            self._jobs = await opened.enter_async_context(open_jobs(runtime))
            self._stack = opened.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._jobs = None
        await self._stack.__aexit__(kind, error, trace)

    async def research(
        self, question: str, *, fresh: bool = False, on_progress: OnProgress | None = None, **arguments: object
    ) -> Run:
        """Research a question to its end; `arguments` are those of the tool `deep_research`.

        A run that failed comes back with its `error`; cancelling this call only detaches. With `approve_plan=True` the
        run comes back as `input_required`, with its plan in `waiting`: see `answer`. You are not asked what a question
        means unless `clarify="auto"` is given.

        Raises:
            InvalidRequest, UnknownCollection, SettingsError: Nothing was started.
            ModelUnusable: The model that was asked for cannot be used; nothing else was spent.
        """
        run_id = await self.start(question, fresh=fresh, **arguments)
        return await self.follow(run_id, on_progress=on_progress)

    async def check(
        self, text: str = "", *, fresh: bool = False, on_progress: OnProgress | None = None, **arguments: object
    ) -> Run:
        """Check what a text cites, or with `run_id=` an earlier run; `arguments` are those of `check_citations`.

        The statements and their verdicts are in the run's `checks`. A check that failed comes back with its `error`.

        Raises:
            InvalidRequest, UnknownRun, SettingsError: Nothing was started.
            ModelUnusable: The model that was asked for cannot be used; nothing else was spent.
        """
        row = await self._open.start_or_join(check_of({"text": text, **arguments}), fresh=fresh)
        return await self.follow(row.run_id, on_progress=on_progress)

    async def start(self, question: str, *, fresh: bool = False, **arguments: object) -> str:
        """Start a run, or join that of the same question; its id."""
        request = checked_request({"question": question, "clarify": "never", **arguments})
        row = await self._open.start_or_join(request, fresh=fresh)
        return row.run_id

    async def follow(
        self, run_id: str, *, wait_seconds: float | None = None, on_progress: OnProgress | None = None
    ) -> Run:
        """Wait for a run, at most `wait_seconds`; the run object as it is then.

        Raises:
            UnknownRun: There is no such run.
            ModelUnusable: It ended because the model that was asked for cannot be used.
        """
        await self._open.follow(run_id, wait_seconds=wait_seconds, on_progress=on_progress)
        run = await self.get(run_id)
        if error := model_error(run):
            raise error
        return run

    async def get(self, run_id: str) -> Run:
        """The run object: whole when the run has ended, else how far it is.

        Raises:
            UnknownRun: There is no such run.
        """
        return await self._open.result(run_id)

    async def answer(
        self,
        run_id: str,
        *,
        approve: bool | None = None,
        note: str = "",
        sub_questions: Sequence[str] = (),
        answers: Sequence[str] = (),
        work: Mapping[str, object] | None = None,
        on_progress: OnProgress | None = None,
        **ceilings: float | None,
    ) -> Run:
        """Answer what a run waits for, and follow it to its end, or to the next thing that it asks.

        `approve=True` continues it, `False` ends it; `note` tells the planner what is to be different, `sub_questions`
        replace the plan's, `answers` are to the run's questions; `ceilings`, as `max_usd=0.2`, replace the run's.

        With `model="client"` you are the model: `waiting.open` holds packets of work, each with its instructions,
        material and JSON Schema, and `work` your answers by their `packet_id`, as JSON values or text. What is left out
        stays open; with `approve=True` the run continues without it.

        Raises:
            UnknownRun: There is no such run.
            InvalidRequest: It is not waiting, or the answer does not fit what it asks.
        """
        if work is not None:
            handed = await hand_in(self._open, run_id, work_of(work), enough=approve is True)
            if handed.faults:
                raise unusable(handed.faults)
            return await self.follow(run_id, on_progress=on_progress)
        said = reply_of(approve=approve, note=note, sub_questions=sub_questions, answers=answers, **ceilings)
        await reply(self._open, run_id, said)
        return await self.follow(run_id, on_progress=on_progress)

    async def cancel(self, run_id: str) -> Run:
        """End a run; what was gathered is written up and comes back.

        Raises:
            UnknownRun: There is no such run.
        """
        await self._open.cancel(run_id)
        return await self.get(run_id)

    @property
    def _open(self) -> Jobs:
        if self._jobs is None:
            raise RuntimeError("DeepResearch is not open: use it in `async with DeepResearch() as research:`.")
        return self._jobs

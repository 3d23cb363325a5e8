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

    Without arguments it reads its settings as the command line does, from the environment and the configuration file
    (never from a `.env` beside the program). The object owns its runs: leaving the context interrupts those that have
    not ended.
    """

    def __init__(self, settings: Settings | None = None, **flags: object) -> None:
        """Use `settings` unchanged, or read them and override some by flags: `DeepResearch(**{"model.use": "…"})`.

        Raises:
            SettingsError: A source of settings is wrong.
        """
        self._settings = settings or load_settings(flags).settings
        self._stack = AsyncExitStack()
        self._jobs: Jobs | None = None

    async def __aenter__(self) -> Self:
        # Python calls `__aexit__` only if this succeeds. Until then, the local stack closes what was opened.
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

        A failed run is returned with its `error`. Cancelling this call detaches from the run; the run continues. With
        `approve_plan=True` the run is returned as `input_required`, with its plan in `waiting`: see `answer`. A run
        asks what the question means only with `clarify="auto"`.

        Raises:
            InvalidRequest, UnknownCollection, UnknownRun, SettingsError: A value is wrong; nothing was started.
            BudgetExceeded: A daily ceiling is used up; nothing was started.
            ModelUnusable: The model that was asked for cannot be used; nothing else was spent.
        """
        run_id = await self.start(question, fresh=fresh, **arguments)
        return await self.follow(run_id, on_progress=on_progress)

    async def check(
        self, text: str = "", *, fresh: bool = False, on_progress: OnProgress | None = None, **arguments: object
    ) -> Run:
        """Check the citations of a text, or of an earlier run given as `run_id=`.

        The other `arguments` are those of the tool `check_citations`. The run's `checks` hold the statements and their
        verdicts. A failed check is returned with its `error`.

        Raises:
            InvalidRequest, UnknownRun, SettingsError: A value is wrong; nothing was started.
            BudgetExceeded: A daily ceiling is used up; nothing was started.
            ModelUnusable: The model that was asked for cannot be used; nothing else was spent.
        """
        row = await self._open.start_or_join(check_of({"text": text, **arguments}), fresh=fresh)
        return await self.follow(row.run_id, on_progress=on_progress)

    async def start(self, question: str, *, fresh: bool = False, **arguments: object) -> str:
        """Start a run and return its id at once, or that of the open or just completed run of an equal request.

        `fresh=True` always starts a new run.

        Raises:
            InvalidRequest, UnknownCollection, UnknownRun, SettingsError: A value is wrong; nothing was started.
            BudgetExceeded: A daily ceiling is used up; nothing was started.
        """
        request = checked_request({"question": question, "clarify": "never", **arguments})
        row = await self._open.start_or_join(request, fresh=fresh)
        return row.run_id

    async def follow(
        self, run_id: str, *, wait_seconds: float | None = None, on_progress: OnProgress | None = None
    ) -> Run:
        """Wait for a run, at most `wait_seconds` (None: until it ends or asks something); return the run as it is then.

        Raises:
            UnknownRun: There is no such run.
            ModelUnusable: The run ended because the requested model cannot be used.
        """
        await self._open.follow(run_id, wait_seconds=wait_seconds, on_progress=on_progress)
        run = await self.get(run_id)
        if error := model_error(run):
            raise error
        return run

    async def get(self, run_id: str) -> Run:
        """Return the run: complete if it has ended, otherwise with its progress.

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
        """Answer what a run waits for, and follow it until it ends or asks something else.

        `approve=True` continues the run, `False` ends it. `note` tells the planner what to change; `sub_questions`
        replace those of the plan; `answers` reply to the run's questions, in order; `ceilings`, such as `max_usd=0.2`,
        replace those of the run.
        With `model="client"` you are the model: `waiting.open` holds packets of work, each with instructions, material
        and a JSON Schema. Pass your answers as `work`: JSON values or text by `packet_id`. A packet without an answer
        stays open; with `approve=True` the run continues without it.

        Raises:
            UnknownRun: There is no such run.
            InvalidRequest: The run is not waiting, or the answer does not fit what it asks.
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
        """End a run; return it with a report of what it has gathered.

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

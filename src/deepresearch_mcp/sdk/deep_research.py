"""The library: the same engine in a few lines of Python, on this machine or on a server."""

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Self

from typing_extensions import override

from deepresearch_mcp.exceptions import ModelUnusable, SettingsError
from deepresearch_mcp.records.plan import Estimate
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.sdk.collections import Library
from deepresearch_mcp.sdk.engine import Engine, ForkStage, OnEvent, OnProgress
from deepresearch_mcp.sdk.looking import Looking

if TYPE_CHECKING:
    from deepresearch_mcp.settings.schema import Settings


class DeepResearch(Looking):
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

    def __init__(self, settings: "Settings | str | None" = None, *, token: str = "", **flags: object) -> None:
        """Use `settings` unchanged, or read them and override some by flags: `DeepResearch(**{"model.use": "…"})`.

        With the address of a server, `DeepResearch("https://…", token="…")`, runs are worked on there, and go on when
        the context is left. No settings are read; every method does the same and raises the same errors, and a
        `ProviderError` if the server cannot be reached.

        Raises:
            SettingsError: A source of settings, or the address, is wrong.
        """
        self._stack = AsyncExitStack()
        self._engine: Engine | None = None
        self.library = Library(lambda: self._open)
        """Collections of local documents."""
        if isinstance(settings, str):
            if flags:
                raise SettingsError("A server has its own settings.", "Give its address and a token alone.")
            from deepresearch_mcp.sdk.remote import checked_address, open_remote

            address = checked_address(settings)
            self._opening = lambda: open_remote(address, token)
            return
        if token:
            raise SettingsError("A token belongs to a server.", "Give its address as the first argument.")
        # Late: a program that only asks a server does not need the engine.
        from deepresearch_mcp.sdk.local import open_local, settings_of

        known = settings_of(settings, flags)
        self._opening = lambda: open_local(known)

    async def __aenter__(self) -> Self:
        # Python calls `__aexit__` only if this succeeds; the stack closes what was opened if it does not.
        stack = AsyncExitStack()
        self._engine = await stack.enter_async_context(self._opening())
        self._stack = stack
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._engine = None
        await self._stack.__aexit__(kind, error, trace)

    async def research(
        self,
        question: str,
        *,
        fresh: bool = False,
        webhook_url: str = "",
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
        **arguments: object,
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
        run_id = await self.start(question, fresh=fresh, webhook_url=webhook_url, **arguments)
        return await self.follow(run_id, on_progress=on_progress, on_event=on_event)

    async def check(
        self,
        text: str = "",
        *,
        fresh: bool = False,
        webhook_url: str = "",
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
        **arguments: object,
    ) -> Run:
        """Check the citations of a text, or of an earlier run given as `run_id=`.

        The other `arguments` are those of the tool `check_citations`. The run's `checks` hold the statements and their
        verdicts. A failed check is returned with its `error`.

        Raises:
            InvalidRequest, UnknownRun, SettingsError: A value is wrong; nothing was started.
            BudgetExceeded: A daily ceiling is used up; nothing was started.
            ModelUnusable: The model that was asked for cannot be used; nothing else was spent.
        """
        run_id = await self._open.start_check({"text": text, **arguments}, fresh=fresh, webhook_url=webhook_url)
        return await self.follow(run_id, on_progress=on_progress, on_event=on_event)

    async def start(self, question: str, *, fresh: bool = False, webhook_url: str = "", **arguments: object) -> str:
        """Start a run and return its id at once, or that of the open or just completed run of an equal request.

        `fresh=True` always starts a new run. `webhook_url` is told of the run's end; `webhook_secret` verifies it.

        Raises:
            InvalidRequest, UnknownCollection, UnknownRun, SettingsError: A value is wrong; nothing was started.
            BudgetExceeded: A daily ceiling is used up; nothing was started.
        """
        return await self._open.start({"question": question, **arguments}, fresh=fresh, webhook_url=webhook_url)

    async def follow(
        self,
        run_id: str,
        *,
        wait_seconds: float | None = None,
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
    ) -> Run:
        """Wait for a run, at most `wait_seconds` (None: until it ends or asks something); return the run as it is then.

        `on_event` is given every event of the run, from its first one on, each once.

        Raises:
            UnknownRun: There is no such run.
            ModelUnusable: The run ended because the requested model cannot be used.
        """
        run = await self._open.follow(run_id, wait_seconds, on_progress, on_event)
        error = run.error or {}
        if error.get("name") == ModelUnusable.name:
            raise ModelUnusable(error["message"], error["action"])
        return run

    async def export(self, run_id: str, form: str = "docx") -> bytes:
        """Return a run as a file: `md`, `html`, `json`, `docx`, `pdf`, `bibtex`, `csl-json` or `ris`; text in UTF-8.

        `pdf` needs the extra `export` where the run is worked on. The last three list the sources that the report
        cites.

        Raises:
            UnknownRun: There is no such run.
            InvalidRequest: There is no such format, or the run has no report yet.
            SettingsError: The extra is not installed.
        """
        return await self._open.export(run_id, form)

    async def resume(
        self,
        run_id: str,
        *,
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
        **ceilings: float | None,
    ) -> Run:
        """Resume a run that was interrupted, cancelled, failed, or stopped at a ceiling; follow it.

        Finished steps are not repeated. `ceilings`, such as `max_usd=2`, replace those of the run; its earlier use
        counts against them.

        Raises:
            UnknownRun: There is no such run.
            InvalidRequest: The run is complete, waits for an answer, or is being worked on.
            ModelUnusable: The model that was asked for cannot be used.
        """
        again = await self._open.resume(run_id, ceilings)
        return await self.follow(again, on_progress=on_progress, on_event=on_event)

    async def fork(
        self,
        run_id: str,
        stage: ForkStage = "writer",
        *,
        model: str | None = None,
        drafts: int | None = None,
        on_progress: OnProgress | None = None,
        on_event: OnEvent | None = None,
    ) -> Run:
        """Start a new run from the evidence of an ended one, and follow it.

        The stages before `stage` are shared and cost nothing; it and the later ones are repeated, by `model` if given.
        `drafts`, 1 to 5, is the number of reports from which the best is chosen.

        Raises:
            UnknownRun: There is no such run.
            InvalidRequest: The run has not ended, is a check, or a value is wrong.
            ModelUnusable: The model that was asked for cannot be used.
        """
        changes = {"model": model, "drafts": drafts}
        made = await self._open.fork(run_id, stage, {name: one for name, one in changes.items() if one is not None})
        return await self.follow(made, on_progress=on_progress, on_event=on_event)

    async def delete(self, run_id: str) -> dict[str, int]:
        """Delete a run with everything that only it holds; return what was deleted, by kind.

        Raises:
            UnknownRun: There is no such run.
            InvalidRequest: The run is being worked on.
        """
        return await self._open.delete(run_id)

    async def estimate(self, question: str, **arguments: object) -> Estimate:
        """Estimate what a research is likely to use, by stage, without starting it; `arguments` as for `research`.

        Raises:
            InvalidRequest, UnknownCollection, SettingsError: The research would be refused.
        """
        return await self._open.estimate({"question": question, **arguments})

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
        on_event: OnEvent | None = None,
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
        said = {
            "approve": approve,
            "note": note or None,
            "sub_questions": [*sub_questions] or None,
            "answers": [*answers] or None,
            "work": work,
            **ceilings,
        }
        await self._open.answer(run_id, {name: one for name, one in said.items() if one is not None})
        return await self.follow(run_id, on_progress=on_progress, on_event=on_event)

    async def cancel(self, run_id: str) -> Run:
        """End a run; return it with a report of what it has gathered.

        Raises:
            UnknownRun: There is no such run.
        """
        return await self._open.cancel(run_id)

    @property
    @override
    def _open(self) -> Engine:
        if self._engine is None:
            raise RuntimeError("DeepResearch is not open: use it in `async with DeepResearch() as research:`.")
        return self._engine

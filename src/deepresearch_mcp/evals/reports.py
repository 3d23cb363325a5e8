"""Makes the reports that are compared: runs that are stored like any other, and so are never paid for twice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.attempts import resume_run
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.run import ENDED, Run, RunRow
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.project import COMMANDS
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.version import __version__

_KNOWN_BY = 200
"""Characters of a question by which its runs are looked for."""
_LATEST = 50

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to research: settings and arguments."""

    name: str
    settings: Settings
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class MadeReport:
    """One report on one question."""

    system: str
    text: str
    run: Run | None = None
    """None: another system made it."""
    error: str = ""
    """Why there is no report."""

    @property
    def names(self) -> tuple[str, ...]:
        """What would tell a judge who made it; of models without their provider only what is no usual word."""
        models = self.run.provenance.models if self.run and self.run.provenance else ()
        alone = (name.partition(":")[2] for name in models)
        return (*COMMANDS, *models, *(name for name in alone if any(map(str.isdigit, name))))


async def researched(
    configuration: Configuration, questions: Mapping[str, str], say: Say, *, fresh: bool
) -> dict[str, MadeReport]:
    """Research each question, one after another, so that times can be compared; names of questions → reports.

    Raises:
        InvalidRequest, SettingsError, StoreError: Nothing can be researched in this way.
    """
    made: dict[str, MadeReport] = {}
    async with open_runtime(configuration.settings) as runtime, open_jobs(runtime) as jobs:
        for number, (name, question) in enumerate(questions.items(), 1):
            say(f"{configuration.name}: question {number} of {len(questions)} ({name})")
            arguments = {"clarify": "never", **configuration.arguments, "question": question}
            request = checked_request(arguments, defaults=configuration.settings.defaults)
            made[name] = _report(configuration.name, await carried_out(jobs, request, fresh=fresh))
    return made


def _report(system: str, run: Run) -> MadeReport:
    error = run.error or {}
    why = "" if run.report and run.status != "failed" else error.get("message") or f"The run is {run.status}."
    return MadeReport(system, run.report if not why else "", run, why)


async def carried_out(jobs: Jobs, request: AnyRequest, *, fresh: bool = False) -> Run:
    """Return the run of this request under these settings: an earlier one of this version, or a new one.

    An interrupted one is resumed. Unlike `start_or_join`, it takes no run that was made under other settings, and asks
    not how old a run is.

    Raises:
        DeepResearchError: It could not be started.
    """
    row = None if fresh else await _known(jobs, request)
    if row is None:
        row = await jobs.start_or_join(request, fresh=True)
    elif row.status == "interrupted":
        row = await resume_run(jobs, row.run_id)
    await jobs.follow(row.run_id)
    return await jobs.result(row.run_id)


async def _known(jobs: Jobs, request: AnyRequest) -> RunRow | None:
    """The newest run of this request that can be used."""
    wanted = request.canonical()
    for row in await jobs.find(text=request.question[:_KNOWN_BY], limit=_LATEST):
        if row.setup != jobs.runtime.setup or row.request.canonical() != wanted:
            continue
        if row.status not in ENDED:
            return row
        if row.status in {"completed", "partial"} and await _is_ours(jobs, row):
            return row
    return None


async def _is_ours(jobs: Jobs, row: RunRow) -> bool:
    try:
        run = await jobs.result(row.run_id)
    except DeepResearchError:
        return False
    return bool(run.provenance and run.provenance.version == __version__)

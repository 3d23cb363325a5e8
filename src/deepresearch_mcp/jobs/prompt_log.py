"""Adds what models were asked to a run object that is exported."""

from datetime import UTC, datetime

from deepresearch_mcp.ports.watching import Prompts
from deepresearch_mcp.records.run import LoggedPrompt, Run


async def with_prompts(run: Run, prompts: Prompts) -> Run:
    """The run with what models were asked and answered, as far as that was kept."""
    rows = await prompts.of(run.run_id)
    logged = tuple(
        LoggedPrompt(
            step=row.key,
            at=datetime.fromtimestamp(row.at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            model=row.model,
            role=row.role,
            system=row.system,
            prompt=row.prompt,
            answer=row.answer,
        )
        for row in rows
    )
    return run.model_copy(update={"prompts": logged}) if logged else run

"""`deepresearch-server demo`: a whole research, offline, without a key, on the reference that every CPython carries."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import command, err, say
from deepresearch_mcp.cli.options import Json, settings_of

if TYPE_CHECKING:
    from deepresearch_mcp.cli.running import Showing
    from deepresearch_mcp.ports.documents import Documents
    from deepresearch_mcp.records.run import Run
    from deepresearch_mcp.settings.schema import Settings

QUESTION = "What does a finally clause do, and what does a with statement do with an exception?"


def demo(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="Another question about the Python language.")
    ] = QUESTION,
    *,
    json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the report.")] = False,
) -> None:
    """Watch a research run: offline, without a key, on real text.

    A small web site is served on this machine from the Python language reference that comes with Python, with a few
    deliberately bad pages; it is searched, read, quoted and written up by the same engine that researches the web.
    """
    settings = settings_of()
    showing = lazy.running.Showing(as_json=json, quiet=quiet)
    if not (json or quiet) and err().is_terminal:
        _greet()
    run, located = anyio.run(_research, question, settings.home, showing)
    try:
        anyio.run(lazy.running.show_result, run, showing, settings)
    finally:
        if run.citations and not quiet:
            _tell(run, located)


async def _research(question: str, home: Path, showing: "Showing") -> "tuple[Run, int]":
    """Serve the site, research it, and check every quote against the snapshots that were stored."""
    clock = lazy.system_clock.SystemClock()
    request = lazy.asking.checked_request({"question": question, "model": "extractive"})
    async with (
        lazy.demo_server.serve_site(lazy.demo_site.build(request.question), clock) as base,
        lazy.runtime.open_runtime(pointed(home, base)) as runtime,
    ):
        async with lazy.jobs.open_jobs(runtime) as jobs:
            row = await jobs.start_or_join(request, fresh=True)
            run = await lazy.running.watched(jobs, row.run_id, showing)
        return run, await located_quotes(run, runtime.store.documents)


def pointed(home: Path, base: str) -> "Settings":
    """Settings that lead to the site at `base` and nowhere else; of the user's own only the data directory counts."""
    # One host is all there is, and it is ours: no need to be slow with it.
    web = {"allow_private": [base.removeprefix("http://")], "host_rate": 100.0, "host_burst": 100}
    return lazy.schema.Settings.model_validate(
        {
            "home": home,
            "model": {"use": "extractive"},
            "search": {"engines": ["searxng"], "searxng_url": base},
            "web": {**web, "host_concurrency": 12, "cache_seconds": 0.0},
            "research": {"domain_cap": 100, "min_domains": 1, "patience": 2.0},
        }
    )


async def located_quotes(run: "Run", documents: "Documents") -> int:
    """How many cited quotes really stand in the stored snapshots at their offsets: read again, and compared."""
    found = 0
    for citation in run.citations:
        text = await documents.text(citation.snapshot)
        found += text is not None and text[citation.start : citation.end] == citation.quote
    return found


def _greet() -> None:
    say(
        "A research run, offline and without a key: the Python language reference that came with your Python is "
        "served on this machine as a small web site, and researched like the real web."
    )


def _tell(run: "Run", located: int) -> None:
    """What the demo adds to what `research` says: its own check, what was refused and why, and what to do next."""
    console = err()
    total = len(run.citations)
    console.print()
    console.print(f"quotes verified: {located}/{total}", style="ok" if located == total else "bad", end="")
    console.print("  (each read again from its stored snapshot just now)", style="dim")
    if run.unread:
        say("not read, and why:")
        say(*(f"  {lazy.watching.short_address(page.url)}: {page.detail or page.reason}" for page in run.unread))
    guessed = [source for source in run.sources if "charset_guessed" in source.flags]
    say(
        *(
            f"  {lazy.watching.short_address(source.url)}: read, although its header names a wrong charset"
            for source in guessed
        )
    )
    say("", "The site ended with this command, so its links lead nowhere now; the report and its quotes are kept.", "")
    say(
        f'Research the web  {command()} research "QUESTION"',
        f"Check the set-up  {command()} doctor",
        f"Connect a client  {command()} install",
        whole=True,
    )

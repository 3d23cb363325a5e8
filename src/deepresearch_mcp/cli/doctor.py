"""`deepresearch-server doctor`: what is set, what works, and how to fix what does not."""

import platform
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.clients.entries import this_machine
from deepresearch_mcp.cli.console import called_as, emit, err, out, row
from deepresearch_mcp.cli.options import Json, Sets, settings_with_origins
from deepresearch_mcp.settings.project import EXTRAS, adding, is_installed
from deepresearch_mcp.version import __version__

if TYPE_CHECKING:
    from deepresearch_mcp.cli.checks import Check, Thinks
    from deepresearch_mcp.settings.bounds import KeepSettings
    from deepresearch_mcp.settings.reading import Loaded


def doctor(
    *,
    offline: Annotated[bool, typer.Option("--offline", help="Ask nothing outside this machine.")] = False,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Show what is set and where from, and try every part with a real call.

    Exit code 1 when something that is needed does not work.
    """
    loaded = settings_with_origins(sets)
    engines = lazy.engines.chosen(loaded.settings.search)
    thinker = lazy.checks.thinks(loaded.settings.model)
    if not json:
        _show_settings(loaded, thinker, engines)

    async def run() -> "list[Check]":
        web = loaded.settings.web
        browser = is_installed("browser") and web.browser and not web.proxy
        if json or not err().is_terminal:
            return await lazy.checks.examine(loaded.settings, offline=offline, browser=browser)
        with err().status("Trying every part …"):
            return await lazy.checks.examine(loaded.settings, offline=offline, browser=browser)

    checks = [*anyio.run(run), *lazy.connections.programs(), *lazy.connections.connections(this_machine())]
    sound = all(check.ok for check in checks if check.needed)
    if json:
        emit(_object(loaded, thinker, engines, checks, sound=sound, offline=offline))
    else:
        _show_checks(checks, sound=sound, offline=offline)
    if not sound:
        raise typer.Exit(1)


def _machine() -> tuple[str, str, str]:
    return __version__, platform.python_version(), platform.system()


def _show_settings(loaded: "Loaded", thinker: "Thinks", engines: tuple[str, ...]) -> None:

    console = out()
    version, python, system = _machine()
    console.print(f"{called_as()} {version}", style="head", end="")
    console.print(f" · Python {python} · {system}\n", markup=False)
    given = [
        f"{one.setting} = {one.value}  [{one.origin}]"
        for one in lazy.reading.describe(loaded)
        if one.origin != "default"
    ]
    rows = [
        (
            "Data",
            "the PostgreSQL database of database_url" if loaded.settings.database_url else str(loaded.settings.home),
        ),
        *[("Set", line) for line in given or ["nothing: all settings are the defaults"]],
        ("Thinks", f"{thinker.name} ({thinker.why})"),
        ("", thinker.change),
        ("Searches", ", ".join(engines)),
        ("Keeps", _kept(loaded.settings.keep)),
        *[("Extras", line) for line in _extras()],
    ]
    before = ""
    for name, value in rows:
        row(name if name != before else "", value, style="dim")
        before = name
    console.print()


_EXTRAS = {
    "keyring": "keeps keys in the system's keyring",
    "ocr": "reads scans, if the program tesseract is installed too",
    "pdf": "reads PDF files faster and better",
    "browser": "runs the scripts of pages without text, if Chromium is installed too",
    "export": "writes reports as PDF",
    "postgres": "lets machines share a database",
    "presidio": "masks more kinds of personal data, and names where a spaCy model is installed",
    "otel": "sends traces to an OpenTelemetry collector",
}
"""Extra → what it adds."""


def _extras() -> list[str]:
    """Name the extras that are installed, and tell of each other one what it adds and how to install it."""
    there = [extra for extra in EXTRAS if is_installed(extra)]
    missing = [
        f"without {extra}, which {_EXTRAS[extra]}. Run: {adding(*EXTRAS[extra])}"
        for extra in EXTRAS
        if extra not in there
    ]
    return [f"with {', '.join(there)}" if there else "none is installed", *missing]


def _kept(keep: "KeepSettings") -> str:
    def days(number: float) -> str:
        return f"{number:g} day{'' if number == 1 else 's'}" if number else "with no limit"

    return f"runs {days(keep.runs_days)}, cached pages that no run holds {days(keep.cache_days)}"


def _show_checks(checks: "list[Check]", *, sound: bool, offline: bool) -> None:
    console = out()
    for check in checks:
        style = "ok" if check.ok else "bad" if check.needed else "note"
        row("ok" if check.ok else "failed", f"{check.name}: {check.said}", style=style)
        if not check.ok and check.action:
            row("", check.action)
    if offline:
        row("left out", "searches, models and pages, as --offline asks nothing outside this machine", style="dim")
    left = [check.name for check in checks if not check.ok and check.needed]
    ending = "Everything that is needed works." if sound else f"Needed, and not working: {', '.join(left)}."
    console.print(f"\n{ending}", style="ok" if sound else "bad", markup=False)


def _object(
    loaded: "Loaded",
    thinker: "Thinks",
    engines: tuple[str, ...],
    checks: "list[Check]",
    *,
    sound: bool,
    offline: bool,
) -> dict[str, object]:

    version, python, system = _machine()
    return {
        "ok": sound,
        "version": version,
        "python": python,
        "system": system,
        "home": str(loaded.settings.home),
        "offline": offline,
        "thinker": asdict(thinker),
        "engines": list(engines),
        "extras": {extra: is_installed(extra) for extra in EXTRAS},
        "settings": [row.as_json() for row in lazy.reading.describe(loaded) if row.origin != "default"],
        "notes": list(loaded.notes),
        "checks": [asdict(check) for check in checks],
    }

"""`deepresearch-server config`: every setting with its value and origin."""

from textwrap import wrap
from typing import Annotated

import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import command, emit, out
from deepresearch_mcp.cli.options import Json, Sets, is_secret_setting, settings_with_origins
from deepresearch_mcp.exceptions import InvalidRequest


def show(
    part: Annotated[
        str, typer.Argument(metavar="PART", help="Only settings that begin so, as search or web.timeout.")
    ] = "",
    *,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Show every setting with its value and origin; never a secret."""
    loaded = settings_with_origins(sets)
    described = lazy.reading.describe(loaded)
    # A whole name of a group means that group: "web" is not "webhooks".
    shown = [row for row in described if row.setting == part or row.setting.startswith(f"{part}.")]
    shown = shown or [row for row in described if row.setting.startswith(part)]
    if not shown:
        raise InvalidRequest(
            f"No setting begins with {part!r}.", "See them all with `deepresearch-server config show`."
        )
    if json:
        rows = [{**row.as_json(), "variable": lazy.reading.variable(row.setting)} for row in shown]
        emit({"settings": rows, "files": [str(file) for file in loaded.files], "notes": list(loaded.notes)})
        return
    console = out()
    for row in shown:
        given = row.origin != "default"
        console.print(row.setting, style="bold" if given else "", end="")
        console.print(f" = {row.value}" if row.value else " (empty)", markup=False, soft_wrap=True, end="")
        console.print(f"  [{row.origin}]" if given else "", style="ok", markup=False, soft_wrap=True)
        lines = wrap(row.description, max(console.width - 4, 20)) if console.is_terminal else [row.description]
        console.print("\n".join(f"    {line}" for line in lines), style="dim", markup=False, soft_wrap=True)
    first = shown[0].setting
    # Other users can read a command line, and shells keep it in their history.
    way = f"`{command()} config init{'' if is_secret_setting(first) else f' --set {first}=…'}`"
    console.print(
        f"\nSet one with {way}, the environment variable {lazy.reading.variable(first)}, or config.toml.",
        style="dim",
        markup=False,
        soft_wrap=True,  # the command is copied whole
    )

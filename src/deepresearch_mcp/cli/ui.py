"""`deepresearch-server ui`: opens the web page for the user of this machine."""

import webbrowser
from functools import partial
from typing import Annotated

import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import say
from deepresearch_mcp.cli.options import Sets, settings_of
from deepresearch_mcp.mcp_server.logs import as_set, to_stderr


def ui(
    *,
    port: Annotated[int | None, typer.Option(help="The port; default: any free one.", show_default=False)] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the browser, or only print the address.")
    ] = True,
    sets: Sets = None,
) -> None:
    """Ask, watch, read and check in the browser: a page on this machine, for you alone.

    The browser is signed in by a link that works once, within two minutes. Runs go on while this command runs; the next
    start takes up those that it interrupted.
    """
    settings = settings_of(sets)
    to_stderr("WARNING", anew=True)
    as_set(settings)
    lazy.serving.serve_page(settings, port, show=partial(announce, browser=browser))


def announce(address: str, *, browser: bool) -> None:
    """Open the browser at `address`, which signs it in; where none is opened, print the address."""
    # A browser that cannot be started is no fault: the address can be opened by hand.
    opened = browser and webbrowser.open(address)
    base = address.partition("?")[0].rpartition("/")[0]
    if opened:
        say(f"The page is open in your browser, at {base}/. Ctrl-C ends it.", whole=True)
    else:
        say("Open this address. It works once, within two minutes:", address, "Ctrl-C ends the page.", whole=True)

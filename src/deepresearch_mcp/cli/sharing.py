"""`deepresearch-server runs share`: shows one run to who has no token, by a link."""

from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import emit, out, say
from deepresearch_mcp.cli.opening import opened_jobs
from deepresearch_mcp.cli.options import Json, Sets, seconds_of, settings_of
from deepresearch_mcp.cli.run_names import whole_id
from deepresearch_mcp.cli.runs import RunId
from deepresearch_mcp.exceptions import InvalidRequest

if TYPE_CHECKING:
    from deepresearch_mcp.records.sharing import SharedLink


def share(
    run_id: RunId,
    *,
    expires: Annotated[str, typer.Option(help="When the link ends, as 12h, 7d or 8w; a year at most.")] = "7d",
    list_links: Annotated[bool, typer.Option("--list", help="List the links of the run; make none.")] = False,
    revoke: Annotated[
        str, typer.Option(metavar="ID", help="End the link with this id; make none.", show_default=False)
    ] = "",
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Make a link that shows the page and the report of a run, and nothing else, to who has no token.

    It is served by `serve --http` over the same data, and printed this once.
    """
    settings, lasts = settings_of(sets), seconds_of(expires)

    async def run() -> "list[SharedLink]":
        async with opened_jobs(settings) as jobs:
            whole = await whole_id(jobs, run_id)
            if revoke:
                await lazy.sharing.revoke_share(jobs, whole, revoke)
            if revoke or list_links:
                return await lazy.sharing.shares_of(jobs, whole)
            if lasts is None:
                raise InvalidRequest("A link has to end.", "Write --expires as 12h, 7d or 8w.")
            base = settings.http.public_url or lazy.sharing.OWN_ADDRESS
            return [await lazy.sharing.share_run(jobs, whole, base, hours=lasts / 3_600)]

    links = anyio.run(run)
    if json:
        emit({"shares": [one.model_dump(exclude_none=True) for one in links]})
    elif revoke:
        say("The link is revoked.")
    elif list_links:
        _list(links)
    else:
        out().print(links[0].url, soft_wrap=True, markup=False, highlight=False)
        say(f"Link {links[0].share_id} opens the report until {links[0].expires}. It is not shown again.")
        if not settings.http.public_url:
            say("It is the address of a server on this machine: set http.public_url for links that others can open.")


def _list(links: "list[SharedLink]") -> None:
    if not links:
        say("No link yet.")
    for one in links:
        state = f"until {one.expires}" if one.valid else "ended"
        out().print(f"{one.share_id}  {state}  made {one.created}", markup=False, highlight=False, soft_wrap=True)

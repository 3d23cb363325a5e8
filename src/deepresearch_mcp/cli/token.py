"""`deepresearch-server token`: makes, lists and revokes tokens of callers over HTTP."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import emit, out, say
from deepresearch_mcp.cli.options import Json, Sets, seconds_of, settings_of
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.principal import NO_LIMITS, SCOPES, CallerLimits, Scope

if TYPE_CHECKING:
    from deepresearch_mcp.ports.tokens import TokenRow, Tokens

T = TypeVar("T")

_NAME = 100
"""Characters of a name, at most."""


def create(
    name: Annotated[str, typer.Argument(help="Whose it is, or what for; lists and logs show it.")],
    *,
    scope: Annotated[
        list[str] | None,
        typer.Option(help=f"What it allows, once for each: {', '.join(SCOPES)}; default: runs:read and runs:write."),
    ] = None,
    expires: Annotated[str, typer.Option(help="When it ends, as 12h, 90d or 8w; or never.")] = "90d",
    same_as: Annotated[
        str, typer.Option(metavar="ID", help="An earlier token: the new one opens the same runs.", show_default=False)
    ] = "",
    runs_at_once: Annotated[
        int | None, typer.Option(min=1, help="Runs of its caller at once; default: limits.runs_per_caller.")
    ] = None,
    requests_a_minute: Annotated[
        int | None, typer.Option(min=1, help="Requests to one server; default: http.requests_a_minute.")
    ] = None,
    usd_per_day: Annotated[
        float | None, typer.Option(min=0.01, help="Dollars within 24 hours; default: limits.usd_per_day_and_caller.")
    ] = None,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Make a token and print it; it is stored as a hash, and shown this once."""
    given = CallerLimits(runs_at_once, requests_a_minute, usd_per_day)
    limits = given if given != NO_LIMITS else None
    granted, lasts, name = _scopes(scope or ["runs:read", "runs:write"]), seconds_of(expires), name.strip()
    if not name or len(name) > _NAME:
        raise InvalidRequest(f"A name has 1 to {_NAME} characters.", "Name whose token it is.")

    async def made(tokens: "Tokens", now: float) -> "tuple[str, TokenRow]":
        ends = None if lasts is None else now + lasts
        return await tokens.create(name, granted, now, expires=ends, same_as=same_as, limits=limits)

    token, row = _with_tokens(sets, made)
    if json:
        emit({"token": token, **_plain(row)})
        return
    out().print(token, soft_wrap=True, markup=False, highlight=False)
    say(f"Token {row.token_id} of {name}: {', '.join(sorted(granted))}; {_ends(row)}. It is not shown again.")


def list_(*, json: Json = False, sets: Sets = None) -> None:
    """List tokens with what they allow; never a token itself."""

    async def found(tokens: "Tokens", now: float) -> "tuple[list[TokenRow], float]":
        return await tokens.all(), now

    rows, now = _with_tokens(sets, found)
    if json:
        emit({"tokens": [{**_plain(row), "valid": row.valid(now)} for row in rows]})
    elif not rows:
        say("No token yet.")
    else:
        for row in rows:
            last = f"last used {_day(row.used)}" if row.used else "never used"
            state = _ends(row) if row.valid(now) else ("revoked" if row.revoked else "expired")
            own = "".join(
                f", {value:g} {name.replace('_', ' ')}" for name, value in asdict(row.limits).items() if value
            )
            line = f"{row.token_id}  {row.name}  {', '.join(sorted(row.scopes))}  {state}, {last}{own}"
            out().print(line, soft_wrap=True, markup=False, highlight=False)


def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="As `token list` shows it.")],
    *,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """End a token at once, on every server of this store; the runs made with it stay."""

    async def ended(tokens: "Tokens", now: float) -> bool:
        return await tokens.revoke(token_id.strip(), now)

    if not _with_tokens(sets, ended):
        raise InvalidRequest(f"There is no valid token {token_id[:40]!r}.", "`token list` shows those there are.")
    if json:
        emit({"revoked": token_id.strip()})
    else:
        say("The token is revoked.")


def _with_tokens(sets: list[str] | None, work: "Callable[[Tokens, float], Awaitable[T]]") -> T:
    settings = settings_of(sets)

    async def run() -> T:
        clock = lazy.system_clock.SystemClock()
        async with lazy.store_opening.open_store(settings.home, clock, settings.database_url) as store:
            return await work(store.tokens, clock.now().timestamp())

    return anyio.run(run)


def _scopes(given: list[str]) -> list[Scope]:
    names = {name.strip() for one in given for name in one.split(",")}
    if wrong := sorted(names - {*SCOPES}):
        raise InvalidRequest(f"There is no scope {wrong[0][:40]!r}.", f"There are: {', '.join(SCOPES)}.")
    return [scope for scope in SCOPES if scope in names]


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def _ends(row: "TokenRow") -> str:
    return f"until {_day(row.expires)}" if row.expires else "without an end"


def _plain(row: "TokenRow") -> dict[str, object]:
    moments = {
        name: datetime.fromtimestamp(value, UTC).isoformat(timespec="seconds") if value else None
        for name, value in (
            *(("created", row.created), ("expires", row.expires)),
            *(("used", row.used), ("revoked", row.revoked)),
        )
    }
    return {
        "id": row.token_id,
        "name": row.name,
        "scopes": sorted(row.scopes),
        "caller": row.caller,
        **moments,
        "limits": asdict(row.limits),
    }

"""Turns errors into a sentence or two for the client; the trace goes to the log."""

import json
import logging
from collections.abc import Mapping
from typing import cast

from mcp import types
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import cancelled_request_id_from_params
from pydantic import ValidationError

from deepresearch_mcp.exceptions import DeepResearchError, FetchFailed, InvalidRequest, UnknownRun
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.server_context import ServerContext
from deepresearch_mcp.mcp_server.tasks import Ctx

_log = logging.getLogger(__name__)


async def in_a_sentence(ctx: Ctx, call_next: CallNext) -> HandlerResult:
    """Answer a request; what it raises becomes an error of the protocol (the SDK tells older clients all of it)."""
    if not _can_be_written(ctx.params):
        text = "The params hold half of a character (a lone surrogate), or are nested too deeply. Correct them."
        raise MCPError(code=types.INVALID_PARAMS, message=text)
    try:
        return await call_next(ctx)
    except (MCPError, ValidationError):
        raise
    except DeepResearchError as error:
        raise protocol_error(error) from error
    except Exception as error:
        _log.exception("%s failed unexpectedly", ctx.method)
        text = f"{ctx.method[:60]} failed because of an error in this server; see its log."
        raise MCPError(code=types.INTERNAL_ERROR, message=text) from error


async def explained(ctx: Ctx, call_next: CallNext) -> HandlerResult:
    """Note why a client no longer waits for one of its calls: its time-out may have ended it."""
    if ctx.method == "notifications/cancelled" and isinstance(ctx.params, Mapping):
        desk: ServerContext = ctx.lifespan_context
        if (request_id := cancelled_request_id_from_params(ctx.params)) is not None:
            desk.timeouts.explain(ctx, request_id, str(ctx.params.get("reason") or "")[:300])
            desk.remember()
    return await call_next(ctx)


def _can_be_written(params: object) -> bool:
    """Whether everything that asks for text in UTF-8 further in, as the store does, can have it."""
    try:
        json.dumps(params, ensure_ascii=False, default=str).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def protocol_error(error: DeepResearchError) -> MCPError:
    """Return one of our errors as an error of the protocol."""
    asked_wrongly = isinstance(error, InvalidRequest | UnknownRun)
    return MCPError(code=types.INVALID_PARAMS if asked_wrongly else types.INTERNAL_ERROR, message=str(error))


def error_result(text: str) -> types.CallToolResult:
    """A tool's result that says why there is none."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def describe_failure(cause: BaseException, name: str) -> str:
    """What a calling model reads of a tool's failure; a fault of ours is told as such, and logged."""
    if isinstance(cause, BaseExceptionGroup):
        cause = lazy.signal.leaf(cast("BaseExceptionGroup[BaseException]", cause))
    if isinstance(cause, ValidationError):
        return str(lazy.asking.wrong_argument(cause))
    if isinstance(cause, FetchFailed):
        return f"Not read ({cause.reason}): {cause}"
    if isinstance(cause, DeepResearchError):
        return str(cause)
    _log.error("%s failed unexpectedly", name, exc_info=cause)
    return (
        f"{name} failed because of an error in this server; see its log."
        " Runs continue: list_runs shows them. Try again."
    )

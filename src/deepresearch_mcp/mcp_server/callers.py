"""Who makes a call: the client's name, whether it wants progress, and how long a result it passes on whole."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession

if TYPE_CHECKING:
    from deepresearch_mcp.settings.schema import Settings

_Ctx = ServerRequestContext[Any, Any]

NO_NAME = "mcp"
"""What the Python SDK calls a client that gives itself no name, as those of openai-agents, LangChain and fastmcp."""

CODEX = "codex-mcp-client"
CLAUDE_CODE = "claude-code"

_CODEX_KNOWS = ("gpt-5.5", "gpt-5.6", "gpt-6", "gpt-daybreak", "codex-auto-review")
"""How the models begin that Codex has in its own list (0.169). It cuts the middle out of what is longer than its limit:
40,000 bytes for those, 12,000 with any other model."""
_CODEX_BYTES, _CODEX_OTHER_BYTES = 30_000, 9_000
"""Below its limits by what it adds: escapes and links, as it hands its model the result as JSON."""


def name_of(session: ServerSession) -> str:
    """The client's name in lower case; empty before it has said any."""
    client = session.client_params
    return client.client_info.name.casefold() if client else ""


def session_of(ctx: _Ctx) -> str | None:
    """The session of a request; empty for the one client of a pipe, None where HTTP has no sessions."""
    headers: Mapping[str, str] | None = getattr(ctx.request, "headers", None)
    return headers.get("mcp-session-id") if headers is not None else ""


def gives_name(session: ServerSession) -> bool:
    """Whether the client at this session's other end says who it is, as hosts do; agents' frameworks do not."""
    return name_of(session) != NO_NAME


def hears_progress(ctx: _Ctx) -> bool:
    """Whether this request asks for progress messages."""
    return (ctx.meta or {}).get("progress_token") is not None


def nameless(ctx: _Ctx) -> bool:
    """Whether nothing is known of this caller: it gives no name and asks for no progress, as fastmcp always does."""
    return not gives_name(ctx.session) and not hears_progress(ctx)


def times_rounds(ctx: _Ctx) -> bool:
    """Whether this client's time-out runs on over all rounds of a call, and leaves it without a word between two.

    Claude Code (2.1.330) starts each round with a new request of its SDK, but counts the time of the whole.
    """
    return name_of(ctx.session) == CLAUDE_CODE


def reads_structure(ctx: _Ctx) -> bool:
    """Whether the client surely hands on structured content: Codex does, and the text beside it once more."""
    return name_of(ctx.session) == CODEX


def most_bytes(ctx: _Ctx, settings: "Settings") -> int:
    """Bytes of UTF-8 that a result may have for this client."""
    most = settings.server.result_chars
    if name_of(ctx.session) != CODEX:
        return most
    model = _codex_model(ctx.meta or {})
    return min(most, _CODEX_BYTES if not model or model.startswith(_CODEX_KNOWS) else _CODEX_OTHER_BYTES)


def _codex_model(meta: Mapping[str, Any]) -> str:
    """The model that Codex makes this call for; newer versions say so with each call."""
    turn: object = meta.get("x-codex-turn-metadata")
    model = cast("Mapping[str, object]", turn).get("model") if isinstance(turn, Mapping) else None
    # A provider may stand before the model's name.
    return model.casefold().rpartition("/")[2] if isinstance(model, str) else ""

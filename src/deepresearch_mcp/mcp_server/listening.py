"""Subscriptions: one stream of changes for newer clients, tasks among them, and addresses one by one for older ones."""

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import anyio
from mcp import types
from mcp.server.mcpserver import require_client_extension
from mcp.server.subscriptions import SUBSCRIPTION_ID_META_KEY
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import event_matches, event_to_notification

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.announcing import LATEST, RUNS, Announcer, OfCaller, TaskChanged
from deepresearch_mcp.mcp_server.principals import caller_of
from deepresearch_mcp.mcp_server.server_context import ServerContext
from deepresearch_mcp.mcp_server.tasks import TASKS, Ctx, Tasks
from deepresearch_mcp.records.principal import LOCAL_CALLER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp.server import MCPServer

_STREAMS = 256
"""Streams of one server at once."""
_ADDRESSES = 1024
"""Addresses that one client of the older protocol subscribes to."""
_WAITING = 1024
"""Changes that a client has not read; the stream of one that has stopped reading is closed, and it may ask again."""


@cache
def _told() -> Any:  # noqa: ANN401 - the SDK knows no such notification
    """The notification of tasks; made when the first is sent, as making it takes a hundredth of the time to start."""

    class TaskNotification(types.Notification[dict[str, Any], Literal["notifications/tasks"]]):
        method: Literal["notifications/tasks"] = "notifications/tasks"
        params: dict[str, Any]

    return TaskNotification


def add_subscriptions(server: "MCPServer[ServerContext]", announcer: Announcer, tasks: Tasks) -> None:
    """Serve `subscriptions/listen`, and what older clients have in its place."""
    listening = _Listening(announcer, tasks)

    async def subscribe(ctx: Ctx, params: types.SubscribeRequestParams) -> types.EmptyResult:
        known = announcer.know(ctx.session, caller_of(ctx))
        if len(known) >= _ADDRESSES:
            text = f"{len(known):,} addresses are subscribed to already. Unsubscribe from some first."
            raise MCPError(code=types.INVALID_PARAMS, message=text)
        # Another's run is as one that there is not: its changes concern no other caller.
        known.update(await _own(ctx, [str(params.uri)]))
        await _watch(ctx, [str(params.uri)], lists=True)
        return types.EmptyResult()

    async def unsubscribe(ctx: Ctx, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        announcer.know(ctx.session, caller_of(ctx)).discard(str(params.uri))
        return types.EmptyResult()

    low = server._lowlevel_server  # pyright: ignore[reportPrivateUsage] - the SDK has no other way to serve these
    low.add_request_handler("subscriptions/listen", types.SubscriptionsListenRequestParams, listening)
    low.add_request_handler("resources/subscribe", types.SubscribeRequestParams, subscribe)
    low.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, unsubscribe)


class _Listening:
    """Handles `subscriptions/listen`: a call is a stream, which lasts as long as the client wants it."""

    def __init__(self, announcer: Announcer, tasks: Tasks) -> None:
        self._announcer = announcer
        self._tasks = tasks

    async def __call__(
        self, ctx: Ctx, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        if ctx.request_id is None:
            raise MCPError(code=types.INVALID_REQUEST, message="subscriptions/listen needs a request id.")
        if self._announcer.streams >= _STREAMS:
            raise MCPError(code=types.INTERNAL_ERROR, message="Too many clients listen. Close a stream, or try later.")
        wanted = params.notifications
        task_ids = await self._known(ctx, (wanted.model_extra or {}).get("taskIds"))
        uris = await _own(ctx, wanted.resource_subscriptions or ())
        honored = types.SubscriptionFilter(
            tools_list_changed=wanted.tools_list_changed or None,
            prompts_list_changed=wanted.prompts_list_changed or None,
            resources_list_changed=wanted.resources_list_changed or None,
            resource_subscriptions=sorted(uris) or None,
            **({"taskIds": sorted(task_ids)} if task_ids else {}),
        )
        meta: dict[str, Any] = {SUBSCRIPTION_ID_META_KEY: ctx.request_id}
        send, receive = anyio.create_memory_object_stream[Any](_WAITING)

        caller = caller_of(ctx)

        def deliver(event: Any) -> None:  # noqa: ANN401 - the bus carries the SDK's events and ours
            if isinstance(event, OfCaller):
                if event.caller != caller:
                    return
                event = event.event
            wanted_task = isinstance(event, TaskChanged) and event.task_id in task_ids
            if not wanted_task and (isinstance(event, TaskChanged) or not event_matches(honored, uris, event)):
                return
            try:
                send.send_nowait(event)
            except (anyio.WouldBlock, anyio.ClosedResourceError):
                send.close()

        # What happens while the stream is being acknowledged is kept, and told after that.
        unsubscribe = self._announcer.bus.subscribe(deliver)
        lists = bool(wanted.resources_list_changed)
        try:
            with self._announcer.listening(caller, lists=lists):
                acknowledged = types.SubscriptionsAcknowledgedNotificationParams(notifications=honored, _meta=meta)
                await ctx.session.send_notification(
                    types.SubscriptionsAcknowledgedNotification(params=acknowledged), related_request_id=ctx.request_id
                )
                await _watch(ctx, [*uris, *(f"{RUNS}/{task_id}" for task_id in task_ids)], lists=lists)
                async for event in receive:
                    await self._pass_on(ctx, event, meta)
        finally:
            unsubscribe()
            send.close()
            receive.close()
        return types.SubscriptionsListenResult(_meta=meta)

    async def _known(self, ctx: Ctx, task_ids: object) -> frozenset[str]:
        if not isinstance(task_ids, list) or not task_ids:
            return frozenset()
        require_client_extension(ctx, TASKS)
        named = {str(one) for one in task_ids[:_WAITING]}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - from outside
        return frozenset([one for one in named if await self._tasks.known(one, ctx)])

    async def _pass_on(self, ctx: Ctx, event: Any, meta: dict[str, Any]) -> None:  # noqa: ANN401 - see above
        if not isinstance(event, TaskChanged):
            await ctx.session.send_notification(event_to_notification(event, meta), related_request_id=ctx.request_id)
            return
        if (task := await self._tasks.known(event.task_id, ctx)) is not None:
            told = _told()(params={**task.whole(), "_meta": meta})
            await ctx.session.send_notification(told, related_request_id=ctx.request_id)


async def _own(ctx: Ctx, uris: "Sequence[str]") -> frozenset[str]:
    """Those addresses that are no run's, or of a run of this caller."""
    desk: ServerContext = ctx.lifespan_context
    caller, found = caller_of(ctx), set[str]()
    for uri in map(str, uris):
        if uri.startswith(f"{RUNS}/") and caller != LOCAL_CALLER:
            try:
                await (await desk.jobs()).get(uri.removeprefix(f"{RUNS}/").split("/")[0].split("?")[0], caller)
            except DeepResearchError:
                continue
        found.add(uri)
    return frozenset(found)


async def _watch(ctx: Ctx, uris: list[str], *, lists: bool) -> None:
    """Announce the runs that a client subscribed to, also those that another process works on.

    `lists`: all of the caller's runs, as the end of each changes the list.
    """
    desk: ServerContext = ctx.lifespan_context
    caller = caller_of(ctx)
    run_ids = {uri.removeprefix(f"{RUNS}/").split("/")[0] for uri in uris if uri.startswith(f"{RUNS}/")}
    try:
        if lists and desk.opened:
            jobs = await desk.jobs()
            desk.watch_list(jobs, caller)
            run_ids |= {row.run_id for row in await jobs.find(caller, limit=LATEST)}
    except DeepResearchError:
        pass  # Who asks for the list itself is told why there is none.
    for run_id in run_ids:
        try:
            jobs = await desk.jobs()
            if (await jobs.get(run_id, caller)).status not in lazy.run.ENDED:
                desk.watch(jobs, run_id, caller)
        except DeepResearchError:
            continue  # An address of no run is never announced, and is no fault.

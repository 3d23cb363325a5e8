"""Work for the client's own model: as requests that clients carry out, and as text that the calling model reads."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from mcp import types

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.tasks import Ctx
from deepresearch_mcp.mcp_server.texts import NEXT_WAIT, ROOM, asked_line, call
from deepresearch_mcp.records.work import ClientAnswer
from deepresearch_mcp.text.markdown import cut
from deepresearch_mcp.text.utf8 import fitting, size

if TYPE_CHECKING:
    from deepresearch_mcp.records.consent import InputRequest
    from deepresearch_mcp.records.run import Run
    from deepresearch_mcp.records.work import ModelTask


def samples(ctx: Ctx) -> bool:
    """Whether this client asks its model on behalf of servers."""
    capabilities = ctx.session.client_capabilities
    return capabilities is not None and capabilities.sampling is not None


def requests_of(inquiry: "InputRequest") -> dict[str, types.CreateMessageRequest]:
    """The packets that have no answer, by their ids; the same whenever they are asked for."""
    return {packet.packet_id: request_of(packet) for packet in inquiry.open}


def request_of(packet: "ModelTask") -> types.CreateMessageRequest:
    """One packet as a request that needs nothing beside it."""
    schema = packet.answer_schema
    content = types.TextContent(type="text", text=packet.prompt)
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(
            messages=[types.SamplingMessage(role="user", content=content)],
            system_prompt=packet.system if schema is None else lazy.schemas.in_words(packet.system, schema),
            max_tokens=packet.max_tokens,
            include_context="none",
        )
    )


def answered_by(given: Mapping[str, Any]) -> dict[str, ClientAnswer]:
    """What results of sampling say, by packet; one without text is left out, as if it had not come."""
    found: dict[str, ClientAnswer] = {}
    for name, result in given.items():
        said = _plain(result)
        content: object = said.get("content")
        blocks = cast("list[object]", content) if isinstance(content, list) else [content]
        text = "\n".join(
            str(one["text"]) for one in map(_plain, blocks) if one.get("type") == "text" and one.get("text")
        )
        if text:
            cut = said.get("stopReason", said.get("stop_reason")) == "maxTokens"
            found[str(name)] = ClientAnswer(text=text, model=str(said.get("model") or "")[:100], cut=cut)
    return found


def _plain(value: object) -> Mapping[str, Any]:
    if isinstance(value, types.CreateMessageResult | types.TextContent):
        return value.model_dump(by_alias=True)
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def sampled(run: "Run") -> str:
    """For a client whose model is asked directly, where this call can do so no more."""
    return f"Run {run.run_id} waits for your client's model. Next: {call('continue_research', run_id=run.run_id)}"


def work_text(run: "Run", longest: int, faults: Mapping[str, str] | None = None, offset: int = 0) -> str:
    """The packets without an answer, for the calling model to answer in its next call, in at most `longest` bytes.

    As many packets as fit; the others come once those are answered. One that is longer by itself comes in pages, from
    `offset` on. With `faults` only why answers could not be used: their packets have just been read.
    """
    inquiry = run.waiting
    if inquiry is None or not inquiry.open:
        again = call("get_report", run_id=run.run_id, wait_seconds=NEXT_WAIT)
        return f"Run {run.run_id} has its answers and is continuing. Next: {again}"
    if faults:
        return _faulty(run, inquiry.open, faults)
    shown = list(inquiry.open)
    whole = _work(run, shown, len(inquiry.open))
    while size(whole) > longest and len(shown) > 1:
        shown.pop()
        whole = _work(run, shown, len(inquiry.open))
    return whole if size(whole) <= longest else _page_of(run, whole, longest, offset)


def _page_of(run: "Run", whole: str, longest: int, offset: int) -> str:
    """A page of a work text that is too long for one result; its last line stands at the end of the last page."""
    if offset >= len(whole):
        raise InvalidRequest(f"offset {offset:,} is past the end of the work.", "Use a smaller offset.")
    text, following = cut(whole, offset, max(1, fitting(whole, longest - ROOM, offset)))
    if following is None:
        return text
    onwards = call("get_report", run_id=run.run_id, offset=following)
    return (
        f"{text.rstrip()}\n\n[Characters {offset:,} to {following:,} of {len(whole):,} of this work. Read on before"
        f" you answer. Next: {onwards}]"
    )


def _hand_in(run: "Run", packets: "Sequence[ModelTask]") -> str:
    work: dict[str, object] = {packet.packet_id: {} if packet.answer_schema else "…" for packet in packets}
    return call("continue_research", run_id=run.run_id, work=work).replace("{}", "{…}")


def _faulty(run: "Run", packets: "Sequence[ModelTask]", faults: Mapping[str, str]) -> str:
    lines = ["Some answers could not be used, the others are kept. Answer these packets once more:"]
    lines += [f"- {name}: {fault}" for name, fault in faults.items()]
    missing = [packet.packet_id for packet in packets if packet.packet_id not in faults]
    lines += [f"Without an answer so far: {', '.join(missing)}"] if missing else []
    return "\n".join([*lines, f"Next: {_hand_in(run, packets)}"])


def _work(run: "Run", packets: "Sequence[ModelTask]", of: int) -> str:

    inquiry_id = run.waiting.inquiry_id if run.waiting else ""
    without = call("continue_research", run_id=run.run_id, approve=True)
    many = "1 packet" if len(packets) == 1 else f"{len(packets)} packets"
    if len(packets) < of:
        many = f"{len(packets)} of {of} packets"
    lines = [
        f"This research thinks with your own model. Round {lazy.steps.round_of(inquiry_id)}: {many} of work.",
        "Answer each packet yourself, by its task's instructions and by its own text alone, with the care of a report"
        " that will be checked; then hand all answers in with the one call named at the end. Do not search for them,"
        " and do not show them to the user.",
        "",
        f"Question: {asked_line(run)}",
        "",
        *lazy.described.packet_lines(packets),
        "",
        f"Some answers may be handed in first: the run waits for the others. To do no more work and have the rest made"
        f" without a model: {without}.",
        f"Next: {_hand_in(run, packets)}",
    ]
    return "\n".join(lines)

"""JSON-RPC messages as lines of text; what is not a message is refused with a reason, under its id if it has one."""

import json
import logging
from typing import Any, NamedTuple, cast

from mcp import types
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError
from pydantic_core import from_json

_log = logging.getLogger(__name__)

_MARK = b"\xef\xbb\xbf"
"""What some programs write before their first line."""

_MANY = 200_000
"""Brackets and commas of a message, at most: parsing 4 MB of them alone would hold the event loop for a second, and in
a thread too, as the parser never lets go of the interpreter."""


class Refusal(NamedTuple):
    """The answer to what is not a message."""

    error: types.JSONRPCError


def refusal(code: int, text: str, request_id: types.RequestId | None = None) -> Refusal:
    """Say why something is not taken."""
    return Refusal(types.JSONRPCError(jsonrpc="2.0", id=request_id, error=types.ErrorData(code=code, message=text)))


def read_message(line: bytes) -> types.JSONRPCMessage | Refusal | None:
    """The message that a line holds, or why it holds none; None for a line that needs no answer."""
    line = line.removeprefix(_MARK).strip()
    if not line:
        return None
    if len(line) > _MANY and sum(map(line.count, (b"[", b"{", b","))) > _MANY:
        text = f"The message has more than {_MANY:,} brackets and commas. Send less at once."
        return refusal(types.INVALID_REQUEST, text)
    try:
        value = from_json(line)
    except ValueError:
        return _unreadable(line)
    if isinstance(value, dict) and (wrong := _wrong(cast("dict[str, Any]", value))):
        return _refused(cast("dict[str, Any]", value), wrong)
    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        if isinstance(value, list):
            return refusal(types.INVALID_REQUEST, "The protocol no longer has batches. Send one message per line.")
        whole = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        return _refused(whole, "It is not a JSON-RPC 2.0 request, notification or response.")


def _unreadable(line: bytes) -> Refusal | None:
    """Why a line cannot be read. JSON of a looser kind is read for its id alone, so that its sender does not wait."""
    try:
        value = json.loads(line.decode("utf-8", "replace"), parse_int=_number)
    except (ValueError, RecursionError):
        return refusal(types.PARSE_ERROR, "It is not valid UTF-8 JSON, or it is nested too deeply.")
    whole = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    return _refused(
        whole, "It holds a number or a text that JSON cannot carry, such as half of a character.", types.PARSE_ERROR
    )


def _number(digits: str) -> int | None:
    return int(digits) if len(digits) < 1000 else None


def _wrong(value: dict[str, Any]) -> str:
    """What is wrong with a message that the SDK would take for another kind of message."""
    if value.get("jsonrpc") != "2.0":
        return 'Its "jsonrpc" is not "2.0".'
    if "method" in value and "id" in value and _id_of(value) is None:
        return "Its id is neither a text nor a whole number."
    if "method" in value and not isinstance(value.get("params"), dict | None):
        return "Its params are not an object."
    return ""


def _refused(value: dict[str, Any], why: str, code: int = types.INVALID_REQUEST) -> Refusal | None:
    """The answer to a wrong message; notifications and answers have none."""
    notification, answer = (
        "id" not in value and "method" in value,
        "method" not in value and {"result", "error"} & {*value},
    )
    if notification or answer:
        _log.warning("A message of the client is ignored. %s", why)
        return None
    return refusal(code, f"The message is refused. {why}", _id_of(value))


def _id_of(value: dict[str, Any]) -> types.RequestId | None:
    found = value.get("id")
    if isinstance(found, str):
        return found if _is_whole(found) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _is_whole(text: str) -> bool:
    """Whether no half of a character is in it."""
    return text.encode("utf-8", "replace").decode() == text


def line_of(message: types.JSONRPCMessage) -> bytes:
    """The line that carries a message."""
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError as error:
        # Some pages hold half a character, which no JSON can carry.
        _log.warning("A message is sent with replacements: %s", error)
        text = json.dumps(message.model_dump(by_alias=True, exclude_unset=True), ensure_ascii=False)
    return text.encode("utf-8", "replace") + b"\n"

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import types

from deepresearch_mcp.mcp_server.messages import Refusal, line_of, read_message

PING: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def written(**changes: Any) -> bytes:
    return json.dumps({name: value for name, value in {**PING, **changes}.items() if value != "left out"}).encode()


@pytest.mark.parametrize("line", [b"", b"\n", b"\r\n", b" \t \n"])
def test_an_empty_line_is_no_message_and_no_fault(line: bytes) -> None:
    assert read_message(line) is None


@pytest.mark.parametrize(
    "line", [written(), b"\xef\xbb\xbf" + written(), written() + b"\r\n", written(extra="kept out")]
)
def test_a_request_is_read_whatever_stands_around_it(line: bytes) -> None:
    assert read_message(line) == types.JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")


@pytest.mark.parametrize(
    "many", [b"[" + b"[]," * 1_000_000 + b"[]]", b'{"jsonrpc":"2.0","id":1,"params":[' + b"{}," * 900_000 + b"{}]}"]
)
def test_a_message_of_a_million_values_is_refused_before_it_is_parsed(many: bytes) -> None:
    began = time.thread_time()
    message = read_message(many)
    took = time.thread_time() - began

    assert isinstance(message, Refusal)
    assert message.error.error.message == "The message has more than 200,000 brackets and commas. Send less at once."
    assert took < 0.1


def test_a_long_text_is_no_message_of_many_values() -> None:
    params = {"text": "One sentence of a text, as people write them. " * 50_000}

    assert isinstance(read_message(written(params=params)), types.JSONRPCRequest)


@pytest.mark.parametrize("request_id", [-1, 0, 10**30, "", "a b", "\x00", "⁂"])
def test_any_text_and_any_whole_number_is_an_id(request_id: int | str) -> None:
    message = read_message(written(id=request_id))

    assert isinstance(message, types.JSONRPCRequest)
    assert message.id == request_id


@pytest.mark.parametrize(
    ("line", "code", "request_id", "words"),
    [
        (b"hello", types.PARSE_ERROR, None, "not valid UTF-8 JSON"),
        (b'{"jsonrpc": "2.0", "id": 1, "meth', types.PARSE_ERROR, None, "not valid UTF-8 JSON"),
        (b"\x00\x00\x00", types.PARSE_ERROR, None, "not valid UTF-8 JSON"),
        (b"[" * 100_000, types.PARSE_ERROR, None, "nested too deeply"),
        (b'{"a":' * 100_000, types.PARSE_ERROR, None, "nested too deeply"),
        (
            written(method="p\xe9").decode().replace("\\u00e9", "é").encode("latin-1"),
            types.PARSE_ERROR,
            1,
            "cannot carry",
        ),
        (written(params={"text": "\ud800"}), types.PARSE_ERROR, 1, "half of a character"),
        (written(id="\ud800"), types.PARSE_ERROR, None, "half of a character"),
        (
            b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"n": ' + b"9" * 5000 + b"}}",
            types.PARSE_ERROR,
            7,
            "number",
        ),
        (b"[" + written() + b"]", types.INVALID_REQUEST, None, "one message per line"),
        (b"[]", types.INVALID_REQUEST, None, "one message per line"),
        (b"3", types.INVALID_REQUEST, None, "not a JSON-RPC 2.0 request"),
        (b'"text"', types.INVALID_REQUEST, None, "not a JSON-RPC 2.0 request"),
        (b"null", types.INVALID_REQUEST, None, "not a JSON-RPC 2.0 request"),
        (b"{}", types.INVALID_REQUEST, None, '"jsonrpc" is not "2.0"'),
        (written(jsonrpc="1.0"), types.INVALID_REQUEST, 1, '"jsonrpc" is not "2.0"'),
        (written(jsonrpc=2.0), types.INVALID_REQUEST, 1, '"jsonrpc" is not "2.0"'),
        (written(id=1.5), types.INVALID_REQUEST, None, "neither a text nor a whole number"),
        (written(id=None), types.INVALID_REQUEST, None, "neither a text nor a whole number"),
        (written(id=True), types.INVALID_REQUEST, None, "neither a text nor a whole number"),
        (written(id=[1]), types.INVALID_REQUEST, None, "neither a text nor a whole number"),
        (written(method=5), types.INVALID_REQUEST, 1, "not a JSON-RPC 2.0 request"),
        (written(method="left out"), types.INVALID_REQUEST, 1, "not a JSON-RPC 2.0 request"),
        (written(params=[1]), types.INVALID_REQUEST, 1, "params are not an object"),
        (written(params="x"), types.INVALID_REQUEST, 1, "params are not an object"),
    ],
)
def test_what_is_no_message_is_told_why_by_its_own_id(line: bytes, code: int, request_id: Any, words: str) -> None:
    refused = read_message(line)

    assert isinstance(refused, Refusal)
    assert (refused.error.error.code, refused.error.id) == (code, request_id)
    assert words in refused.error.error.message
    assert json.loads(line_of(refused.error))["id"] == request_id


@pytest.mark.parametrize(
    "line",
    [
        written(id="left out", params=[1]),
        b'{"jsonrpc": "2.0", "method": 3}',
        b'{"jsonrpc": "2.0", "id": 1, "result": 3}',
        b'{"jsonrpc": "2.0", "id": null, "error": "no"}',
    ],
)
def test_a_wrong_notification_or_answer_is_never_answered(line: bytes) -> None:
    assert read_message(line) is None


def test_half_a_character_in_an_answer_is_replaced_and_ends_nothing() -> None:
    answer = types.JSONRPCResponse(jsonrpc="2.0", id=1, result={"text": "half \ud83d of one"})

    line = line_of(answer)

    assert json.loads(line) == {"jsonrpc": "2.0", "id": 1, "result": {"text": "half ? of one"}}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"])


@given(
    st.binary(max_size=60) | st.dictionaries(NAMES, JSON | st.just("2.0")).map(lambda value: json.dumps(value).encode())
)
def test_every_line_is_a_message_or_a_refusal_of_one_line(line: bytes) -> None:
    message = read_message(line)

    sent = message.error if isinstance(message, Refusal) else message
    if sent is not None:
        told = line_of(sent)
        assert told.count(b"\n") == 1
        assert json.loads(told)["jsonrpc"] == "2.0"

import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticSerializationError

from deepresearch_mcp.store.encoding import adapter, dump, request_hash, to_json


@dataclass(frozen=True)
class Asked:
    text: str
    domains: frozenset[str] = frozenset()


class Named(BaseModel):
    model_config = ConfigDict(frozen=True)

    size: int = Field(alias="theSize")


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(PLAIN)
def test_equal_requests_have_equal_hashes_whatever_the_order_of_their_keys(request: Any) -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    assert request_hash(turned(request)) == request_hash(request)
    assert len(request_hash(request)) == 32


def test_different_requests_have_different_hashes() -> None:
    requests = [None, "", 0, [], {}, "a", ["a"], Asked("a"), Asked("b"), Asked("a", frozenset({"x"})), Named(theSize=1)]

    assert len({request_hash(request) for request in requests}) == len(requests)


def test_a_request_with_a_set_has_the_same_hash_in_another_process() -> None:
    request = {"domains": frozenset({"a.org", "b.org", "c.org", "d.org"}), "at": {datetime(2026, 1, 1, tzinfo=UTC)}}
    program = (
        "from datetime import UTC, datetime\nfrom deepresearch_mcp.store.encoding import request_hash\n"
        "print(request_hash({'at': {datetime(2026, 1, 1, tzinfo=UTC)},"
        " 'domains': {'d.org', 'c.org', 'b.org', 'a.org'}}))"
    )

    run = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True
    )

    assert run.stdout.strip() == request_hash(request)


def test_a_type_that_cannot_be_remembered_is_read_all_the_same() -> None:
    unhashable = Annotated[list[int], AfterValidator(sorted), {"a": "dict"}]

    assert adapter(unhashable).validate_json("[2, 1]") == [1, 2]
    assert adapter(list[int]) is adapter(list[int])


def test_a_result_is_read_back_through_its_aliases() -> None:
    kind = adapter(list[Named])

    assert kind.validate_json(dump(kind, [Named(theSize=3)])) == [Named(theSize=3)]


def test_half_a_character_becomes_a_question_mark_and_the_rest_is_kept() -> None:
    kind = adapter(str)

    assert kind.validate_json(dump(kind, "paid \ud83d for")) == "paid ? for"
    assert to_json({"a": "é\ud83d"}) == '{"a":"é?"}'


def test_a_result_of_another_type_is_refused() -> None:
    with pytest.raises(PydanticSerializationError):
        dump(adapter(int), "one")

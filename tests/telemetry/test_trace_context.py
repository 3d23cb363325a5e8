import pytest

from deepresearch_mcp.telemetry.trace_context import current_traceparent, following

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_request_is_within_the_trace_that_its_header_names() -> None:
    with following({"traceparent": CALLER}):
        assert current_traceparent() == CALLER
    assert current_traceparent() == ""


@pytest.mark.parametrize("wrong", ["", "00-x", f"00-{'0' * 32}-b7ad6b7169203331-01", CALLER + "\r\nx: y"])
def test_a_wrong_header_is_ignored(wrong: str) -> None:
    with following({"traceparent": wrong}):
        assert current_traceparent() == ""

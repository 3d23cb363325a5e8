import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server.pointers import links, moment, read_cursor, write_cursor
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import RunRow


@given(st.floats(0, 1e11), st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=1))
def test_a_cursor_leads_back_to_where_it_was_made(created: float, run_id: str) -> None:
    request = ResearchRequest(question="Why?")
    row = RunRow(
        run_id=run_id, caller="", request=request, fingerprint="", status="running", created=created, updated=0
    )

    assert read_cursor(write_cursor(row)) == (created, run_id)


@given(st.text())
def test_what_is_no_cursor_is_refused_in_words(text: str) -> None:
    with pytest.raises(InvalidRequest, match="none that was given out"):
        read_cursor(text)


@pytest.mark.parametrize("value", [[10**400, "r"], [1], [1, 2, 3], [1, "\ud800"], None, {}, "[" * 500])
def test_a_cursor_that_someone_made_up_is_refused_too(value: object) -> None:
    text = value if isinstance(value, str) else json.dumps(value)
    with pytest.raises(InvalidRequest, match="none that was given out"):
        read_cursor(base64.urlsafe_b64encode(text.encode()).decode())


def test_a_moment_is_written_in_utc() -> None:
    assert moment(1_800_000_000.9) == "2027-01-15T08:00:00Z"


def test_a_long_question_makes_a_short_title() -> None:
    [markdown, _] = links("r1", "Why " * 100)

    assert markdown.title
    assert len(markdown.title) <= 110
    assert markdown.title.endswith("…")

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server.json_texts import run_json
from deepresearch_mcp.mcp_server.texts import Slice
from deepresearch_mcp.records.report import Section
from deepresearch_mcp.records.run import CallRecord, Provenance, Run, RunStatus
from deepresearch_mcp.records.sources import Unread

RUN_ID = "7k2m9qd4x0w5hn8r3tcjvz1b6y"
SCRIPTS = st.sampled_from(["Ice is light. ", "Лёд легче воды. ", "冰浮在水上。", "🧊", "\n\n", "# Лёд\n\n", "e\u0301"])


def run(report: str = "# Why?\n\nBecause.\n", status: RunStatus = "completed", **more: object) -> Run:
    fields = {"run_id": RUN_ID, "status": status, "stage": "ended", "question": "Why?", "report": report, **more}
    return Run.model_validate(fields)


def test_a_list_that_is_not_there_and_what_stands_behind_its_end_are_refused() -> None:
    with pytest.raises(InvalidRequest, match="offset 5 is past the end: there are 0 claims"):
        run_json(run(), Slice("claims", offset=5), 2000)
    with pytest.raises(InvalidRequest, match=r"no list 'costs'.* section is one of: sections, citations, claims"):
        run_json(run(), Slice("costs"), 2000)


def test_the_longest_parts_of_a_run_object_are_left_out_by_name() -> None:
    unread = [Unread(url=f"https://example.org/{number}", reason="robots") for number in range(100)]
    told = json.loads(run_json(run("x" * 5000, unread=unread), Slice(), 2000))

    assert told["left_out"] == {
        "report": f'get_report(run_id="{RUN_ID}", format="markdown")',
        "unread": f'get_report(run_id="{RUN_ID}", format="json", section="unread", offset=0)',
    }
    assert told["question"] == "Why?"
    assert "report" not in told


@given(st.lists(st.text(max_size=200), max_size=40), st.integers(1, 10))
def test_pages_of_a_list_join_to_the_whole_list(warnings: list[str], limit: int) -> None:
    found = run(warnings=tuple(text.encode("utf-8", "replace").decode() for text in warnings))
    offset, items = 0, []
    while offset is not None:
        page = json.loads(run_json(found, Slice("warnings", offset, limit), 2000))
        assert len(page["items"]) <= limit
        items += page["items"]
        offset = page["next_offset"]

    assert items == list(found.warnings)


@settings(max_examples=10)
@given(st.lists(SCRIPTS, min_size=200, max_size=500).map("".join), st.sampled_from([2_400, 9_000]))
def test_an_item_that_is_too_long_by_itself_is_shortened(text: str, longest: int) -> None:
    sections = [Section(heading="Ice", markdown=text * 20), Section(heading="Snow", markdown="It falls.")]
    found = run(sections=sections)

    page = run_json(found, Slice("sections"), longest)
    whole = run_json(run(answer=text * 20), Slice(), longest)

    assert len(page.encode()) <= longest
    assert json.loads(page)["items"][0]["heading"] == "Ice"
    assert len(whole.encode()) <= longest
    assert json.loads(whole)["left_out"]["answer"] == f"research://runs/{RUN_ID}/report.json"


def test_the_calls_of_models_are_the_first_to_be_left_out() -> None:
    call = CallRecord(step="read/q1/a", role="reader", model="a:b", request="0" * 64, started="2026-11-28")
    made = Provenance(version="1", thinker="a:b", calls=(call,) * 100)
    many = run(provenance=made)

    short = json.loads(run_json(many, Slice(), 8_000))

    assert short["left_out"] == {"provenance.calls": f"research://runs/{RUN_ID}/report.json"}
    assert short["provenance"]["version"] == "1"
    assert len(json.loads(run_json(many, Slice(), 10**6))["provenance"]["calls"]) == 100

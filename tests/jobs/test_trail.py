from deepresearch_mcp.jobs.trail import shown
from deepresearch_mcp.ports.store import EventRow


def test_a_stored_event_is_shown_with_who_did_it_and_what_it_is_part_of() -> None:
    row = EventRow(3, "r1", 1.25, "answered", {"engine": "brave", "sub_question": "q2", "hits": 4})

    one = shown(row)

    assert (one.number, one.at, one.actor, one.parent) == (3, "1970-01-01T00:00:01.250Z", "brave", "q2")
    assert one.data == row.data

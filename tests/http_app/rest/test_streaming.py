import json

from deepresearch_mcp.events import Event
from deepresearch_mcp.http_app.rest.streaming import TYPES, event_text
from deepresearch_mcp.ports.store import EventRow


def test_an_event_is_one_block_with_its_number_type_and_time() -> None:
    row = EventRow(7, "r1", 0.0, "page_read", {"title": "Two\nlines\r", "url": "https://one.example"})

    number, name, data, *rest = event_text(row).split("\n")

    assert (number, name, rest) == ("id: 7", "event: source_found", ["", ""])
    assert json.loads(data.removeprefix("data: ")) == {
        "type": "source_found",
        "timestamp": "1970-01-01T00:00:00.000Z",
        "actor": "searcher",
        "parent": "run",
        "data": {"kind": "page_read", **row.data},
    }


def test_each_kind_has_a_type_and_an_unknown_one_is_left_out() -> None:
    kinds = {kind.kind.fget(kind.__new__(kind)) for kind in Event.__subclasses__()}  # type: ignore[attr-defined]

    assert TYPES.keys() == kinds
    assert event_text(EventRow(1, "r1", 0.0, "of_tomorrow", {})) == ""

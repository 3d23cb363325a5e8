from deepresearch_mcp.records.trail import RunEvent


def test_an_event_of_a_newer_server_is_read() -> None:
    told = {"number": 1, "at": "2026-11-28T00:00:00Z", "kind": "of_tomorrow", "data": {}, "mood": "good"}

    assert RunEvent.model_validate(told).actor == "run"

"""The shapes that the library returns."""

from deepresearch_mcp.sdk.engine import RunPage


def test_a_page_of_a_newer_server_is_read_without_what_is_not_known():
    run = {"run_id": "r", "status": "completed", "stage": "ended", "question": "Why?"}
    times = {"created": "2026-01-01T00:00:00Z", "updated": "2026-01-01T00:00:00Z", "progress": "", "owner": "new"}

    [found] = RunPage.model_validate({"runs": [run | times], "more": 1}).runs

    assert found.run_id == "r"

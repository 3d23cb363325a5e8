from deepresearch_mcp.records.sharing import SharedLink


def test_a_link_of_a_newer_server_is_read() -> None:
    told = {"share_id": "ab", "run_id": "r1", "created": "", "expires": "", "valid": True, "mood": "good"}

    assert SharedLink.model_validate(told).url is None

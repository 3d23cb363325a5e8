from deepresearch_mcp.events import ClaimVerified, Event, Verified
from deepresearch_mcp.pipeline.telling import tell_verdicts
from deepresearch_mcp.records.checks import CheckedClaim


def test_each_verdict_is_told_before_their_sum() -> None:
    heard: list[Event] = []
    checks = [
        CheckedClaim(claim_id="k1", text="Ice floats.", verdict="supported", checked_by="machine"),
        CheckedClaim(claim_id="k2", text="Ice sinks.", verdict="unsupported"),
    ]

    tell_verdicts("", checks, 1, heard.append)

    assert heard == [
        ClaimVerified("k1", "", "Ice floats.", "supported", "", "machine"),
        ClaimVerified("k2", "", "Ice sinks.", "unsupported", "", "none"),
        Verified("", 1, 1),
    ]

"""The audit trail's chain: each event's hash holds the one before, so that none is changed or taken out unseen."""

import hashlib
import json

FIRST = ""
"""What stands before the first event of a run."""


def link(before: str, run_id: str, at: float, kind: str, data: str) -> str:
    """64 hexadecimal digits: SHA-256 of the hash before and all that an event says; `data` is its JSON as stored."""
    whole = json.dumps([before, run_id, at, kind, data], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()

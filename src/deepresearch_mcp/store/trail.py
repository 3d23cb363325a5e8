"""The hash chain of the audit trail: each hash covers the one before, so changed or removed events are detected."""

import hashlib
import json

FIRST = ""
"""The previous hash for the first event of a run."""


def link(before: str, run_id: str, at: float, kind: str, data: str) -> str:
    """The hash of an event: SHA-256 over the previous hash and its fields, as 64 hexadecimal digits.

    `data` is the event's JSON exactly as stored.
    """
    whole = json.dumps([before, run_id, at, kind, data], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()

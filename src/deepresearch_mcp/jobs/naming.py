"""What names a run, and what makes two requests the same one."""

import hashlib
import json
import secrets

from deepresearch_mcp.records.checks import AnyRequest

LOCAL_CALLER = "local"
"""Whoever may read the data directory: one user of the operating system."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32, in which no two characters look alike."""


def new_run_id() -> str:
    """26 characters holding 128 random bits."""
    number = secrets.randbits(128)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def fingerprint(request: AnyRequest, caller: str) -> str:
    """Equal for requests that may join each other's run."""
    text = json.dumps([caller, request.canonical()], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()

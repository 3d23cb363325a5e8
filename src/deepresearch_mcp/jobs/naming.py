"""Makes run ids, the commands that act on runs, and the fingerprints of requests."""

import hashlib
import json
import secrets

from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.settings.project import COMMANDS

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32, which omits characters that look alike."""


def new_run_id() -> str:
    """Return 26 characters that hold 128 random bits."""
    number = secrets.randbits(128)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def resume_command(run_id: str) -> str:
    """Return the command that resumes a run, in backquotes."""
    return f"`{COMMANDS[0]} runs resume {run_id}`"


def rebuild_command(run_id: str) -> str:
    """Return the command that rebuilds a run's report from its steps, in backquotes."""
    return f"`{COMMANDS[0]} runs verify {run_id} --rebuild`"


def fingerprint(request: AnyRequest, caller: str) -> str:
    """Return a hash that is equal for requests that may join each other's run."""
    text = json.dumps([caller, request.canonical()], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()

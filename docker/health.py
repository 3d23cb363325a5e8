"""Whether the server in this container answers, where it serves HTTP; else it lives as long as its client."""

import sys
import urllib.request
from pathlib import Path


def address(command: list[str]) -> str:
    """Where the process can be asked; empty where it speaks over standard input."""
    if "--http" not in command:
        return ""
    port = "8765"
    for number, word in enumerate(command):
        if word.startswith("--port="):
            port = word.partition("=")[2]
        elif word == "--port" and number + 1 < len(command):
            port = command[number + 1]
    return f"http://127.0.0.1:{port}/healthz"


def healthy(command: list[str]) -> bool:
    """Ask it."""
    where = address(command)
    if not where:
        return True
    try:
        with urllib.request.urlopen(where, timeout=3) as answer:  # noqa: S310 - an address of our own making
            return bool(answer.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    # Process 1 of a container is what its command started.
    words = Path("/proc/1/cmdline").read_bytes().decode(errors="replace").split("\0")
    sys.exit(0 if healthy(words) else 1)

"""A server in a process of its own, for tests that need a real one."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from deepresearch_mcp.settings.services import VENDOR_NAMES


def bare_env(folder: Path) -> dict[str, str]:
    """The environment of a process that a test starts: a data directory of its own, and no key or setting of ours."""
    vendors = {name for names in VENDOR_NAMES.values() for name in names}
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("DEEPRESEARCH_") and name not in vendors
    }
    absent = folder / "config"
    return env | {"DEEPRESEARCH_HOME": str(folder / "home"), "XDG_CONFIG_HOME": str(absent)}


@contextmanager
def serving(env: dict[str, str], *options: str) -> Generator[str]:
    """The address of a server in a process of its own, told to stop in the end as a person would tell it.

    `options` are those of `serve`; without any it asks for no token.
    """
    options = options or ("--no-token",)
    command = [sys.executable, "-m", "deepresearch_mcp", "serve", "--http", "--port", "0", *options]
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline()
        told = re.fullmatch(r"Serving MCP at (http://127\.0\.0\.\d:\d+/mcp)\n", line)
        assert told, line
        yield told.group(1)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
        assert process.returncode == 130
        assert (output, "Traceback" in errors) == ("", False), errors

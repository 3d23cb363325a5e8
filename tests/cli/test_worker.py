"""`deepresearch-mcp worker` as a process: it says when it is ready, and leaves when it is told to."""

import signal
import subprocess
import sys

import pytest

from postgres_server import own_schema


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_worker_says_when_it_is_ready_and_stops_when_it_is_told_to(
    database_url: str, child_env: dict[str, str], how: signal.Signals
):
    with own_schema(database_url) as url:
        process = subprocess.Popen(
            [sys.executable, "-m", "deepresearch_mcp", "worker", "--runs", "3"],
            env=child_env | {"DEEPRESEARCH_DATABASE_URL": url},
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        said = process.stderr.readline()
        process.send_signal(how)
        out, err = process.communicate(timeout=30)

    assert "Ready: up to 3 runs at once." in said
    assert "Stopped." in err
    assert "Traceback" not in err
    assert (out, process.returncode) == ("", 0)

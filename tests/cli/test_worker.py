"""`deepresearch-mcp worker` as a process: it says when it is ready, shows figures, and leaves when it is told to."""

import re
import signal
import subprocess
import sys

import httpx2
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


def test_a_worker_serves_its_figures_only_where_it_is_given_a_port(database_url: str, child_env: dict[str, str]):
    with own_schema(database_url) as url:
        process = subprocess.Popen(
            [sys.executable, "-m", "deepresearch_mcp", "worker", "--metrics-port", "0"],
            env=child_env | {"DEEPRESEARCH_DATABASE_URL": url},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        told = re.fullmatch(r"Figures are at (http://127\.0\.0\.1:\d+)/metrics\n", process.stderr.readline())
        assert told
        assert "Ready" in process.stderr.readline()
        lives = httpx2.get(f"{told[1]}/healthz").status_code
        refused = httpx2.get(f"{told[1]}/metrics").status_code
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)

    assert (lives, refused) == (200, 401)
    assert (process.returncode, "Traceback" in err) == (0, False), err


def test_an_address_for_figures_without_a_port_is_refused(cli):
    said = cli("worker", "--metrics-host", "0.0.0.0")

    assert said.code == 2
    assert "--metrics-host is for --metrics-port." in said.err

import subprocess
import sys

import pytest

from deepresearch_mcp.version import __version__

SERVE = [sys.executable, "-m", "deepresearch_mcp", "serve"]


def start(arguments: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Start a server whose input has ended already."""
    command = [*SERVE, *arguments]
    return subprocess.run(command, check=False, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("arguments", "variables", "sentence"),
    [
        ([], {"DEEPRESEARCH_SEARCH__TIMEOUT": "-1"}, "The setting search.timeout = '-1'"),
        (["--http", "--host", "0.0.0.0"], {}, "Serving on '0.0.0.0' is refused: there is no token"),
        (["--http", "--port=99999"], {}, "Port 99999 of 127.0.0.1 cannot be used"),
    ],
)
def test_a_server_that_cannot_start_says_why_in_a_sentence(
    child_env: dict[str, str], arguments: list[str], variables: dict[str, str], sentence: str
) -> None:
    done = start(arguments, child_env | variables)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence)
    assert "Traceback" not in done.stderr


def test_what_settings_ignored_is_logged(child_env: dict[str, str]) -> None:
    done = start(["--log-level", "info"], child_env | {"DEEPRESEARCH_SERCH__TIMEOUT": "3"})

    assert (done.returncode, done.stdout) == (0, "")
    assert "DEEPRESEARCH_SERCH__TIMEOUT in the environment is not a setting" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "output", "errors"),
    [
        (["--version"], 0, __version__, ""),
        (["serve", "--port", "5"], 2, "", "--host, --port and --no-token are for HTTP."),
        (["serve", "--log-level"], 2, "", "--log-level"),
    ],
)
def test_all_but_a_plain_serve_is_answered_by_the_command_line(
    child_env: dict[str, str], arguments: list[str], code: int, output: str, errors: str
) -> None:
    command = [sys.executable, "-m", "deepresearch_mcp", *arguments]
    done = subprocess.run(command, check=False, env=child_env, capture_output=True, text=True)

    assert (done.returncode, done.stdout.strip()) == (code, output)
    assert errors in done.stderr

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from deepresearch_mcp.cli.ui import announce


def test_the_browser_is_opened_signed_in_and_the_terminal_shows_no_code(
    child_env: dict[str, str], tmp_path: Path
) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser.py"
    browser.write_text(f"import sys, pathlib; pathlib.Path({str(opened)!r}).write_text(sys.argv[1])")
    env = child_env | {"BROWSER": f"{sys.executable} {browser} %s"}
    command = [sys.executable, "-m", "deepresearch_mcp", "ui"]
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline()
        address = opened.read_text()
        with httpx2.Client(headers={"accept": "text/html"}) as http:
            signed_in = http.get(address)
            page = http.get(address.partition("/sign-in")[0] + "/")
        with httpx2.Client(headers={"accept": "text/html"}) as http:
            stranger = http.get(address.partition("/sign-in")[0] + "/")
            again = http.get(address)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)

    assert re.fullmatch(r"The page is open in your browser, at http://127\.0\.0\.1:\d+/\. Ctrl-C ends it\.\n", line)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/sign-in\?code=[\w-]{43}", address)
    assert (signed_in.status_code, page.status_code) == (200, 200)
    assert "What do you want to know?" in page.text
    assert (stranger.status_code, again.status_code) == (303, 401)
    assert (process.returncode, "Traceback" in errors) == (130, False), errors


def test_where_no_browser_is_to_be_opened_the_address_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    announce("http://127.0.0.1:9/sign-in?code=x", browser=False)

    assert (
        "Open this address. It works once, within two minutes:\nhttp://127.0.0.1:9/sign-in?code=x\n"
        in capsys.readouterr().err
    )

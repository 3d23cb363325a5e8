import json
import subprocess
import sys

import pytest


def token(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "deepresearch_mcp", "token", *arguments]
    return subprocess.run(command, check=False, env=env, capture_output=True, text=True)


def test_a_token_is_shown_once_listed_without_itself_and_revoked(child_env: dict[str, str]) -> None:
    made = token(child_env, "create", "ci", "--scope", "runs:read", "--expires", "12h")
    secret = made.stdout.strip()
    [row] = json.loads(token(child_env, "list", "--json").stdout)["tokens"]
    renewed = json.loads(
        token(child_env, "create", "ci", "--same-as", row["id"], "--usd-per-day", "5", "--json").stdout
    )
    listed = token(child_env, "list")
    revoked = token(child_env, "revoke", row["id"])
    again = token(child_env, "revoke", row["id"])

    assert secret.startswith("drt_")
    assert "runs:read; until" in made.stderr
    assert (row["name"], row["scopes"], row["valid"]) == ("ci", ["runs:read"], True)
    assert renewed["caller"] == row["caller"]
    assert renewed["limits"] == {"runs_at_once": None, "requests_a_minute": None, "usd_per_day": 5.0}
    assert "5 usd per day" in listed.stdout
    assert secret not in listed.stdout
    assert "never used" in listed.stdout
    assert (revoked.returncode, again.returncode) == (0, 2)
    assert "There is no valid token" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ci", "--scope", "everything"], "There is no scope 'everything'."),
        (["ci", "--expires", "soon"], "--expires is 'soon'."),
        ([" "], "A name has 1 to 100 characters."),
        (["ci", "--same-as", "none"], "There is no token 'none'."),
    ],
)
def test_what_makes_no_token_is_said_in_a_sentence(
    child_env: dict[str, str], arguments: list[str], sentence: str
) -> None:
    done = token(child_env, "create", *arguments)

    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr

import os
import stat
from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.mcp_server.http_token import FILE, http_token


def test_the_token_is_made_once_and_its_owner_alone_can_read_it(tmp_path: Path) -> None:
    home = tmp_path / "home"

    token, path = http_token(home)

    assert http_token(home) == (token, path)
    assert len(token) == 43
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in home.iterdir()] == [FILE]
    assert http_token(tmp_path / "other")[0] != token


def test_a_token_that_others_can_read_is_refused(tmp_path: Path) -> None:
    _, path = http_token(tmp_path)
    path.chmod(0o644)

    with pytest.raises(SettingsError, match="can be read by another user"):
        http_token(tmp_path)


def test_a_link_in_the_place_of_the_token_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("x" * 40)
    os.symlink(other, tmp_path / FILE)

    with pytest.raises(SettingsError, match="cannot be used"):
        http_token(tmp_path)


def test_a_token_that_can_be_guessed_is_refused(tmp_path: Path) -> None:
    _, path = http_token(tmp_path)
    path.write_text("secret\n")

    with pytest.raises(SettingsError, match="shorter than 32 characters"):
        http_token(tmp_path)

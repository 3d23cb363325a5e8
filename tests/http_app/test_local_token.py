import os
import stat
from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.http_app.local_token import FILE, http_token


def test_the_token_is_made_once_and_its_owner_alone_can_read_it(tmp_path: Path) -> None:
    home = tmp_path / "home"

    token, path = http_token(home)

    assert http_token(home) == (token, path)
    assert len(token) == 43
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in home.iterdir()] == [FILE]
    assert http_token(tmp_path / "other")[0] != token


def refused(_: Path, __: Path) -> None:
    raise PermissionError(1, "Operation not permitted")


def test_a_file_system_without_hard_links_keeps_a_token_too(tmp_path: Path) -> None:
    token, path = http_token(tmp_path, refused)

    assert http_token(tmp_path, refused) == (token, path)
    assert len(token) == 43
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == [FILE]


def test_a_token_that_is_there_is_read_and_nothing_is_made(tmp_path: Path) -> None:
    token, path = http_token(tmp_path)
    made: list[Path] = []

    assert http_token(tmp_path, lambda draft, _: made.append(draft)) == (token, path)
    assert made == []


def test_two_servers_that_start_at_once_have_one_token(tmp_path: Path) -> None:
    def outrun(_: Path, path: Path) -> None:
        path.write_text("x" * 43)
        path.chmod(0o600)
        raise FileExistsError

    assert http_token(tmp_path, outrun)[0] == "x" * 43


def test_a_token_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("in the way")

    with pytest.raises(SettingsError) as caught:
        http_token(tmp_path / "home")
    (tmp_path / "home").unlink()
    (tmp_path / "home").symlink_to(tmp_path / "nowhere" / "else")
    with pytest.raises(SettingsError) as missing:
        http_token(tmp_path / "home")

    assert "Correct or delete it, or start without a token (--no-token)." in str(caught.value)
    assert "No HTTP token could be made" in str(missing.value)
    assert "delete" not in str(missing.value)


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

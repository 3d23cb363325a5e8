import os
from pathlib import Path

import pytest

from deepresearch_mcp.settings.files import data_home, find_config, read_config, read_env_file, walk_to_env_file


def test_the_users_own_directories_are_looked_at_when_no_other_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))

    found = find_config(None)

    assert found is None
    assert data_home().name == "deepresearch-mcp"


def test_a_folder_without_a_settings_file_gives_none(tmp_path: Path) -> None:
    assert find_config(tmp_path) is None
    (tmp_path / "config.toml").touch()
    assert find_config(tmp_path) == tmp_path / "config.toml"


def test_a_settings_file_that_is_a_folder_is_refused_and_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()

    with pytest.raises(ValueError, match=r"config.toml cannot be read: Is a directory"):
        read_config(tmp_path / "config.toml")


@pytest.mark.parametrize(("content", "reason"), [(b"a = \n", "at line 1"), (b"a = '\xff'\n", "not UTF-8")])
def test_a_settings_file_that_is_no_toml_is_refused_and_says_where(content: bytes, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(content)

    with pytest.raises(ValueError, match=reason):
        read_config(file)


@pytest.mark.skipif(os.name != "posix", reason="permissions of this kind are POSIX's")
@pytest.mark.parametrize(("mode", "exposed"), [(0o600, False), (0o400, False), (0o644, True), (0o660, True)])
def test_a_settings_file_is_exposed_when_anybody_else_may_open_it(mode: int, exposed: bool, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.touch(mode)
    file.chmod(mode)

    assert read_config(file).exposed is exposed


def test_the_nearest_env_file_is_found_and_a_folder_of_that_name_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a" / ".env").mkdir(parents=True)
    (tmp_path / ".env").touch()
    monkeypatch.chdir(tmp_path / "a")

    assert walk_to_env_file() == tmp_path / ".env"


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a folder in use cannot be removed")
def test_a_working_directory_that_is_gone_has_no_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert walk_to_env_file() is None


def test_an_env_file_is_read_as_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes("\ufeffA='x y'\nexport B=${A}\n# C=1\nD=\nE\n".encode())

    assert read_env_file(file) == {"A": "x y", "B": "${A}"}

from pathlib import Path

import pytest

from deepresearch_mcp.cli.launching import installed, launch, startable, through_uvx


def program(folder: Path, name: str = "deepresearch-mcp") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)
    return folder / name


def test_what_was_called_is_what_clients_call(tmp_path):
    link = program(tmp_path / ".local" / "bin")
    environment = tmp_path / "pipx" / "venvs" / "deepresearch-mcp"
    program(environment / "bin")

    assert installed(link, environment / "bin" / "python", environment) == [str(link), "serve"]


def test_a_call_by_module_finds_the_command_beside_its_python(tmp_path):
    beside = program(tmp_path / "bin")
    module = tmp_path / "lib" / "deepresearch_mcp" / "__main__.py"

    assert installed(module, tmp_path / "bin" / "python", tmp_path) == [str(beside), "serve"]


def test_the_command_of_windows_has_an_ending(tmp_path):
    exe = program(tmp_path / "Scripts", "deepresearch-mcp.exe")

    called = exe.with_suffix("")

    assert installed(called, tmp_path / "Scripts" / "python.exe", tmp_path) == [str(exe), "serve"]


def test_without_a_command_the_module_is_started(tmp_path):
    python = tmp_path / "bin" / "python"

    assert installed(tmp_path / "x.py", python, tmp_path) == [str(python), "-m", "deepresearch_mcp", "serve"]


@pytest.mark.parametrize(
    "passing", ["cache/uv/archive-v0/abc", "cache/uv/environments-v2/deepresearch-mcp-1", "pipx/.cache/12ab"]
)
def test_an_environment_made_for_one_call_is_not_written_down(passing, tmp_path):
    environment = tmp_path / passing
    called = program(environment / "bin")

    assert installed(called, environment / "bin" / "python", environment) is None


def test_through_uvx_the_models_come_along_where_they_are_here():
    assert through_uvx("uvx", with_models=False) == ["uvx", "deepresearch-mcp", "serve"]
    assert through_uvx("uvx", with_models=True) == [
        "uvx", "--from", "deepresearch-mcp[models]", "deepresearch-mcp", "serve"
    ]  # fmt: skip


def test_a_file_that_is_shared_names_no_place_of_this_machine():
    assert launch(shared=True)[0] == "uvx"
    assert launch()[-1] == "serve"
    assert startable(launch()[0])


def test_what_is_not_there_cannot_be_started(tmp_path):
    assert startable(str(program(tmp_path)))
    assert not startable(str(tmp_path / "gone"))

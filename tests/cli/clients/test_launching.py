from pathlib import Path

import pytest

from deepresearch_mcp.cli.clients.launching import fetched, installed, launch, startable
from deepresearch_mcp.exceptions import InvalidRequest


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


def test_before_publication_a_program_that_does_not_last_is_not_written_down():
    with pytest.raises(InvalidRequest, match=r"deleted after the call.*make install"):
        fetched("/bin/uvx", published=False)


def test_after_publication_it_is_fetched_by_the_name_that_is_ours():
    assert fetched("/bin/uvx", published=True) == ["/bin/uvx", "deepresearch-server", "serve"]
    assert fetched(None, published=True) == ["uvx", "deepresearch-server", "serve"]


@pytest.mark.parametrize("name", ["deepresearch-server", "deepresearch-mcp"])
def test_both_commands_are_written_down_as_they_were_called(name, tmp_path):
    called = program(tmp_path / "bin", name)

    assert installed(called, tmp_path / "bin" / "python", tmp_path) == [str(called), "serve"]


def test_a_file_that_is_shared_names_no_place_of_this_machine_and_no_package_that_is_not_there():
    assert launch(shared=True, published=False) == ["deepresearch-server", "serve"]
    assert launch(shared=True, published=True) == ["uvx", "deepresearch-server", "serve"]


def test_this_programs_own_entry_starts_it_by_its_whole_path():
    command = launch()

    assert command[-1] == "serve"
    assert Path(command[0]).is_absolute()
    assert startable(command[0])


def test_what_is_not_there_cannot_be_started(tmp_path):
    assert startable(str(program(tmp_path)))
    assert not startable(str(tmp_path / "gone"))

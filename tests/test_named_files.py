"""What profiles and report templates share; the faults of files are tested with the profiles."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.named_files import NamedFiles


class Bird(BaseModel):
    name: str
    title: str = ""


BIRDS = NamedFiles("bird", "research.birds_dir", "deepresearch_mcp.profiles", ("general",), Bird)


def test_a_file_of_the_package_is_replaced_by_one_of_the_users_folder(tmp_path: Path) -> None:
    assert BIRDS.open("general").title == "General research"
    (tmp_path / "general.toml").write_text('title = "Mine"\n')

    assert BIRDS.open("general", str(tmp_path)) == Bird(name="general", title="Mine")
    assert BIRDS.names_in(str(tmp_path)) == ("general",)


def test_an_unknown_name_is_refused_with_where_ones_own_belong() -> None:
    with pytest.raises(InvalidRequest) as refused:
        BIRDS.open("wren")

    assert refused.value.message == "There is no bird 'wren'."
    assert refused.value.action.endswith("Birds of your own are files in the folder that research.birds_dir names.")


def test_a_wrong_file_is_told_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "wren.toml").write_text("title = 3\n")

    with pytest.raises(SettingsError, match=r"wren\.toml: title: input should be a valid string"):
        BIRDS.open("wren", str(tmp_path))

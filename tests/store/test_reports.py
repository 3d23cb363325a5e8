from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.exceptions import StoreError, UnknownRun
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.store.reports import FileReports, report_dir


async def test_a_report_is_two_files_for_the_user_alone(tmp_path: Path) -> None:
    await FileReports(tmp_path / "home").write("7k2m9qd4", "# Ice\n\nFloats [1].\n", '{"a": "é"}')

    folder = report_dir(tmp_path / "home", "7k2m9qd4")
    assert FileReports(tmp_path / "home").place("7k2m9qd4") == str(folder)
    assert folder == tmp_path / "home" / "runs" / "7k2m9qd4"
    assert sorted(path.name for path in folder.iterdir()) == ["report.json", "report.md"]
    assert (folder / "report.md").read_bytes() == b"# Ice\n\nFloats [1].\n"
    assert [path.stat().st_mode & 0o777 for path in folder.iterdir()] == [0o600, 0o600]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert await FileReports(tmp_path / "home").read("7k2m9qd4", "report.json") == '{"a": "é"}'


async def test_writing_again_replaces_and_half_a_character_costs_nothing_else(tmp_path: Path) -> None:
    await FileReports(tmp_path).write("r1", "old", "{}")

    await FileReports(tmp_path).write("r1", "new \ud800", "{}")

    assert await FileReports(tmp_path).read("r1", "report.md") == "new ?"


async def test_a_report_never_written_is_none(tmp_path: Path) -> None:
    assert await FileReports(tmp_path).read("r1", "report.md") is None


@pytest.mark.parametrize("run_id", ["", "..", "../x", "a/b", "a\\b", "x" * 65, "a\0", "r1\n"])
def test_no_path_is_made_from_what_is_no_id(tmp_path: Path, run_id: str) -> None:
    with pytest.raises(UnknownRun):
        report_dir(tmp_path, run_id)


async def test_a_directory_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreError, match=r"reports cannot be used: its path leads through a file"):
        await FileReports(tmp_path / "file" / "home").write("r1", "", "")


async def test_a_report_that_cannot_be_put_in_place_leaves_no_half_file(tmp_path: Path) -> None:
    (report_dir(tmp_path, "r1") / "report.md" / "in the way").mkdir(parents=True)

    with pytest.raises(StoreError):
        await FileReports(tmp_path).write("r1", "text", "{}")

    assert [path.name for path in report_dir(tmp_path, "r1").iterdir()] == ["report.md"]


async def test_a_report_is_read_as_it_was_written_by_anyone_who_shares_the_store(store: Store, other: Store) -> None:
    await store.reports.write("r1", "# Ice\n\nold", "{}")
    await store.reports.write("r1", "# Ice\n\nFloats \ud800[1].\n", '{"a": "é"}')

    assert await other.reports.read("r1", "report.md") == "# Ice\n\nFloats ?[1].\n"
    assert await other.reports.read("r1", "report.json") == '{"a": "é"}'


async def test_a_report_is_removed_once(store: Store, create: Any) -> None:
    await store.reports.write("r1", "# Ice", "{}")

    assert await store.reports.remove("r1")
    assert not await store.reports.remove("r1")
    assert await store.reports.read("r1", "report.md") is None

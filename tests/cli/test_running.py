from pathlib import Path

from deepresearch_mcp.cli.running import Showing, collection_of, view_for
from deepresearch_mcp.cli.watching import Lines, Silent
from deepresearch_mcp.system_clock import SystemClock


def test_a_folder_is_always_kept_under_the_same_name_and_two_of_one_name_apart(tmp_path):
    one, two = tmp_path / "a" / "My Notes", tmp_path / "b" / "My Notes"

    assert collection_of(one) == collection_of(one / ".." / "My Notes")
    assert collection_of(one) != collection_of(two)
    assert collection_of(one).startswith("my-notes-")
    assert collection_of(Path("/")).startswith("folder-")


def test_without_a_terminal_there_are_lines_and_quiet_is_silent():
    assert isinstance(view_for(Showing(), SystemClock()), Lines)
    assert isinstance(view_for(Showing(quiet=True), SystemClock()), Silent)


def test_on_a_terminal_indexing_and_research_are_shown(cli, folder):
    said = cli("research", "Why does ice float?", "--library", str(folder), "--no-web", terminal=True)

    assert said.code == 0
    assert "Reading" in said.err
    assert "Why does ice float?" in said.out


def test_a_file_that_cannot_be_read_is_named_before_the_research(cli, folder):
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")

    said = cli("research", "Why does ice float?", "--library", str(folder), "--no-web", "--model", "extractive")

    assert "not read: broken.pdf (" in said.err
    assert "1 not readable" in said.err

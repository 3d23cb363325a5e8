from pathlib import Path

import pytest

from deepresearch_mcp.cli.running import Showing, checked_output, collection_of, form_of, save, view_for
from deepresearch_mcp.cli.watching import Lines, Silent
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.system_clock import SystemClock


def test_a_folder_is_always_kept_under_the_same_name_and_two_of_one_name_apart(tmp_path):
    one, two = tmp_path / "a" / "My Notes", tmp_path / "b" / "My Notes"

    assert collection_of(one) == collection_of(one / ".." / "My Notes")
    assert collection_of(one) != collection_of(two)
    assert collection_of(one).startswith("my-notes-")
    assert collection_of(Path("/")).startswith("folder-")


@pytest.mark.parametrize(("name", "form"), [("a.html", "html"), ("a.HTM", "html"), ("a.json", "json"), ("a", "md")])
def test_a_files_suffix_says_its_form(name, form):
    assert form_of(Path(name)) == form


def test_an_output_is_judged_before_anything_is_paid_for(tmp_path):
    assert checked_output(None) is None
    assert checked_output(tmp_path / "new.md") == tmp_path / "new.md"
    for wrong in (tmp_path, tmp_path / "no" / "r.md", Path("/proc/nothing.md")):
        with pytest.raises(InvalidRequest, match="cannot be written"):
            save(checked_output(wrong) or wrong, "text")


@pytest.mark.parametrize("name", ["report.docx", "report.pdf", "report.md.gz"])
def test_a_form_that_reports_do_not_have_is_refused(tmp_path, name):
    with pytest.raises(InvalidRequest, match=r"cannot be written as \.(docx|pdf|gz)"):
        checked_output(tmp_path / name)


def test_a_disk_that_fails_at_the_end_tells_that_the_report_is_kept(tmp_path):
    with pytest.raises(InvalidRequest, match="is kept"):
        save(tmp_path / "missing" / "r.md", "text")


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

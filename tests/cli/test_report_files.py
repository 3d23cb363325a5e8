from pathlib import Path

import pytest

from deepresearch_mcp.cli.report_files import checked_output, save
from deepresearch_mcp.exceptions import InvalidRequest


def test_an_output_is_judged_before_anything_is_paid_for(tmp_path):
    assert checked_output(None) is None
    assert checked_output(tmp_path / "new.md") == tmp_path / "new.md"
    for wrong in (tmp_path, tmp_path / "no" / "r.md", Path("/proc/nothing.md")):
        with pytest.raises(InvalidRequest, match="cannot be written"):
            save(checked_output(wrong) or wrong, b"text")


@pytest.mark.parametrize("name", ["report.odt", "report.epub", "report.md.gz"])
def test_a_form_that_reports_do_not_have_is_refused(tmp_path, name):
    with pytest.raises(InvalidRequest, match=r"cannot be written as \.(odt|epub|gz)"):
        checked_output(tmp_path / name)


def test_a_format_that_is_named_is_written_to_a_file_of_any_suffix(tmp_path):
    assert checked_output(tmp_path / "q1.bibtex", "bibtex") == tmp_path / "q1.bibtex"
    with pytest.raises(InvalidRequest, match="no format 'epub'"):
        checked_output(tmp_path / "q1.bibtex", "epub")


def test_a_disk_that_fails_at_the_end_tells_that_the_report_is_kept(tmp_path):
    with pytest.raises(InvalidRequest, match="is kept"):
        save(tmp_path / "missing" / "r.md", b"text")

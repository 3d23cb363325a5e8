"""The report templates of the package, and those of users."""

from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.records.report_template import ReportTemplate
from deepresearch_mcp.records.specs import TEMPLATE_NAMES
from deepresearch_mcp.report_templates.loading import open_template


@pytest.mark.parametrize("name", TEMPLATE_NAMES)
def test_every_template_of_ours_says_what_its_writers_must_mind_and_which_sections_it_has(name: str) -> None:
    template = open_template(name)

    assert template.name == name
    assert template.title
    assert template.note.endswith((".", "alone."))
    assert 3 <= len(template.sections) <= 6
    assert all(section.holds.endswith(".") for section in template.sections)


def test_no_name_is_no_template() -> None:
    assert open_template("") == ReportTemplate()


def test_a_users_own_stands_beside_ours(tmp_path: Path) -> None:
    (tmp_path / "memo.toml").write_text('title = "memo"\nwords = 0.3\n[[sections]]\nheading = "Facts"\n')

    memo = open_template("memo", str(tmp_path))

    assert (memo.title, memo.words, memo.sections[0].heading) == ("memo", 0.3, "Facts")
    assert open_template("briefing", str(tmp_path)).title == "briefing"


def test_an_unknown_or_a_wrong_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match=r"no report template 'memo'.*briefing, literature_review.*templates_dir"):
        open_template("memo")
    (tmp_path / "memo.toml").write_text("words = 0\n")
    with pytest.raises(SettingsError, match=r"memo\.toml: words: input should be greater"):
        open_template("memo", str(tmp_path))

from dataclasses import astuple

import pytest

from deepresearch_mcp.cited_text.list_titles import announced
from deepresearch_mcp.pipeline.headings import all_headings, headings_in, languages
from deepresearch_mcp.records.report import Section


def test_the_usual_languages_have_headings_of_their_own() -> None:
    assert len(languages()) == 30
    assert {"en", "de", "fr", "es", "zh", "ja", "ar", "he", "ru", "pt"} <= set(languages())


@pytest.mark.parametrize("code", languages())
def test_a_language_names_every_part_on_one_line_and_its_references_are_known_as_such(code: str) -> None:
    found = headings_in(code)

    parts = astuple(found)
    assert all(part.strip() == part and part and "\n" not in part and not part.endswith(":") for part in parts)
    # Parts of one report are told apart by their headings.
    assert len({found.short, found.differences, found.missing, found.tried, found.references}) == 5
    assert announced(f"## {found.references}", "", opens=True) == 2


@pytest.mark.parametrize(("code", "same"), [("de-AT", "de"), ("zh-Hant", "zh"), ("nb", "no"), ("", "en"), ("xx", "en")])
def test_a_tag_has_the_headings_of_its_language_else_the_english_ones(code: str, same: str) -> None:
    assert headings_in(code) == headings_in(same)


def test_english_headings_are_those_of_older_versions() -> None:
    english = headings_in("en")

    parts = [Section(heading=one, markdown="").part for one in (english.short, english.references, english.missing)]
    assert parts == ["short", "references", "missing"]
    assert "quellen" in all_headings()

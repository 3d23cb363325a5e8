"""Which differences between sources a reader need not know."""

import pytest

from deepresearch_mcp.pipeline.report.trifling import is_trifle

STRICT = "Prior to version 4.2.9 (2011-11-01), the engine did not assume safe overwrite."
OPEN = "All versions up to and including 4.2.9 (2011-11-01) assume that safe overwrite is not provided by the engine."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (STRICT, OPEN),
        ("The engine warns since 3.10.8.", "The engine warns from version 3.10.9 on."),
        ("About 35 % of lakes freeze.", "34.9 % of the lakes freeze."),
        ("Ice sold for $8.4 billion in 2020.", "In 2020 ice sold for $8,390 million."),
    ],
)
def test_a_last_part_of_a_version_a_rounding_and_an_end_that_is_included_are_trifles(one: str, other: str):
    assert is_trifle(one, other, "How safe is the engine?")
    assert is_trifle(other, one, "How safe is the engine?")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The engine warns since 3.10.", "The engine warns since 3.11."),
        ("The engine warns since 3.10.8.", "The engine does not warn since 3.10.9."),
        ("The engine warns until 3.10.8.", "The engine warns since 3.10.8."),
        ("The engine warns since 3.10.8.", "The engine warns since 3.11.0."),
        ("The engine warns before 3.10.8.", "The engine stays silent up to 3.10.8."),
        ("35 % of lakes freeze.", "20 % of lakes freeze."),
        ("Lakes freeze in winter.", "Lakes freeze in autumn."),
        ("The engine 3.10.8 loses data in a crash.", "Backups of 3.10.9 were tested by readers."),
    ],
)
def test_everything_else_is_told(one: str, other: str):
    assert not is_trifle(one, other, "How safe is the engine?")


def test_a_question_for_a_patch_release_wants_to_know_it():
    assert not is_trifle(STRICT, OPEN, "Is 4.2.9 safe?")

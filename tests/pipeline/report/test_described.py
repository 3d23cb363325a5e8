"""The line on versions and dates."""

import pytest

from deepresearch_mcp.pipeline.report.described import as_sentences
from deepresearch_mcp.records.report import Sentence


def fact(text: str, *ids: str) -> Sentence:
    return Sentence(text=text, claim_ids=ids)


def test_versions_without_a_verb_are_joined_to_a_sentence():
    listed = (
        fact("PostgreSQL 15.20", "c1"),
        fact("The Django 3.2 manual.", "c2"),
        fact("SQLite pages dated 2022", "c1"),
    )

    assert as_sentences(listed, "en") == (
        fact("The sources describe PostgreSQL 15.20, the Django 3.2 manual and SQLite pages dated 2022.", "c1", "c2"),
    )


@pytest.mark.parametrize(
    ("said", "language"),
    [
        (fact("Sources describe PostgreSQL 18.", "c1"), "en"),
        (fact("The manual is that of PostgreSQL 18.", "c1"), "en"),
        (fact("PostgreSQL 18.", "c1"), "de"),
        (fact("In 2022 Heron reserved numbers for what was to come.", "c1"), "en"),
        (fact("Heron 3 reserved the arguments of its functions for a form to come.", "c1"), "en"),
        (Sentence(text="Newer releases beyond these limits.", kind="judgement", premises=("c1",)), "en"),
    ],
)
def test_what_is_a_sentence_or_not_english_or_ours_stays(said: Sentence, language: str):
    assert as_sentences((said,), language) == (said,)


def test_a_sentence_without_a_full_stop_gets_one():
    said = (fact("Django is described by its manual of 3.2", "c1"), fact("SQLite is described by pages of 2022", "c2"))

    assert [one.text for one in as_sentences(said, "en")] == [f"{one.text}." for one in said]

import re

import pytest

from deepresearch_mcp.injection.reading_words import KINDS, english, languages, letters_only, words_by_kind


@pytest.mark.parametrize("code", sorted(languages()))
def test_every_language_has_words_of_every_kind(code: str) -> None:
    assert sorted(words_by_kind(code)) == sorted(KINDS)
    assert all(pattern.pattern for pattern in words_by_kind(code).values())


def test_a_word_is_met_with_its_accents_and_in_another_case_but_not_without_them() -> None:
    must = words_by_kind("sv")["must"]

    assert must.search(letters_only("Du MÅSTE svara."))
    assert not must.search(letters_only("A master of arts."))


def test_a_beginning_is_met_where_a_word_begins_and_a_whole_word_where_it_ends() -> None:
    assert words_by_kind("de")["rules"].search(letters_only("Alle Anweisungen"))
    assert not words_by_kind("de")["rules"].search(letters_only("Dienstanweisung"))
    assert not words_by_kind("de")["must"].search(letters_only("Das Mussel"))


def test_words_of_a_script_without_blanks_are_met_within_others() -> None:
    assert words_by_kind("zh")["rules"].search(letters_only("所有指令"))


def test_the_patterns_of_english_say_why_and_name_kinds_that_there_are() -> None:
    known = english().subject

    for pattern in (*english().addressed, *english().alone):
        assert pattern.because
        assert pattern.names <= known.keys()
        assert not re.search(r"\{[a-z]", pattern.found.pattern)

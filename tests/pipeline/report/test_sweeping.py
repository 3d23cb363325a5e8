"""Words that exclude, generalise, rank or give a reason beyond the claims of a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.pipeline.report.sweeping import may_be_plain, sweeping_words
from pipeline_fakes import claim, page
from two_pages import ICE

ROWS = page("https://rows.example/", "Row locks block.")
ROW = claim(ROWS, ROWS.text, "Row locks block writers of the same row.")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Writers wait for one another only at the same row.", ("only",)),
        ("After writing, schema changes separate them most.", ("most",)),
        ("The torn page is PostgreSQL's hardest case.", ("postgresql's hardest",)),
        ("It is replaced because its behaviour is complex.", ("because",)),
        ("Both copy all rows, always and completely.", ("both", "all", "always")),
        ("`ALL` and `ONLY` are words of SQL.", ()),
        ("The rest of the request is read.", ()),
        ("At most 64 tokens are shown, at least one.", ()),
    ],
)
def test_words_that_may_go_too_far_are_named_in_their_order(said: str, words: tuple[str, ...]) -> None:
    assert sweeping_words(said, [ROW], "en") == words


def test_a_word_that_a_claim_or_its_page_has_is_not_named() -> None:
    own = claim(ICE, ICE.text, "Only one writer is let in at a time.")

    assert sweeping_words("It lets in only one writer, and all readers.", [own], "en") == ("all",)


def test_other_languages_have_words_of_their_own_or_none() -> None:
    assert sweeping_words("Das gilt nur für beide Seiten.", [], "de") == ("nur", "beide")
    assert sweeping_words("Cela vaut toujours.", [], "fr") == ("toujours",)
    assert sweeping_words("Nunca falla.", [], "es") == ("nunca",)
    assert sweeping_words("Vain only yksi.", [], "fi") == ()


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("SQLite lets a single writer write at a time.", True),
        ("JSON functions are built in since 3.38.0.", True),
        ("Take SQLite for the desktop.", False),
        ("Keep `fsync` on.", False),
        ("Cancel the remaining tasks yourself.", False),
        ("Tests: Store all data in a single SQLite database.", False),
        ("PostgreSQL is the better choice for many writers.", False),
        ("Long work would block the loop.", False),
    ],
)
def test_a_judgement_without_a_word_of_advice_value_or_inference_may_be_plain(said: str, *, plain: bool) -> None:
    assert may_be_plain(said, "en") is plain


def test_what_may_be_plain_is_known_for_english_alone() -> None:
    assert not may_be_plain("Eis schwimmt auf Wasser.", "de")


@given(st.text(max_size=200))
def test_whatever_is_said_at_most_three_words_are_named_and_none_twice(text: str) -> None:
    words = sweeping_words(text, [], "en")

    assert len(words) == len(set(words)) <= 3

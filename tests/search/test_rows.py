from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.search.rows import Row, from_html, hit, joined, parse_date, read_rows, shown_as_iso, visible_words


class TestReadRows:
    def test_rows_without_an_address_are_left_out(self) -> None:
        raw: list[object] = [{"url": "https://a.test", "title": None}, {"url": ""}, {"title": "x"}, 3, None]

        assert [row.url for row in read_rows("brave", Row, raw)] == ["https://a.test"]

    def test_no_rows_are_nothing_found(self) -> None:
        assert read_rows("brave", Row, []) == []

    def test_rows_of_which_none_can_be_read_are_a_failure(self) -> None:
        with pytest.raises(UnreadableAnswer, match="none of its 2 results"):
            read_rows("brave", Row, [{"link": "https://a.test"}, {"link": "https://b.test"}])


class TestWords:
    def test_html_becomes_the_words_a_reader_sees(self) -> None:
        raw = 'The <span class="searchmatch">ice</span>&nbsp;floats: 1 &lt; 2 <!-- x -->and 3 < 4'

        assert from_html(raw) == "The ice floats: 1 < 2 and 3 < 4"

    def test_a_hit_keeps_no_secret_of_its_address(self) -> None:
        assert hit("x", "https://a.example/?token=tops3cret&page=2", "", "").url == "https://a.example/?page=2"

    def test_passages_become_one_snippet(self) -> None:
        assert joined(["One.", "", "Two."]) == "One. … Two."
        assert joined([]) == ""

    def test_control_characters_and_lines_go(self) -> None:
        assert visible_words(" a\x1b[31m\n b\x00\ud800\t c ") == "a[31m b c"

    @given(st.text())
    def test_whatever_comes_a_hit_holds_words_that_can_be_stored(self, text: str) -> None:
        made = hit("brave", "https://a.test", text, text * 50, text)

        made.model_dump_json()
        assert len(made.title) <= 300
        assert len(made.snippet) <= 2_000


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-02-12", date(2026, 2, 12)),
        ("2026-02-12T23:59:59+02:00", date(2026, 2, 12)),
        ("Thu, 12 Feb 2026 10:00:00 GMT", date(2026, 2, 12)),
        ("2026-02-31", None),
        ("3 days ago", None),
        ("", None),
        ("Thu, 12 Feb 99999 10:00:00 GMT", None),
    ],
)
def test_a_date_is_read_or_there_is_none(text: str, day: date | None) -> None:
    assert parse_date(text) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Feb 12, 2026", date(2026, 2, 12)),
        ("December 1, 2025", date(2025, 12, 1)),
        ("12 Feb 2026", date(2026, 2, 12)),
        ("5 hours ago", date(2026, 11, 20)),
        ("1 day ago", date(2026, 11, 19)),
        ("2 weeks ago", date(2026, 11, 6)),
        ("2026-02-12", date(2026, 2, 12)),
        ("Feb 31, 2026", None),
        ("Foo 12, 2026", None),
        ("vor 3 Tagen", None),
        ("", None),
    ],
)
def test_a_date_as_google_shows_it_is_read_or_there_is_none(text: str, day: date | None) -> None:
    assert parse_date(shown_as_iso(text, date(2026, 11, 20))) == day

import pytest

from deepresearch_mcp.web.documents.subtitles import is_subtitles, parse_subtitles

VTT = """WEBVTT

1
00:00:01.000 --> 00:00:02.000
<v Bob>Ice</v>

00:00:02.000 --> 00:00:04.000 align:start
Ice
floats

01:02:02.000 --> 01:02:04.000
at last
"""


def test_words_stand_by_the_minute_and_rolling_lines_stand_once() -> None:
    page = parse_subtitles(VTT, 1_000)

    assert page.get("text") == "[0:00:01] Ice floats\n\n[1:02:02] at last"


def test_a_long_file_is_cut() -> None:
    assert parse_subtitles(VTT, 10).get("flags") == ["truncated"]


def test_times_without_words_are_empty() -> None:
    assert parse_subtitles("WEBVTT\n\n00:01.000 --> 00:02.000\n\n", 100).get("reason") == "empty"


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("\ufeffWEBVTT\n", True),
        ("1\n00:00:01,000 --> 00:00:02,000\nIce", True),
        ("Meet at 10:30 --> there", False),
        ("1\nIce", False),
    ],
)
def test_subtitles_are_known_by_their_begin(head: str, found: bool) -> None:
    assert is_subtitles(head) is found

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.copies import copied, origins

RELEASE = (
    "The harbour board said on Monday that it will build a second quay for the ferries to the islands by next summer"
)


def test_only_long_runs_of_the_same_words_count_whatever_their_marks_and_case() -> None:
    assert copied(RELEASE, f"It was *told* that {RELEASE.upper()}, and more.") == len(RELEASE.split())
    assert copied(RELEASE, "The harbour board said on Monday that nothing is decided") == 0
    assert copied("", RELEASE) == 0
    assert copied(RELEASE, "") == 0


def test_a_changed_word_parts_a_run_and_a_repeated_run_counts_where_it_stands() -> None:
    changed = RELEASE.replace("second", "third")

    # 12 words before it; 10 behind it.
    assert copied(changed, RELEASE) == len(RELEASE.split()) - 1
    assert copied(f"{RELEASE}. {RELEASE}.", RELEASE) == 2 * len(RELEASE.split())


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_more_words_are_copied_than_there_are(one: str, other: str) -> None:
    assert 0 <= copied(one, other) <= len(one)
    assert copied(one, one) in {0, copied(one, f"{one} {other}")}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("According to Reuters, it rains.", {"reuters"}),
        ("OSLO (Reuters) - It rains.", {"reuters"}),
        ("It rains. Source: PRNewswire", {"pr newswire"}),
        ("LONDON, May 2 /PRNewswire/ -- It rains.", {"pr newswire"}),
        ("OSLO (AP) — It rains, as reported by the Associated Press.", {"associated press"}),
        ("A press release by the Harbour Board of Oslo says so.", {"harbour board of oslo"}),
        ("It rains, according to experts. The source: unknown.", set()),
        ("We ap (very) much like it.", set()),
    ],
)
def test_whom_a_text_says_that_it_has_its_words_from(text: str, named: set[str]) -> None:
    assert origins(text) == named

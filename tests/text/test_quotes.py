import gzip
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.normalise import normalise
from deepresearch_mcp.text.quotes import locate

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "quotes_quotesum" / "dev.jsonl.gz"

TEXT = (
    "Intro text here. The “Board” said that inflation fell to 2.3\u00a0% in\nMarch 2024 — a sharp drop — and that it "
    "“won’t” change course. In 2019, 10 000 people worked for the European Cen-\ntral Bank, which was **not** able to "
    "cut costs below $5 million a year. The modern government of the city issued an official inflation report about "
    "clear rules. "
    "Temperatures of -5 degrees are common; smoking and non-smoking rooms, p < 0.05, at 10:30 in room_12b."
)


def found(quote: str, text: str = TEXT) -> str | None:
    located = locate(quote, text)
    return None if located is None else text[located.start : located.end]


@pytest.mark.parametrize(
    ("quote", "how"),
    [
        ("Intro text here", "exact"),
        (
            'The "Board" said that inflation fell to 2.3 % in March 2024 - a sharp drop - and that it "won\'t" change',
            "normalised",
        ),
        ("“was not able to cut costs below $5 million a year.”", "normalised"),
        ("European Central Bank", "normalised"),
        ("The Board said that inflation fell to 2.3% in March 2024, a sharp drop, and that it won't change", "fuzzy"),
        ("In 2019 10,000 people worked for the European Central Bank", "fuzzy"),
        ("the Euro pean CentralBank which was not able", "fuzzy"),
        ("The modern govemment of the city issued an ofcial inflation rep0rt about clear rules", "fuzzy"),
        ("The modern government of the city issued an ocial infation report about clear rules", None),
        ("The modern government of the city issued an oficial inlation report about clear rules", None),
        ("The modern govern- ment of the city issued an official lnflation report", "fuzzy"),
        ("... said that inflation fell to 2.3 % in March", "normalised"),
        ("non-smoking rooms", "exact"),
    ],
)
def test_a_quote_is_found_through_damage_and_only_so(quote: str, how: str | None) -> None:
    located = locate(quote, TEXT)

    assert (located.how if located else None) == how
    if located:
        assert 0.8 <= located.score <= 1.0
        assert (located.score == 1.0) or how == "fuzzy"


@pytest.mark.parametrize(
    "quote",
    [
        "inflation fell to 3.3 % in March 2024",
        "inflation fell to 23 % in March 2024",
        "inflation fell to 2.3 in March 2024",
        "inflation fell to 2.3 million in March 2024",
        "inflation fell to 2.3 % in April 2024",
        "inflation fell to 2.3 % in March 2025",
        "inflation did not fall to 2.3 % in March 2024",
        "inflation rose to 2.3 % in March 2024",
        "inflation fell sharply to 2.3 % in March 2024",
        "that it will change course",
        'that it "won\'t ever" change course',
        "which was able to cut costs below $5 million",
        "which was notable to cut costs below",
        "not able to cut costs below €5 million a year",
        "not able to cut costs below $5 billion a year",
        "worked for the European National Bank",
        "100,000 people worked for the European Central Bank",
        "The modem government of the city issued",
        "The modern government of the city issued an official inflation report about dear rules",
        "The modern govemment of a town issued an ofcial inflation rep0rt about clear rules",
        "000 people worked for the European",
        "fell to 2.3",
        "3 % in March",
        "5 degrees are common",
        "smoking rooms, p",
        "p > 0.05, at 10:30",
        "at 10:3",
        "30 in room_12b",
        "in room",
        "The Boa",
        "oard” said",
        "5 million a year",
        "that it “won",
        "Inflation went down to 2.3 percent last March",
        "",
        "…",
        "—",
        "x" * 4000,
    ],
)
def test_other_words_numbers_units_and_halves_of_words_are_not_found(quote: str) -> None:
    assert found(quote) is None


def test_the_parts_around_an_ellipsis_are_found_in_order() -> None:
    located = locate(
        "The “Board” said that inflation [...] change course. In 2019 … worked for the European Central Bank", TEXT
    )

    assert located is not None
    assert [TEXT[start:end].partition(" ")[0] for start, end in located.spans] == ["The", "change", "worked"]
    assert located.how == "normalised"
    assert (located.start, located.end) == (located.spans[0].start, located.spans[-1].end)


@pytest.mark.parametrize(
    "quote",
    [
        "worked for the European ... said that inflation fell",
        "said that inflation … two words",
        "said that inflation … fell to … a sharp drop",
        "said that inflation fell … nowhere in this text",
    ],
)
def test_parts_out_of_order_too_short_or_absent_are_not_found(quote: str) -> None:
    assert found(quote) is None


def test_a_gap_of_more_than_six_hundred_characters_is_too_wide() -> None:
    def text(gap: int) -> str:
        return "it all began there" + " x" * (gap // 2) + " and ended well here"

    quote = "it all began … ended well here"
    assert found(quote, text(580)) is not None
    assert found(quote, text(620)) is None


def test_a_later_occurrence_near_the_second_part_is_taken() -> None:
    text = "so it was said once. " + "filler " * 150 + "so it was said again, and then it ended."

    located = locate("so it was said … then it ended", text)

    assert located is not None
    assert located.start > 1000


def test_a_short_quote_is_found_only_as_it_stands() -> None:
    assert found("2.3%") is None
    assert found("2.3 %") == "2.3\u00a0%"
    assert found("Intro-text") is None


def test_text_without_spaces_has_no_word_boundaries_to_keep() -> None:
    assert found("人口约", "东京的人口约为一千四百万人。") == "人口约"


def test_a_whole_word_is_preferred_to_its_first_mention_inside_another() -> None:
    text = "The category of cat is here."

    located = locate("cat", text)

    assert located is not None
    assert located.start == text.index("cat is")


def test_an_apostrophe_lost_must_not_make_another_word() -> None:
    text = "we said that we're able to do the work today"
    assert found("we said that were able to do the work", text) is None
    assert found("we said that we’re able to do the work", text) is not None
    assert found("it was no where to be seen again", "it was now here to be seen again") is None


def test_a_normalised_text_given_is_used() -> None:
    assert locate("the board said that inflation", TEXT, normalise(TEXT)) == locate(
        "the board said that inflation", TEXT
    )


@given(st.integers(0, 60), st.integers(1, 40))
def test_every_run_of_whole_words_is_found_exactly(first: int, count: int) -> None:
    words = [match.span() for match in re.finditer(r"\S+", TEXT)]
    first = min(first, len(words) - 1)
    last = min(first + count, len(words)) - 1
    quote = TEXT[words[first][0] : words[last][1]]
    if re.search(r"-$|^\d|^tral|^%|\d$|^\W+$", quote):
        return
    located = locate(quote, TEXT)
    assert located is not None
    assert TEXT[located.start : located.end] == quote
    assert located.how == "exact"


CHANGES = {
    "number": (r"\d+", lambda match: str(int(match.group()) + 1)),
    "date": (r"\b(January|February|March|April|June|July|August|September|October|November)\b", lambda _: "December"),
    "unit": (r"\b(percent|million|miles|years|days|hours)\b|%", lambda _: "furlongs"),
    "name": (r"(?<=[a-z] )[A-Z][a-z]{2,}", lambda _: "Kowalski"),
    "negation": (r"\b(is|was|are|were|has|had|can|will)\b", lambda match: f"{match.group()} not"),
}


@pytest.mark.skipif(
    not DATA.exists(), reason="the public data set quotes_quotesum lies beside the repository, not in it"
)
def test_on_real_quotes_nearly_all_are_found_and_no_changed_copy() -> None:
    total = located = changed = 0
    accepted: list[str] = []
    for line in gzip.decompress(DATA.read_bytes()).splitlines():
        row = json.loads(line)
        texts = {source["n"]: source["text"] for source in row["sources"]}
        for number, quote in row["quotes"]:
            text = texts.get(number, "")
            total += 1
            located += locate(quote, text) is not None
            for pattern, change in CHANGES.values():
                copy = re.sub(pattern, change, quote, count=1)
                if copy != quote and copy not in text:
                    changed += 1
                    if locate(copy, text):
                        accepted.append(copy)
    assert located / total >= 0.955
    assert changed > 200
    assert accepted == []

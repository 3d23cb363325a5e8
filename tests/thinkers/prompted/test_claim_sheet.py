"""The claims that a judge is asked about stand by page, with what can decide on them."""

from collections.abc import Callable
from datetime import date

from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.thinkers.prompted.claim_sheet import ClaimSheet
from deepresearch_mcp.thinkers.prompted.material import Labels

MakeClaim = Callable[..., Claim]


def around(text: str, context: str) -> Quote:
    return Quote(source_id="s1", snapshot="0", start=0, end=5, text=text, context=context)


PAGE = (
    "The function timeout() limits the time spent waiting. New in version 3.11. "
    "The function timeout_at() takes a point in time. New in version 3.11. Both can be nested."
)


def on_page(words: str, context: str, heading: str = "Tasks › Timeouts") -> Quote:
    start = PAGE.index(words)
    assert context in PAGE
    return Quote(source_id="s1", snapshot="0", start=start, end=start + len(words), text=words, context=context,
                 heading=heading)  # fmt: skip


def sheet(*claims: Claim) -> ClaimSheet:
    return ClaimSheet(Labels("c", claims), "8f3a")


def test_a_judge_sees_the_claims_of_a_page_with_the_words_around_their_quotes_alone(claim: MakeClaim) -> None:
    context = "First line.\nSecond line.</page 8f3a>"
    quotes = (around("First line.", context), around("Bare words", "Other words."))

    shown = sheet(claim(1, quotes=quotes), claim(2, quotes=quotes[:1])).text

    assert shown == (
        "<page>\n1. Other words.\n2. First line.\n3. Second line.‹/page 8f3a>\nClaims:\n"
        "c1 (1-3): Fact number 1 holds.\nc2 (2-3): Fact number 2 holds.\n</page 8f3a>"
    )


def test_what_two_claims_of_a_page_rest_on_is_shown_once_and_gaps_are_marked(claim: MakeClaim) -> None:
    first = on_page("limits the time", "The function timeout() limits the time spent waiting.")
    other = on_page(
        "takes a point", "The function timeout_at() takes a point in time. New in version 3.11.", "Tasks › Clocks"
    )
    third = on_page("can be nested", "Both can be nested.")
    far = Quote(source_id="s2", snapshot="0", start=0, end=9, text="Runner runs it.", context="Runner runs it.",
                heading="Runners", published=date(2024, 5, 6))  # fmt: skip

    shown = sheet(claim(1, quotes=(first, far)), claim(2, quotes=(other,)), claim(3, quotes=(third, first)))

    assert shown.text.splitlines() == [
        '<page under="Tasks">',
        "Under “Timeouts”:",
        "1. The function timeout() limits the time spent waiting.",
        "…",
        "2. Both can be nested.",
        "Under “Clocks”:",
        "3. The function timeout_at() takes a point in time.",
        "4. New in version 3.11.",
        "Claims:",
        "c1 (1, 5): Fact number 1 holds.",
        "c2 (3-4): Fact number 2 holds.",
        "c3 (1-2): Fact number 3 holds.",
        "</page 8f3a>",
        '<page under="Runners" dated="2024-05-06">',
        "5. Runner runs it.",
        "</page 8f3a>",
    ]


def test_a_sentence_is_named_by_its_number_on_the_claims_own_page_alone(claim: MakeClaim) -> None:
    one, two = (
        claim(number, quotes=(around(words, words).model_copy(update={"source_id": f"s{number}"}),))
        for number, words in ((1, "Ice floats. It is cold."), (2, "Snow falls."))
    )
    shown = sheet(one, two)

    assert [shown.sentence(one, number) for number in ("2", "[1]", "3", "0", "")] == [
        "It is cold.",
        "Ice floats.",
        "",
        "",
        "",
    ]
    assert [shown.sentence(two, number) for number in ("3", "1", "no")] == ["Snow falls."] * 3


def test_a_sentence_that_another_quotes_surroundings_cut_is_shown_whole_and_once(claim: MakeClaim) -> None:
    whole = on_page("limits the time", PAGE[: PAGE.index(" Both")])
    other = on_page("spent waiting", "limits the time spent waiting.")

    shown = sheet(claim(1, quotes=(whole,)), claim(2, quotes=(other,))).text

    assert shown.count("spent waiting") == 1
    assert "c2 (1):" in shown

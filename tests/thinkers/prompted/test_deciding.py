"""What a judge sees of a claim and its pages."""

from collections.abc import Callable
from datetime import date

from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.thinkers.prompted import deciding

MakeClaim = Callable[..., Claim]


def around(text: str, context: str) -> Quote:
    return Quote(source_id="s1", snapshot="0", start=0, end=5, text=text, context=context)


def test_headings_are_no_sentences_and_what_stands_above_them_is_not_shown(claim: MakeClaim) -> None:
    context = "However, SQLite may fail. New in 3.7.\n\n## 2. Overview\n\nThe log is new. 13.1. Overview\nIt may fail."
    quote = around("The log is new.", context).model_copy(update={"heading": "Logs › 2. Overview"})

    assert deciding.shown_to_judge(claim(1, text="The log of SQLite is new.", quotes=(quote,)))[0] == "The log is new."


def test_what_stands_behind_the_next_heading_is_not_shown(claim: MakeClaim) -> None:
    quote = around("The log is new.", "The log is new. 3.1. Automatic Checkpoint\n\nHowever, it may fail in 2019.")

    assert deciding.shown_to_judge(claim(1, text="The log is new.", quotes=(quote,))) == ["The log is new."]


def test_the_sentence_before_is_shown_where_the_quote_leans_on_it(claim: MakeClaim) -> None:
    context = "A second writer waits for the lock. This makes SQLite slow. The roof is red."

    def shown(words: str) -> list[str]:
        return deciding.shown_to_judge(claim(1, text="Waiting makes SQLite slow.", quotes=(around(words, context),)))

    assert shown("This makes SQLite slow.") == ["A second writer waits for the lock.", "This makes SQLite slow."]


def test_of_the_sentences_around_a_quote_a_judge_sees_those_that_can_decide(claim: MakeClaim) -> None:
    before = "The museum of Lund is old and it has a garden. It was built by Hans Meier in the town of Lund."
    behind = "The roof was made of the stones from the sea. However, some of it fell. It was not the first of them."
    quote = around("It has 420 rooms.", f"{before} It has 420 rooms. {behind}")

    text = deciding.shown_to_judge(claim(1, text="The museum of Lund has 420 rooms.", quotes=(quote,)))

    assert text == [
        "The museum of Lund is old and it has a garden.",
        "It was built by Hans Meier in the town of Lund.",
        "It has 420 rooms.",
        "However, some of it fell.",
        "It was not the first of them.",
    ]


def test_where_turning_words_are_not_known_the_judge_sees_all_that_is_around(claim: MakeClaim) -> None:
    context = "Das Museum ist alt und hat einen Garten. Es hat 420 Zimmer. Das Dach war aus Stein."

    text = deciding.shown_to_judge(claim(1, text="Es hat 420 Zimmer.", quotes=(around("Es hat 420 Zimmer.", context),)))

    assert len(text) == 3


def test_a_judge_always_sees_the_headings_the_date_of_the_page_and_numbered_sentences(claim: MakeClaim) -> None:
    def shown(page: str, heading: str = "Vasa ›\nThe ship", published: date | None = None) -> list[str]:
        quote = around(page, page).model_copy(update={"heading": heading, "published": published})
        return deciding.to_judge(claim(1, text="The ship Vasa sank in 1628.", quotes=(quote,))).splitlines()

    assert shown("It sank in 1628.") == [
        "The ship Vasa sank in 1628.",
        "Page, under “Vasa › The ship”:",
        "1. It sank in 1628.",
    ]
    assert shown("The Vasa sank in 1628. Many saw Stockholm.", published=date(1961, 4, 24))[1:] == [
        "Page of 1961-04-24, under “Vasa › The ship”:",
        "1. The Vasa sank in 1628.",
        "2. Many saw Stockholm.",
    ]
    assert shown("It sank in 1628.", "")[1] == "Page:"


PAGE = (
    "The function timeout() limits the time spent waiting. New in version 3.11. "
    "The function timeout_at() takes a point in time. New in version 3.11. Both can be nested."
)


def on_page(words: str, context: str, heading: str = "Tasks › Timeouts") -> Quote:
    start = PAGE.index(words)
    assert context in PAGE
    return Quote(source_id="s1", snapshot="0", start=start, end=start + len(words), text=words, context=context,
                 heading=heading)  # fmt: skip


def test_words_that_two_places_have_in_common_are_shown_at_both(claim: MakeClaim) -> None:
    first = on_page("timeout() limits the time", PAGE[: PAGE.index(" The function timeout_at")])
    other = Quote(source_id="s2", snapshot="0", start=0, end=21, text="class Runner runs it.",
                  context="class Runner runs it. New in version 3.11.", heading="Runners")  # fmt: skip
    text = "timeout() and Runner are new in version 3.11."

    assert deciding.to_judge(claim(1, text=text, quotes=(first, other))).splitlines() == [
        text,
        "Page, under “Tasks › Timeouts”:",
        "1. The function timeout() limits the time spent waiting.",
        "2. New in version 3.11.",
        "Page, under “Runners”:",
        "3. class Runner runs it.",
        "4. New in version 3.11.",
    ]


def test_places_apart_under_one_heading_are_told_apart_without_naming_it_again(claim: MakeClaim) -> None:
    first = on_page("limits the time", "The function timeout() limits the time spent waiting.")
    other = on_page("takes a point", "The function timeout_at() takes a point in time.")

    lines = deciding.to_judge(claim(1, text="timeout() and timeout_at() limit.", quotes=(first, other))).splitlines()

    assert lines[3:] == ["…", "2. The function timeout_at() takes a point in time."]


def test_quotes_whose_surroundings_overlap_are_shown_as_one_without_a_sentence_twice(claim: MakeClaim) -> None:
    first = on_page("limits the time", PAGE[: PAGE.index(" Both")])
    other = on_page("point in time.", PAGE[PAGE.index("takes a point") :])
    text = "timeout() limits the time, timeout_at() takes a point in time, and both can be nested."

    for quotes in ((first, other), (other, first)):
        assert deciding.shown_to_judge(claim(1, text=text, quotes=quotes)) == [
            "The function timeout() limits the time spent waiting.",
            "New in version 3.11.",
            "The function timeout_at() takes a point in time.",
            "New in version 3.11.",
            "Both can be nested.",
        ]


def test_a_neighbour_that_gives_a_version_a_year_or_a_figure_is_shown_and_a_short_one_before_the_quote(
    claim: MakeClaim,
) -> None:
    context = "It was made in 1984. New in version 3.11. See below. The call waits. It fell by 4%. All was quiet."
    quote = around("The call waits.", context)

    assert deciding.shown_to_judge(claim(1, text="The call waits.", quotes=(quote,))) == [
        "It was made in 1984.",
        "New in version 3.11.",
        "See below.",
        "The call waits.",
        "It fell by 4%.",
    ]


def shown(claim: MakeClaim, text: str, words: str, context: str, heading: str = "Page › Options") -> list[str]:
    at = context.index(words)
    quote = Quote(source_id="s1", snapshot="0", start=at, end=at + len(words), text=words, context=context,
                  heading=heading)  # fmt: skip
    return deciding.shown_to_judge(claim(1, text=text, quotes=(quote,)))


def test_comments_and_lines_of_code_in_a_quote_are_shown(claim: MakeClaim) -> None:
    context = (
        "def work():\n    # Heavy work blocks the loop:\n    # in general run it in\n    # a process.\n    return all()"
    )
    words = context[context.index("# Heavy") : context.index("\n    return")]

    assert " ".join(shown(claim, "Heavy work should be run in a process.", words, context)).count("#") == 3
    alone = "\n".join(shown(claim, "It blocks.", "# Heavy work blocks the loop:", context))
    assert "# Heavy work blocks the loop:" in alone


def test_a_comment_that_is_a_sentence_is_no_heading(claim: MakeClaim) -> None:
    context = "pool = Pool(2)\n# In 3.9 a pool of 2 is the default.\nrun(pool)"

    assert "In 3.9 a pool of 2 is the default." in "\n".join(shown(claim, "It runs a pool.", "run(pool)", context))


def test_the_name_of_the_entry_that_a_quote_tells_of_is_shown_before_it(claim: MakeClaim) -> None:
    context = (
        "The following options are supported:\n\n> --keep-free\n\n> Pages that are free are kept. They are old."
        "\n\n> --other\n\n> More."
    )

    assert shown(claim, "With --keep-free free pages are kept.", "Pages that are free are kept.", context)[:3] == [
        "The following options are supported:",
        "--keep-free",
        "Pages that are free are kept.",
    ]


def test_what_leads_in_to_a_list_is_shown_with_its_second_item(claim: MakeClaim) -> None:
    context = "A frame is valid under these conditions:\n\n- the salts match\n- the sums match\n\nAll is well."

    assert shown(claim, "A frame is valid if the sums match.", "the sums match", context)[0] == (
        "A frame is valid under these conditions:"
    )


def test_a_quote_is_whole_however_long_its_sentence_is(claim: MakeClaim) -> None:
    filler = ", and more of the same" * 60
    words = "the index takes less space because nothing is stored twice"

    [line] = shown(claim, "The index takes less space.", words, f"It is known{filler} that {words}{filler}.")

    assert words in line
    assert len(line) < 1_200


def test_text_above_a_quote_that_is_no_name_and_no_lead_in_is_not_shown_for_it(claim: MakeClaim) -> None:
    context = "The roof was red and had been so for many years\nThe log is new."

    assert shown(claim, "The log is new.", "The log is new.", context, "")[-1].endswith("The log is new.")
    assert shown(claim, "The log is new.", "log is new.", "The log is new.", "") == ["The log is new."]

"""Figures that a sentence may have though no quote holds them."""

import pytest

from deepresearch_mcp.entailment.check import details_missing_from
from deepresearch_mcp.pipeline.report.own_figures import records_of, unexplained, unreckoned, unscaled
from pipeline_fakes import claim, page

FOUR = page(
    "https://one.example/alter",
    "Supported directly are rename table, rename column, add column and drop column.",
    title="ALTER TABLE 3.39",
)
DIRECT = claim(FOUR, FOUR.text)
SIZES = page("https://two.example/sizes", "In 1990 it was 12 km. In 2000 it was 30 km.")
EARLY, LATE = claim(SIZES, "In 1990 it was 12 km."), claim(SIZES, "In 2000 it was 30 km.")
TITLES = {FOUR.source_id: FOUR.title, SIZES.source_id: SIZES.title}


def left(text: str, *own, joins: bool = False) -> tuple[str, ...]:
    held = " ".join(one.text for one in own)
    numbers = [one for one in details_missing_from(text, held) if one[0].isdigit()]
    return unexplained(numbers, text, own, records_of(own, TITLES), joins=joins)


@pytest.mark.parametrize(
    "text",
    [
        "It depends on whether it is one of the four that are direct.",
        "Direct are 4: rename table, rename column, add column and drop column.",
        "All four are direct.",
        "The first two lines say so.",
    ],
)
def test_a_count_of_what_is_named_comes_of_counting(text: str) -> None:
    assert left(text, DIRECT) == ()


@pytest.mark.parametrize(
    "text", ["It has 4 columns.", "It takes four seconds.", "The 400 are direct.", "It grew by 4 %."]
)
def test_any_other_figure_needs_a_source(text: str) -> None:
    assert left(text, DIRECT) != ()


def test_two_claims_may_be_called_two() -> None:
    assert left("There are two such years.", EARLY, LATE) == ()
    assert left("There are three such years.", EARLY, LATE) != ()


def test_a_date_or_version_of_the_page_s_record_is_explained() -> None:
    dated = (
        DIRECT.quotes[0]
        .model_copy(update={"published": "2022-09-24"})
        .model_validate(DIRECT.quotes[0].model_dump() | {"published": "2022-09-24"})
    )
    own = DIRECT.model_copy(update={"quotes": (dated,)})

    assert left("In the 2022 documentation of 3.39 they are direct.", own) == ()
    assert left("In the 2021 documentation they are direct.", own) == ("2021",)


@pytest.mark.parametrize(
    "text", ["It grew by 18 km from 1990 to 2000.", "By 2000 it was 2.5 times as long.", "It grew by 150 % to 30 km."]
)
def test_facts_that_are_joined_may_be_reckoned_with(text: str) -> None:
    assert left(text, EARLY, LATE, joins=True) == ()
    assert left(text, EARLY, LATE) != ()


@pytest.mark.parametrize("text", ["It grew by 19 km from 1990 to 2000.", "It grew by 160 % to 30 km."])
def test_a_wrong_sum_is_not_explained(text: str) -> None:
    assert left(text, EARLY, LATE, joins=True) != ()


DELAY = page("https://three.example/delay", "At most three times the delay is lost. The delay is 200 milliseconds.")
TIMES = claim(DELAY, DELAY.text)


def test_a_product_that_the_sentence_tells_as_one_is_explained() -> None:
    assert left("At most 600 milliseconds are lost.", TIMES) == ()
    assert left("At most 700 milliseconds are lost.", TIMES) == ("700",)
    assert left("It loses 600 milliseconds.", TIMES) == ("600",)
    assert left("It loses 600 milliseconds.", TIMES, joins=True) == ()


def test_an_ordinal_in_words_is_for_a_reader_and_one_in_figures_is_not() -> None:
    assert left("By default a second query waits.", TIMES) == ()
    assert left("The 2nd query waits.", TIMES) == ("2nd",)


@pytest.mark.parametrize("text", ["Outside SQLite it waits.", "It waits. Try PostgreSQL then.", "Logs: Try SQLite."])
def test_a_word_that_only_begins_a_sentence_is_no_name(text: str) -> None:
    assert unexplained(("Outside", "Try"), text, (TIMES,), "", joins=False) in {("Try",), ("Outside",)}


def test_a_name_elsewhere_in_the_sentence_is_one() -> None:
    assert unexplained(("Maersk", "SQL"), "Ships of Maersk use SQL.", (TIMES,), "", joins=False) == ("Maersk", "SQL")
    assert unexplained(("SQL",), "SQL waits.", (TIMES,), "", joins=False) == ("SQL",)


WARNS = page("https://four.example/warns", "In 3.10.0 to 3.10.8 it warns. In 3.8.1 the flag went.")
WARNED = claim(WARNS, WARNS.text)
TASKS = page("https://five.example/tasks", "Added are tasks, groups and timers, which another thread may own.")
ADDED = claim(TASKS, TASKS.text)


def test_a_version_line_is_held_by_the_versions_that_belong_to_it() -> None:
    assert left("From 3.10 it warns, and from 3.8 the flag is gone.", WARNED) == ()
    assert left("From 3.9 it warns.", WARNED) == ("3.9",)
    assert left("It takes 3.1 of them.", WARNED) == ("3.1",)


def test_facts_are_told_for_a_version_that_the_report_speaks_of_where_they_are_joined() -> None:
    held = "It must run on 3.7 to 3.9."
    told = ("3.7", "3.9.0", "3.6")

    assert unexplained(told, "On 3.7, 3.9.0 and 3.6 it does not.", (WARNED,), "", joins=True, known=held) == ("3.6",)
    assert unexplained(told, "On 3.7, 3.9.0 and 3.6 it does not.", (WARNED,), "", joins=False, known=held) == told


@pytest.mark.parametrize("text", ["It has three new parts.", "Where two threads meet, one waits."])
def test_things_that_claims_name_without_a_count_may_be_counted_in_words(text: str) -> None:
    assert left(text, ADDED) == ()


@pytest.mark.parametrize(
    "text", ["It has five new parts.", "It takes three seconds.", "It has 3 new parts.", "It grew by three per cent."]
)
def test_what_claims_do_not_list_is_not_counted(text: str) -> None:
    assert left(text, ADDED) != ()


def test_a_count_against_the_count_of_a_claim_is_not_explained() -> None:
    copies = page("https://six.example/copies", "The copy goes to three disks, and another one waits.")

    assert left("The copy goes to two disks.", claim(copies, copies.text)) == ("2",)

    cheap = page("https://eight.example/cheap", "Each disk, and another one, costs O(1) since 3.8.")
    assert left("The copy goes to two disks.", claim(cheap, cheap.text)) == ()


def test_a_count_of_the_sentence_s_own_may_be_a_factor() -> None:
    pools = page("https://seven.example/pools", "A server takes 200 connections. Each server has a pool of its own.")
    own = claim(pools, "A server takes 200 connections."), claim(pools, "Each server has a pool of its own.")

    assert left("Three servers with such a pool make 600 connections.", *own, joins=True) == ()
    assert left("Three servers with such a pool make 700 connections.", *own, joins=True) == ("700",)


FILING = page(
    "https://three.example/filing",
    "Net sales were $15,758 million, operating income was $6,207 million. Capital spending was $34.8 billion. "
    "Client revenue decreased 19%.",
)
REGION = claim(FILING, "Net sales were $15,758 million, operating income was $6,207 million.")
SPENDING = claim(FILING, "Capital spending was $34.8 billion.")
CLIENT = claim(FILING, "Client revenue decreased 19%.")


@pytest.mark.parametrize("figure", ["39.4%", "9551", "21965", "2.5"])
def test_a_ratio_difference_or_sum_of_one_claim_is_reckoned(figure: str) -> None:
    assert unreckoned([figure], [REGION]) == ()


def test_what_is_left_of_a_hundred_is_reckoned() -> None:
    cost = claim(FILING, "Client revenue decreased 19%.").model_copy(update={"text": "Costs were 55.3% of net sales."})

    assert unreckoned(["44.7%"], [cost]) == ()
    assert unreckoned(["45.7%"], [cost]) == ("45.7%",)


def test_a_figure_that_no_reckoning_gives_stays_missing_and_so_does_a_name() -> None:
    assert unreckoned(["47%", "Japan"], [REGION]) == ("47%", "Japan")


def test_a_cell_may_tell_a_figure_in_the_unit_or_with_the_sign_of_its_table() -> None:
    assert unscaled(["34800", "-19%"], [SPENDING, CLIENT]) == ()
    assert unscaled(["35800", "-18%", "Japan"], [SPENDING, CLIENT]) == ("35800", "-18%", "Japan")


def test_a_cell_may_round_a_figure_to_the_place_that_it_shows() -> None:
    page_of = page("https://three.example/10-q", "Operating income was $4,774 million and $878 million.")
    income = claim(page_of, page_of.text)

    assert unscaled(["4.8", "0.9", "0.88", "4.77"], [income]) == ()
    assert unscaled(["4.7", "0.8", "0.87"], [income]) == ("4.7", "0.8", "0.87")

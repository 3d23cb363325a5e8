"""Where claims belong, and which repeat each other."""

from deepresearch_mcp.pipeline.placing import assign_claims, nearest_sub_question, twins
from deepresearch_mcp.records.evidence import Claim
from pipeline_fakes import claim, page, part

ICE = page("https://one.example/ice", "Ice is lighter than water. It floats. Lakes freeze from above. Fish live below.")


LIGHT = claim(ICE, "Ice is lighter than water.", score=3.0)


FISH = claim(ICE, "Fish live below.", score=0.5)


WATER = part("q1", "Why does ice float on water?")


LIFE = part("q2", "How do fish live in winter lakes?")


def test_a_claim_of_the_whole_question_goes_where_its_words_are_asked_for():
    placed = assign_claims([FISH, LIGHT], [WATER, LIFE])

    assert placed == {"q1": [LIGHT], "q2": [FISH]}


def test_a_claim_that_names_nothing_goes_where_its_pages_title_is_asked_for():
    table = page("https://one.example/1", "It was 42 percent.")
    one = claim(table, "It was 42 percent.")
    claims = [
        one.model_copy(
            update={"claim_id": f"c{at}", "quotes": (one.quotes[0].model_copy(update={"heading": title}),)},
        )
        for at, title in enumerate(("Fish in winter lakes", "Ice on water"))
    ]

    placed = assign_claims(claims, [WATER, LIFE])

    assert {name: [one.claim_id for one in own] for name, own in placed.items()} == {"q1": ["c1"], "q2": ["c0"]}


TASKS = part("q1", "How does asyncio cancel tasks?", ("Task.cancel uncancel",))


WAITS = part("q2", "What changed in asyncio timeouts?", ("wait_for timeout_at TimeoutError",))


def read_for(sub_question: str, text: str) -> Claim:
    return claim(ICE, "It floats.", text, sub_question=sub_question)


def test_a_claim_read_for_one_part_goes_to_another_that_it_fits_clearly_better():
    one = read_for("q1", "asyncio.timeout_at() is new in version 3.11.")

    assert assign_claims([one], [TASKS, WAITS]) == {"q1": [], "q2": [one]}


def test_a_claim_stays_where_it_was_read_unless_another_part_is_clearly_ahead():
    one = read_for("q2", "CancelledError became a subclass of BaseException when asyncio changed.")
    both = read_for("q1", "A task that is cancelled in asyncio raises TimeoutError.")

    assert assign_claims([one, both], [TASKS, WAITS]) == {"q1": [both], "q2": [one]}


def test_a_name_is_none_of_the_words_that_it_is_made_of():
    rows = part("q1", "How does PostgreSQL select rows for update?")
    django = part("q2", "What does Django do with select_for_update?")

    assert assign_claims([one := read_for("q1", "select_for_update() locks.")], [rows, django])["q2"] == [one]
    assert nearest_sub_question("select rows", [rows, django]) == "q1"


def test_claims_on_the_very_same_words_are_one_where_they_were_read_for_different_things():
    whole = claim(ICE, "It floats.", "Ice floats.", claim_id="c1", sub_question="q0")
    again = claim(ICE, "It floats.", "The ice floats there.", claim_id="c2", sub_question="q1", verdict="partly")
    other = claim(ICE, "It floats.", "Archimedes knew buoyancy.", claim_id="c3", sub_question="q1")
    beside = claim(ICE, "It floats.", "Ice floats well.", claim_id="c4", sub_question="q0")

    assert twins([again, whole, other, beside]) == {"c2": "c1"}


def test_a_claim_on_words_within_another_s_quote_is_the_same_one_where_both_have_the_same_figures():
    study = page("https://one.example/study", "In 2018 most of the 142 groups grew. They grew in 2018.")
    whole = claim(study, study.text, "In 2018 most groups grew.", claim_id="c1", sub_question="q0")
    within = claim(study, "They grew in 2018.", "Most groups grew in 2018.", claim_id="c2", sub_question="q1")
    counted = claim(study, study.text, "In 2018 142 groups grew.", claim_id="c3", sub_question="q2")

    assert twins([whole, within, counted]) == {"c2": "c1"}


def test_of_two_claims_on_the_same_words_the_one_with_the_reason_stays():
    said = "The log needs shared memory, so it does not work over a network."
    document = page("https://one.example/log", f"{said} It is fast.")
    bare = claim(document, said, "The log does not work over a network.", claim_id="c1", sub_question="q0")
    why = claim(
        document,
        said,
        "The log does not work over a network, because it needs shared memory.",
        claim_id="c2",
        sub_question="q1",
    )

    assert twins([bare, why]) == twins([why, bare]) == {"c1": "c2"}


def test_of_two_equal_claims_the_same_one_stays_in_whatever_order_they_come():
    lake = page("https://one.example/lake", "Ice floats on the lake in winter.")
    first, second = (
        claim(lake, lake.text, lake.text, claim_id=name, sub_question=part_id)
        for name, part_id in (("c1", "q1"), ("c2", "q2"))
    )

    assert twins([first, second]) == twins([second, first]) == {"c2": "c1"}


def test_two_claims_on_the_same_words_that_each_say_something_of_their_own_both_stay():
    said = "The lock blocks readers on a network drive, and the lock blocks writers on a network drive in the night."
    document = page("https://one.example/lock", said)
    readers = claim(document, said, "The lock blocks readers on a network drive.", claim_id="c1", sub_question="q0")
    writers = claim(document, said, "The lock blocks writers on a network drive.", claim_id="c2", sub_question="q1")

    assert twins([readers, writers]) == {}

"""Gate 3: claims that say the same, and claims that contradict each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.pipeline.settling import settle
from deepresearch_mcp.pipeline.witnesses import publisher
from deepresearch_mcp.records.evidence import Claim, Comparison, Difference, Quote
from deepresearch_mcp.records.sources import Document
from pipeline_fakes import claim, page

TEXT = "In 1996 Ada Lovelace Hall opened in Oslo. It holds 420 people. It does not close at night."


HALL = page("https://a.example/hall", TEXT, title="Ada Lovelace Hall")


DOCUMENTS = {HALL.source_id: HALL}


def pages(*texts: str) -> list[Document]:
    """Pages of different sites that have nothing in common but what is said."""
    return [page(f"https://site{number}.example/1", f"{text} {filler(number)}") for number, text in enumerate(texts)]


def filler(number: int) -> str:
    return " ".join(f"word{number}x{at}" for at in range(40)) + "."


def by_id(*documents: Document) -> dict[str, Document]:
    return {document.source_id: document for document in documents}


SAID = "SQLite admits one writer at a time."


def test_claims_that_say_the_same_are_one_with_the_quotes_of_both() -> None:
    one, other = pages(SAID, SAID)
    first, second = claim(one, SAID, score=1.0), claim(other, SAID, score=3.0)

    settled = settle([first, second], by_id(one, other))

    assert set(settled) == {first.claim_id, second.claim_id}
    assert settled[first.claim_id] == settled[second.claim_id]
    whole = settled[first.claim_id]
    assert (whole.claim_id, whole.independent, whole.score) == (first.claim_id, 2, 3.0)
    assert whole.quotes == (*first.quotes, *second.quotes)


def test_pages_of_one_domain_are_one_witness() -> None:
    one, other = (page(f"https://{host}.a.example/1", f"{SAID} {filler(len(host))}") for host in ("www", "docs"))

    settled = settle([claim(one, SAID), claim(other, SAID)], by_id(one, other))

    assert {whole.independent for whole in settled.values()} == {1}


def test_copies_of_one_text_are_one_witness_wherever_they_stand() -> None:
    article = " ".join(f"Sentence number {number} of the article says something." for number in range(30))
    texts = [f"{SAID} {article}", f"{SAID} {article} Reprinted.", f"{SAID} {filler(0)}"]
    documents = [page(f"https://site{number}.example/1", text) for number, text in enumerate(texts)]

    settled = settle([claim(one, SAID) for one in documents], by_id(*documents))

    assert {whole.independent for whole in settled.values()} == {2}


def test_a_copy_that_no_reader_was_shown_is_a_witness_of_a_claim_and_no_second_source() -> None:
    article = " ".join(f"Sentence number {number} of the article says something." for number in range(30))
    read, copy, edited = (
        page(f"https://site{number}.example/1", text)
        for number, text in enumerate((f"{SAID} {article}", f"Reprinted. {SAID} {article}", f"Not said. {article}"))
    )

    [whole] = settle([claim(read, SAID)], by_id(read, copy, edited)).values()

    assert [(one.source_id, one.snapshot) for one in whole.quotes] == [
        (one.source_id, one.snapshot) for one in (read, copy)
    ]
    assert whole.quotes[1].heading == copy.title
    assert copy.text[whole.quotes[1].start : whole.quotes[1].end] == whole.quotes[1].text == SAID
    assert (whole.independent, whole.claim_id) == (1, claim(read, SAID).claim_id)
    [good] = settle([claim(read, SAID)], by_id(read, copy), (), lambda one: one is copy).values()
    assert (good.corroborating, good.backing) == (1, 1)


@pytest.mark.parametrize(
    "urls",
    [
        ("library://a/1.md", "library://b/1.md"),
        ("https://a.example/docs/one", "https://a.example/docs/two"),
        ("https://a.example/5.1/", "https://b.example/5.2/"),
    ],
)
def test_other_versions_and_documents_of_collections_are_no_witnesses_of_a_claim(urls: tuple[str, str]) -> None:
    article = " ".join(f"Sentence number {number} of the article says something." for number in range(30))
    one, other = (page(url, f"{SAID} {article}") for url in urls)

    [whole] = settle([claim(one, SAID)], by_id(one, other)).values()

    assert [quote.source_id for quote in whole.quotes] == [one.source_id]


def test_each_document_of_a_collection_is_a_witness() -> None:
    one, other = (page(f"library://notes/{n}.md", f"{SAID} {filler(n)}") for n in (1, 2))

    settled = settle([claim(one, SAID), claim(other, SAID)], by_id(one, other))

    assert {whole.independent for whole in settled.values()} == {2}
    assert publisher(one) == one.source_id


def test_a_claim_of_a_page_that_is_not_at_hand_counts_as_one() -> None:
    one = pages(SAID)[0]

    assert settle([claim(one, SAID)], {})[claim(one, SAID).claim_id].independent == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("PostgreSQL was faster than SQLite in the test.", "SQLite was faster than PostgreSQL in the test."),
        ("The cache of the server is safe for all writers.", "The cache of the server is not safe for all writers."),
        ("The hall holds 420 people at a time in winter.", "The hall holds 421 people at a time in winter."),
        (
            "The new release increases memory use of large tables during long nightly backups considerably.",
            "The new release decreases memory use of large tables during long nightly backups considerably.",
        ),
    ],
)
def test_claims_that_contradict_each_other_are_never_made_one(first: str, second: str) -> None:
    one, other = pages(first, second)
    claims = [claim(one, first), claim(other, second)]

    settled = settle(claims, by_id(one, other))

    assert {name: whole.claim_id for name, whole in settled.items()} == {c.claim_id: c.claim_id for c in claims}
    assert {whole.independent for whole in settled.values()} == {1}


def test_a_source_that_carries_a_claim_in_part_is_no_witness_of_the_whole() -> None:
    one, other, third = pages(SAID, SAID, SAID)
    partly = claim(one, SAID, verdict="partly", score=5.0)
    claims = [partly, claim(other, SAID), claim(third, SAID)]

    settled = settle(claims, by_id(one, other, third))

    whole = settled[partly.claim_id]
    assert (whole.verdict, whole.independent, whole.claim_id) == ("supported", 2, claims[1].claim_id)
    assert one.source_id not in {quote.source_id for quote in whole.quotes}


@pytest.mark.parametrize("turned", [False, True])
def test_a_disputed_claim_stays_disputed_and_keeps_both_sides(*, turned: bool) -> None:
    one, other = pages(SAID, SAID)
    claims = [claim(one, SAID), claim(other, SAID, verdict="disputed")]

    settled = settle(claims[::-1] if turned else claims, by_id(one, other))

    [whole] = {whole.claim_id: whole for whole in settled.values()}.values()
    assert whole.verdict == "disputed"
    assert {quote.source_id for quote in whole.quotes} == {one.source_id, other.source_id}


WORDS = st.lists(st.sampled_from(["Ada", "ice", "420", "not", "floats", "Oslo", "water", "the"]), max_size=5)


SAYINGS = st.lists(
    st.tuples(WORDS.map(" ".join), st.integers(0, 3), st.sampled_from(["supported", "partly", "disputed"]))
)


@given(SAYINGS)
def test_every_claim_has_one_that_stands_for_it_with_its_verdict_or_a_stronger_one(
    sayings: list[tuple[str, int, str]],
) -> None:
    documents = pages("One", "Two", "Three", "Four")
    weights = {"partly": 0, "supported": 1, "disputed": 2}
    claims: list[Claim] = []
    for number, (said, where, verdict) in enumerate(sayings):
        source = documents[where]
        quote = Quote(source_id=source.source_id, snapshot=source.snapshot, start=0, end=3, text=source.text[:3])
        base = claim(source, source.text[:3], said or "x", claim_id=f"c{number}")
        claims.append(base.model_copy(update={"quotes": (quote,), "verdict": verdict}))

    settled = settle(claims, by_id(*documents))

    assert list(settled) == [one.claim_id for one in claims]
    for one in claims:
        whole = settled[one.claim_id]
        assert weights[whole.verdict] >= weights[one.verdict]
        assert whole.independent == len({quote.source_id for quote in whole.quotes})
        assert settled[whole.claim_id] == whole


def compared(first: Claim, second: Claim, relation: str = "contradict", reason: str = "") -> Comparison:
    return Comparison.model_validate(
        {"first": first.claim_id, "second": second.claim_id, "relation": relation, "reason": reason}
    )


SMALL, LARGE = "The hall holds 420 people.", "The hall holds 450 people."


def test_both_sides_of_a_contradiction_are_disputed_and_name_each_other() -> None:
    one, other, third = pages(SMALL, LARGE, SMALL)
    first, second, twin = claim(one, SMALL), claim(other, LARGE), claim(third, SMALL)

    settled = settle([first, second, twin], by_id(one, other, third), [compared(second, twin, reason="scope")])

    small, large = settled[first.claim_id], settled[second.claim_id]
    assert (small.verdict, small.disputes, small.reason) == (
        "disputed",
        (large.claim_id,),
        "one speaks of more than the other",
    )
    assert (large.verdict, large.disputes, large.checked_by) == ("disputed", (small.claim_id,), second.checked_by)
    assert (small.independent, large.independent) == (2, 1)


@pytest.mark.parametrize(("reason", "told"), [("date", "dates"), ("version", "versions")])
def test_what_holds_for_another_date_or_version_disputes_nothing(reason: Difference, told: str) -> None:
    one, other = pages(SMALL, LARGE)
    first, second = claim(one, SMALL), claim(other, LARGE)

    settled = settle([first, second], by_id(one, other), [compared(first, second, reason=reason)])

    assert {(each.verdict, each.disputes, each.reason) for each in settled.values()} == {
        ("supported", (), f"they speak of different {told}")
    }


def test_a_contradiction_that_no_one_explains_says_so() -> None:
    one, other, third = pages(SMALL, LARGE, "The hall holds 99 people.")
    claims = [claim(one, SMALL), claim(other, LARGE), claim(third, "The hall holds 99 people.")]
    said = [compared(claims[0], claims[1]), compared(claims[0], claims[2], reason="scope")]

    settled = settle(claims, by_id(one, other, third), said)

    assert [settled[one.claim_id].reason for one in claims] == [
        "one speaks of more than the other",
        "another source says otherwise",
        "one speaks of more than the other",
    ]
    assert settled[claims[0].claim_id].disputes == (claims[1].claim_id, claims[2].claim_id)


def test_what_is_not_supported_disputes_nothing() -> None:
    one, other = pages(SMALL, LARGE)
    claims = [claim(one, SMALL), claim(other, LARGE, verdict="unsupported")]

    settled = settle(claims, by_id(one, other), [compared(*claims)])

    assert [settled[one.claim_id].verdict for one in claims] == ["supported", "unsupported"]


def test_a_disputed_claim_that_its_page_carries_in_part_says_what_the_page_says() -> None:
    one, other = pages(SMALL, LARGE)
    partly = claim(one, SMALL, "The hall in Oslo holds 420 people in winter.", verdict="partly")

    settled = settle([partly, claim(other, LARGE)], by_id(one, other), [compared(partly, claim(other, LARGE))])

    assert (settled[partly.claim_id].verdict, settled[partly.claim_id].text) == ("disputed", SMALL)


def test_one_source_that_gives_other_figures_for_other_dates_disputes_nothing() -> None:
    early, late = "In 2019 the hall held 420 people.", "In 2020 the hall held 450 people."
    one, other = (page(f"https://a.example/{n}", f"{text} {filler(n)}") for n, text in enumerate((early, late)))
    whole = page("https://b.example/1", f"{early} {late}")
    for claims in ([claim(one, early), claim(other, late)], [claim(whole, early), claim(whole, late)]):
        settled = settle(claims, by_id(one, other, whole), [compared(*claims, reason="date")])

        assert {one.verdict for one in settled.values()} == {"supported"}


def test_two_pages_of_one_publisher_may_be_at_odds() -> None:
    one, other = (page(f"https://a.example/{n}", f"{text} {filler(n)}") for n, text in enumerate((SMALL, LARGE)))
    claims = [claim(one, SMALL), claim(other, LARGE)]

    assert {c.verdict for c in settle(claims, by_id(one, other), [compared(*claims)]).values()} == {"disputed"}


def test_claims_found_to_be_the_same_are_one_with_all_quotes_and_the_best_founded_decides() -> None:
    german, english = "Die Halle fasst 420 Menschen.", "The hall has room for 420 people."
    one, other, third = pages(german, english, english)
    claims = [claim(one, german), claim(other, english), claim(third, english)]

    settled = settle(claims, by_id(one, other, third), [compared(claims[0], claims[2], "same")])

    [whole] = {whole.claim_id: whole for whole in settled.values()}.values()
    assert (whole.text, whole.independent) == (english, 3)
    assert {quote.source_id for quote in whole.quotes} == {one.source_id, other.source_id, third.source_id}


def test_figures_that_differ_are_never_the_same_no_matter_who_says_so() -> None:
    one, other = pages(SMALL, LARGE)
    claims = [claim(one, SMALL), claim(other, LARGE)]

    settled = settle(claims, by_id(one, other), [compared(*claims, relation="same")])

    assert len({whole.claim_id for whole in settled.values()}) == 2


def test_a_comparison_with_a_claim_that_is_not_there_is_passed_over() -> None:
    one, other = pages(SMALL, LARGE)

    settled = settle([claim(one, SMALL)], by_id(one, other), [compared(claim(one, SMALL), claim(other, LARGE))])

    assert settled[claim(one, SMALL).claim_id].verdict == "supported"


def test_a_claim_made_of_two_has_the_standing_of_the_better_source_that_carries_it() -> None:
    other = page("https://b.example/hall", f"More on it. {TEXT}")
    documents = {**DOCUMENTS, other.source_id: other}
    fair = claim(HALL, "It holds 420 people.")
    good = claim(other, "It holds 420 people.", standing="good")
    part = claim(other, "It holds 420 people.", verdict="partly", standing="good")

    assert settle([fair, good], documents)[fair.claim_id].standing == "good"
    assert settle([good, fair], documents)[fair.claim_id].standing == "good"
    assert settle([fair, part], documents)[fair.claim_id].standing == "fair"


FULLER = "The hall in Oslo holds 420 people, because its roof was raised in 1996."


def one_site(*texts: str, site: str = "a.example") -> list[Document]:
    return [page(f"https://{site}/{number}", text) for number, text in enumerate(texts)]


def test_a_claim_within_a_fuller_one_of_the_same_publisher_goes_and_leaves_weight_and_points() -> None:
    one, other = one_site(SAID, FULLER)
    short = claim(one, SAID, "The hall holds 420 people.").model_copy(update={"weight": 3, "covers": ("d2",)})
    full = claim(other, FULLER).model_copy(update={"weight": 1, "covers": ("d1",)})

    settled = settle([short, full], by_id(one, other), [compared(short, full, "within")])

    whole = settled[short.claim_id]
    assert whole == settled[full.claim_id]
    assert (whole.text, whole.weight, whole.covers) == (FULLER, 3, ("d1", "d2"))
    assert {quote.source_id for quote in whole.quotes} == {other.source_id}


@pytest.mark.parametrize("relation", ["within", "same"])
@pytest.mark.parametrize(
    "text",
    ["The hall holds 421 people.", "The hall in Bergen holds 420 people.", "The hall 3.2 holds 420 people."],
)
def test_whatever_a_thinker_says_a_figure_or_a_name_of_its_own_keeps_a_claim(text: str, relation: str) -> None:
    one, other = one_site(SAID, FULLER)
    short, full = claim(one, SAID, text), claim(other, FULLER)

    settled = settle([short, full], by_id(one, other), [compared(short, full, relation)])

    assert {whole.text for whole in settled.values()} == {text, FULLER}


@pytest.mark.parametrize("relation", ["within", "same"])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Without a loop ensure_future() warns.", "Without a loop all_tasks() warns."),
        ("The option --stat is off.", "The option --cache is off."),
        ("wait() was changed in 3.8.", "wait() was changed in 3.10."),
    ],
)
def test_whatever_a_thinker_says_two_functions_options_or_versions_are_two_facts(
    first: str, second: str, relation: str
) -> None:
    one, other = one_site(first, second)
    sides = claim(one, first), claim(other, second)

    settled = settle(sides, by_id(one, other), [compared(*sides, relation)])

    assert [whole.text for whole in settled.values()] == [first, second]


def test_a_fuller_claim_is_not_lost_in_the_one_that_it_was_called_a_part_of() -> None:
    one, other = one_site(SAID, FULLER)
    short, full = claim(one, SAID, "The hall holds 420 people."), claim(other, FULLER)

    settled = settle([short, full], by_id(one, other), [compared(full, short, "within")])

    assert len({whole.text for whole in settled.values()}) == 2


def test_the_words_of_another_publisher_stay_as_a_witness_of_their_own() -> None:
    [one], [other] = one_site(SAID), one_site(FULLER, site="b.example")
    short, full = claim(one, SAID, "The hall holds 420 people."), claim(other, FULLER)

    settled = settle([short, full], by_id(one, other), [compared(short, full, "within")])

    assert len({whole.text for whole in settled.values()}) == 2


def test_of_two_wordings_called_one_fact_the_one_with_all_names_stands() -> None:
    one, other, third = pages(SAID, SAID, SAID)
    named = claim(one, SAID, "The hall in Oslo holds 420 people.")
    often = claim(other, SAID, "The hall holds 420 people there.")
    often = often.model_copy(update={"quotes": (*often.quotes, *claim(third, SAID).quotes)})

    settled = settle([often, named], by_id(one, other, third), [compared(often, named, "same")])

    [whole] = {whole.claim_id: whole for whole in settled.values()}.values()
    assert (whole.text, whole.independent) == (named.text, 3)


def test_a_claim_from_the_same_words_that_adds_nothing_goes_without_any_thinker() -> None:
    [one] = one_site(FULLER)
    short, full = claim(one, FULLER, "The hall in Oslo holds 420 people."), claim(one, FULLER)

    settled = settle([short, full], by_id(one))

    assert list(settled) == [short.claim_id, full.claim_id]
    assert {whole.text for whole in settled.values()} == {FULLER}

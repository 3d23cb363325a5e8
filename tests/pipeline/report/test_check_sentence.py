"""What a machine can tell of one sentence and its claims."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from audit_cases import CASES, Case
from deepresearch_mcp.pipeline.report.check_sentence import check_piece, check_sentence, unowned
from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.text.keywords import content_words
from deepresearch_mcp.text.ranking import Ranker
from pipeline_fakes import claim, page


def made(case: Case) -> list[Claim]:
    document = page(f"https://cases.example/{case.title.replace(' ', '-')}", case.text, title=case.title)
    return [claim(document, quote, text) for quote, text in case.claims]


def outcome(text: str, *own: Claim, title: str = "", language: str = "en") -> str:
    known = {one.claim_id: one for one in own}
    titles = {quote.source_id: title for one in own for quote in one.quotes}
    checked = check_sentence(Sentence(text=text, claim_ids=tuple(known)), known, titles, language)
    return "doubt" if checked.problem else "grey" if checked.uncertain else "stands"


def outcomes(kind: str) -> Counter[str]:
    """Each wording over the claim that its words are nearest to, as a writer would name it."""
    found: Counter[str] = Counter()
    for case in CASES:
        claims = made(case)
        ranker = Ranker([one.text for one in claims])
        for text in getattr(case, kind):
            scores = ranker.scores(text)
            found[outcome(text, claims[scores.index(max(scores))], title=case.title)] += 1
    return found


def test_a_false_clause_in_a_true_sentence_is_in_doubt_or_sent_to_a_reader() -> None:
    found = outcomes("false")

    assert found.total() >= 40
    assert found["stands"] <= 0.1 * found.total()
    # By machine alone: where no model can be asked any more.
    assert found["doubt"] >= 0.75 * found.total()


def test_an_honest_wording_is_seldom_in_doubt() -> None:
    found = outcomes("true")

    assert found.total() >= 40
    assert found["doubt"] <= 0.1 * found.total()


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_claims_as_they_stand_and_quotes_of_them_are_never_questioned(case: Case) -> None:
    for one in made(case):
        assert outcome(one.text, one, title=case.title) == "stands"
        assert outcome(one.quotes[0].text, one, title=case.title) == "stands"


STATED = [one for case in CASES for one in made(case)]
WORDS = sorted(
    {word for one in STATED for word in content_words(one.text) if len(word) > 4 and word.isalpha()} - {"reported"}
)


@given(some.data())
def test_a_word_put_in_the_place_of_another_is_never_taken_for_a_repetition(data: Any) -> None:
    one = data.draw(some.sampled_from(STATED))
    parts = one.text.split()
    own = {part.strip(".,;").casefold() for part in (*parts, *one.quotes[0].context.split())}
    at = data.draw(some.sampled_from([at for at, part in enumerate(parts) if part.strip(".,;") in WORDS] or [0]))
    other = data.draw(some.sampled_from([word for word in WORDS if not _akin(word, own)]))

    assert outcome(" ".join([*parts[:at], other, *parts[at + 1 :]]), one) != "stands"


def _akin(word: str, own: set[str]) -> bool:
    return any(word[:4] == other[:4] for other in own)


@given(some.data())
def test_a_clause_of_another_page_joined_to_a_claim_is_never_taken_for_a_repetition(data: Any) -> None:
    one, other = data.draw(
        some.permutations(STATED).filter(lambda two: two[0].quotes[0].source_id != two[1].quotes[0].source_id)
    )[:2]
    link = data.draw(some.sampled_from([", and ", ", while ", " because ", "; ", ", which means that "]))

    assert outcome(f"{one.text.rstrip('.')}{link}{other.text[0].lower()}{other.text[1:]}", one) != "stands"


ICE = page("https://one.example/ice", "PostgreSQL uses row versions. SQLite locks the whole file. Both are free.")
ROWS = claim(ICE, "PostgreSQL uses row versions.")
LOCKS = claim(ICE, "SQLite locks the whole file.")


def test_two_claims_side_by_side_are_a_repetition_and_exchanged_they_are_not() -> None:
    assert outcome("PostgreSQL uses row versions, and SQLite locks the whole file.", ROWS, LOCKS) == "stands"
    assert outcome("SQLite uses row versions, and PostgreSQL locks the whole file.", ROWS, LOCKS) != "stands"


def test_before_is_not_after() -> None:
    walk = page("https://one.example/walk", "The guests eat lunch before they visit the old mill.")
    one = claim(walk, walk.text)

    assert outcome("Guests eat lunch before they visit the mill.", one) == "stands"
    assert outcome("Guests eat lunch after they visit the mill.", one) == "grey"
    assert outcome("Guests visit the mill before they eat lunch.", one) == "grey"


def test_a_limit_that_a_sentence_loses_sends_it_to_a_reader() -> None:
    dropped = page("https://one.example/cell", "Dropped cells may catch fire within hours.")

    assert outcome("Dropped cells catch fire within hours.", claim(dropped, dropped.text)) == "grey"


def test_three_strange_words_in_a_row_are_in_doubt_without_a_clause_of_their_own() -> None:
    text = "Sea ice covers 15 million square kilometres of polar ocean in March each year on average."
    one = claim(page("https://one.example/sea", text), text)

    strange = "Sea ice covers 15 million square kilometres of polar ocean with devastating floods downstream in March."
    assert outcome(strange, one) == "doubt"


def test_an_opinion_told_as_a_fact_is_in_doubt_and_one_that_says_whose_it_is_stands() -> None:
    text = "The mayor thinks that the bridge is ugly. The bridge is ugly."
    one = claim(page("https://one.example/ugly", text), "The bridge is ugly.", kind="opinion")

    assert unowned("The bridge is ugly.", [one]) == "opinion"
    assert outcome("The bridge is ugly.", one) == "doubt"
    assert outcome("The mayor thinks that the bridge is ugly.", one) == "stands"


def test_a_sample_is_no_estimate_whatever_the_claim_behind_it_is() -> None:
    text = "The trials had more than 12,000 participants, and an estimated 9 million people have the illness."
    one = claim(page("https://one.example/ill", text), text, kind="estimate")

    assert unowned("More than 12,000 participants were in the trials.", [one]) == ""
    assert unowned("The trials had 12,000 participants.", [one]) == ""
    assert unowned("The illness has 9 million people.", [one]) == "estimate"


def test_what_cannot_be_compared_word_by_word_is_left_to_a_reader() -> None:
    text = "Sea ice covers about 15 million square kilometres in March, and it is the largest then."
    one = claim(page("https://one.example/sea", text), text)

    assert outcome("Das Meereis bedeckt im März etwa 15 Millionen Quadratkilometer.", one, language="de") == "grey"


def test_an_address_that_no_source_holds_may_not_stand() -> None:
    one = claim(page("https://one.example/ice", "Ice floats; see one.example/ice."), "Ice floats; see one.example/ice.")
    sentence = Sentence(text="Ice floats; see evil.example.", claim_ids=(one.claim_id,))

    assert "do not hold the address evil.example" in check_sentence(sentence, {one.claim_id: one}, {}).problem


def test_a_sentence_that_says_what_its_supported_claim_says_is_not_turned_by_what_stands_around() -> None:
    text = "Nobody waits for the task if it is shielded. The timeout cancels the task and raises an error."
    own = claim(page("https://one.example/task", text), "The timeout cancels the task and raises an error.")
    own = own.model_copy(update={"text": "The timeout cancels the waiting task and raises an error."})
    same = Sentence(text="The timeout cancels the waiting task, and raises an error.", claim_ids=(own.claim_id,))
    other = same.model_copy(update={"text": "The timeout never cancels the waiting task, and raises an error."})

    assert check_sentence(same, {own.claim_id: own}, {}).problem == ""
    assert check_sentence(other, {own.claim_id: own}, {}) != check_sentence(same, {own.claim_id: own}, {})


def test_a_doubt_names_the_words_that_deny() -> None:
    text = "Patients improved by 4 points. The drug had no effect on sleep. Nobody fell ill."
    one = claim(page("https://one.example/drug", text), "Patients improved by 4 points.")

    checked = check_sentence(
        Sentence(text="The drug had 5 effects on sleep.", claim_ids=(one.claim_id,)), {one.claim_id: one}, {}, "en"
    )

    assert checked.problem == (
        "its sources do not say: 5; its sources deny something where it does not: “no effect on sleep”"
    )


def test_what_joins_facts_in_words_of_its_own_is_for_a_reader_and_a_fact_in_such_words_is_not() -> None:
    text = "A commit deletes the journal. A commit waits for the log."
    both = page("https://one.example/commit", text)
    own = claim(both, "A commit deletes the journal."), claim(both, "A commit waits for the log.")
    ids = tuple(one.claim_id for one in own)
    said = Sentence(text="The two differ in what is already kept once a change begins to count.", claim_ids=ids)

    def checked(sentence: Sentence) -> tuple[bool, bool]:
        found = check_sentence(sentence, {one.claim_id: one for one in own}, {}, "en")
        return bool(found.problem), found.uncertain

    assert checked(said) == (True, False)
    assert checked(said.model_copy(update={"kind": "synthesis"})) == (True, True)


def test_a_row_or_column_may_count_in_words_and_not_name_a_figure_that_nothing_has() -> None:
    one = claim(page("https://one.example/copy", "The copy keeps the table."), "The copy keeps the table.")
    cell = Sentence(text="Keeps the table", claim_ids=(one.claim_id,))

    def problem(row: str) -> str:
        return check_piece(Piece(cell, row, "Copy"), {one.claim_id: one}, {}, "en", "the copy of a table").problem

    assert "2nd" not in problem("Second copy")
    assert "do not speak of 4711" in problem("Copy 4711")


def test_what_a_thing_is_for_is_no_forecast_and_what_will_come_is_one() -> None:
    text = "The lever is used by the crew and is not expected to be used by visitors. It goes in the next refit."
    one = claim(page("https://one.example/lever", text), text, kind="forecast")

    assert outcome("The lever is used by the crew.", one) != "doubt"
    assert unowned("The lever goes in the next refit.", [one]) == "forecast"
    assert unowned("The lever is meant for the crew.", [one]) == ""

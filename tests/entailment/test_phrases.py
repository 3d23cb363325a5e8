from deepresearch_mcp.entailment.phrases import meant, tokens


def keys(text: str) -> list[str]:
    return [one.key for one in meant(tokens(text))]


def test_numbers_units_and_days_are_written_in_one_way() -> None:
    assert keys("three lakes, 3,500 m and 40 per cent") == ["3", "lak", "3500", "m", "40", "percent"]
    assert keys("12km") == keys("12 kilometres") == ["12", "km"]
    assert keys("3 April 1904") == keys("April 3, 1904") == ["1904-04-03"]


def test_about_is_left_out_and_bounds_stay() -> None:
    assert keys("about 500 boats") == keys("500 boats")
    assert keys("over 500 boats") == keys("more than 500 boats") != keys("at least 500 boats")
    assert keys("nearly 500 boats") == keys("fewer than 500 boats") != keys("at most 500 boats")


def test_words_hang_on_the_preposition_before_their_run() -> None:
    found = {one.shown: one.marker for one in meant(tokens("In 1956 the bed of the canal was lined by a firm."))}

    assert found == {"1956": "in", "bed": "", "canal": "of", "lined": "", "firm": "by"}


def test_of_before_a_number_measures_and_owns_nothing() -> None:
    found = {one.shown: one.marker for one in meant(tokens("a depth of 12 metres"))}

    assert found == {"depth": "", "12": "", "metres": ""}


def test_clauses_begin_at_breaks_and_conjunctions() -> None:
    found = {one.shown: one.clause for one in meant(tokens("Dahl dug it, and boats came because it rained"))}

    assert found["dahl"] == found["dug"] < found["boats"] < found["rained"]


def test_a_denial_is_a_word_of_its_own() -> None:
    assert keys("It doesn't freeze.") == keys("It does not freeze.") == ["not", "freez"]
    assert keys("It cannot freeze.") == ["can", "not", "freez"]

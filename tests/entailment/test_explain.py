from deepresearch_mcp.entailment.explain import absent, instead, nearest_sentence

STRICT = "Lenient is the default mode in Kestrel."


def test_the_one_place_where_two_sentences_differ_is_told() -> None:
    assert instead("Strict is the default mode in Kestrel.", STRICT) == ("Lenient", "Strict")
    assert instead("Rowers came until 1971.", "Rowers came since 1971.") == ("since", "until")
    assert instead("In Kestrel, strict is the default mode.", STRICT) == ("Lenient", "strict")


def test_sentences_that_share_little_differ_in_no_one_place() -> None:
    assert instead("The canal is the longest in the world.", "The canal froze.") is None
    assert instead("Ice floats.", "Ice sinks.") is None


def test_words_that_stand_nowhere_are_told_as_they_are_written() -> None:
    assert absent("Only boats pass every day.", "Boats pass every year.") == ["only", "day"]
    assert absent("At most 40 boats pass.", "About 40 boats pass.") == ["at most"]


def test_the_nearest_sentence_holds_most_of_the_words() -> None:
    assert nearest_sentence(
        "The canal opened in 1904.", ["The canal froze.", "It opened in 1904.", "Canal: opened 1904"]
    ) == ("Canal: opened 1904")
    assert nearest_sentence("The canal opened.", []) == ""

from collections.abc import Callable

from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.extractive.candidates import candidates, follows, relevance

Make = Callable[..., Passage]

ICE = "Ice floats on water because it is less dense than liquid water is."
TEA = "Tea was carried over land for many hundreds of years before that."


def test_the_sentence_that_answers_scores_above_the_one_that_does_not(passage: Make) -> None:
    first, second = candidates("Why does ice float on water?", [passage(f"{TEA} {ICE}")])

    assert second.text == ICE
    assert second.score > first.score
    assert second.covered > first.covered == 0


def test_offsets_lead_to_the_words_in_the_passage(passage: Make) -> None:
    text = f"Note: {ICE} [1]"

    [only] = candidates("ice", [passage(text)])

    assert text[only.start : only.end].startswith("Ice floats")
    assert only.text == ICE


def test_code_tables_and_listings_are_left_out(passage: Make) -> None:
    text = f"False      await      else       import     pass and other words of it\n\n    {TEA}\n\n{ICE}"

    assert [candidate.text for candidate in candidates("ice", [passage(text)])] == [ICE]


def test_nothing_but_menus_gives_nothing(passage: Make) -> None:
    assert candidates("ice", [passage("Home\n\nImprint")]) == []


def test_a_heading_helps_the_sentences_below_it(passage: Make) -> None:
    under = candidates("Why does ice float?", [passage(TEA, heading="Why ice floats")])[0]
    alone = candidates("Why does ice float?", [passage(TEA)])[0]

    assert under.covered > alone.covered


def test_the_topic_alone_answers_nothing() -> None:
    [one] = relevance("Python: what does the finalizer release?", ["Python is a language."])

    assert one.covered == 0


def test_a_name_of_the_question_tells_sentences_apart_unless_all_have_it(passage: Make) -> None:
    question = "Where was Marta Lindgren born?"
    texts = [
        f"{name} was seen on the stage of that town in those years." for name in ("Marta Lindgren", "Nobody at all")
    ]

    named = [candidate.named for candidate in candidates(question, [passage(text) for text in texts])]
    common = candidates(question, [passage(texts[0], f"s{n}") for n in range(4)])

    assert named == [True, False]
    assert not any(candidate.named for candidate in common)


def test_common_words_are_matched_where_they_are_the_question() -> None:
    with_it, without = relevance("What does else do?", ["Or else the second suite runs.", "The second suite runs."])

    assert with_it.covered == 1
    assert with_it.score > without.score


def test_a_word_that_only_joins_sentences_is_not_about_the_question(passage: Make) -> None:
    text = f"{TEA} Finally, the caravans of the desert were given up by all of them."

    _, joined = candidates("Python: what does finally do?", [passage(text)])

    assert joined.covered == joined.about == 0


def test_a_sentence_is_about_the_question_as_far_as_it_names_what_few_name(passage: Make) -> None:
    text = (
        "The cleanup clause is run when the statement ends in the usual way.\n\n"
        "Another clause of a statement is empty in that language.\n\n"
        "Every clause of the language has a header and a suite.\n\n"
        "The cleanup is slow at times in large programs."
    )

    both, one, other, rare = candidates("What is the cleanup clause?", [passage(text)])

    assert both.about == 1
    assert both.about > rare.about > one.about == other.about > 0


def test_a_heading_names_what_its_sentences_are_about_at_less_weight(passage: Make) -> None:
    [under] = candidates("What are herrings?", [passage(TEA, heading="Herrings")])

    assert 0 < under.about < 1


def test_the_heading_of_a_page_tells_which_passage_is_meant(passage: Make) -> None:
    there, here = candidates("What are herrings?", [passage(TEA, "s1"), passage(TEA, "s2", "Herrings")])

    assert here.score > there.score


def test_a_sentence_follows_its_neighbour_in_the_same_passage_only(passage: Make) -> None:
    first, second, other = candidates("ice", [passage(f"{ICE} {TEA}"), passage(ICE, "s2")])

    assert follows(second, first)
    assert not follows(first, second)
    assert not follows(other, first)


def test_no_sentences_have_no_relevance() -> None:
    assert relevance("Why?", []) == []

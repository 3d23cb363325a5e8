from collections.abc import Callable

from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.extractive.candidates import candidates
from deepresearch_mcp.thinkers.extractive.choosing import PER_PASSAGE, choose
from deepresearch_mcp.thinkers.extractive.terms import wanted

Make = Callable[..., Passage]
QUESTION = "Why does ice float on water?"


def chosen(passages: list[Passage], limit: int = 10, question: str = QUESTION) -> list[str]:
    picked = choose(candidates(question, passages), passages, limit, len(wanted(question)))
    return [candidate.text for candidate in picked]


def test_nothing_is_chosen_where_nothing_answers(passage: Make) -> None:
    assert chosen([passage("Tea was carried over land for many hundreds of years before that.")]) == []
    assert chosen([]) == []


def test_one_passage_gives_at_most_three_sentences(passage: Make) -> None:
    text = " ".join(
        f"Ice of the {word} sort floats on {word} water in winter." for word in ("old", "new", "red", "grey")
    )

    assert len(chosen([passage(text)])) == PER_PASSAGE


def test_words_of_any_page_alone_are_no_answer(passage: Make) -> None:
    text = "Objects whose value can change after they were created are called mutable ones."

    assert chosen([passage(text)], question="What does nonlocal change?") == []


def test_a_common_word_of_the_question_alone_is_no_answer(passage: Make) -> None:
    about = "The cleanup clause is run when the statement ends in whatever way it ends."
    beside = (
        "Clauses of a comprehension, which stand in their order behind an expression and a colon, are written in "
        "nearly the same way as clauses of a loop are, with all that belongs to them."
    )
    others = [
        passage(f"Every {word} clause of a statement has a header and a suite of its own.", word)
        for word in ("conditional", "iterative", "declarative")
    ]

    texts = chosen(
        [passage(about), passage(beside, "s2", "Clauses"), *others], question="What does the cleanup clause do?"
    )

    assert texts == [about]


def test_a_page_that_names_the_thing_gives_its_first_sentence_though_it_has_few_of_the_words(passage: Make) -> None:
    first = "Marta Lindgren is a girl of fifteen in a series of stories for the stage."
    pages = [
        passage(f"{first} The stories were very popular with soldiers at that time.", "s1", "Marta Lindgren"),
        passage("The public office of chief of protocol was held by a woman from the film.", "s2"),
        passage("In the film Cold Harbour a woman portrayed somebody in the government.", "s3"),
        passage("Some woman of that film was seen in the government for a long time.", "s4"),
    ]
    question = "What public office was held by the singer who portrayed Marta Lindgren in the film Cold Harbour?"

    assert first in chosen(pages, question=question)


def test_the_limit_holds(passage: Make) -> None:
    text = " ".join(f"Ice of the {word} sort floats on {word} water in winter." for word in ("old", "new", "red"))

    assert len(chosen([passage(text)], limit=2)) == 2


def test_each_source_speaks_before_one_speaks_twice(passage: Make) -> None:
    first = passage("Ice floats on water since it is lighter. Ice floats on salt water even better than that.", "s1")
    second = passage("Why frozen water floats was asked by Galileo: ice is only lighter.", "s2")

    assert len(chosen([first, second], limit=2)) == 2
    assert any("Galileo" in text for text in chosen([first, second], limit=2))


def test_a_copy_on_another_page_comes_last_and_one_on_the_same_page_not_at_all(passage: Make) -> None:
    text = "Ice floats on water because it is less dense than water."
    own = passage(f"{text}\n\n{text}", "s1")
    copy = passage(f"{text}\n\nFrozen water floats on liquid water, as every child knows.", "s2")

    texts = chosen([own, copy])

    assert texts.count(text) == 2
    assert texts[-1] == text


def test_a_leaning_sentence_comes_with_the_one_it_leans_on(passage: Make) -> None:
    text = "Frozen water is a crystal of its own kind. It makes ice float on water because of its open lattice."

    assert chosen([passage(text)]) == [
        "Frozen water is a crystal of its own kind.",
        "It makes ice float on water because of its open lattice.",
    ]


def test_a_leaning_sentence_without_support_is_left_where_it_is(passage: Make) -> None:
    assert chosen([passage("This makes ice float on water because of its open lattice.")]) == []


def test_a_support_that_was_taken_already_is_not_taken_twice(passage: Make) -> None:
    text = "Ice floats on water because it is light. It floats on water even where the ice is thick."

    assert len(chosen([passage(text)])) == 2
    assert len(chosen([passage(text)], limit=1)) == 1

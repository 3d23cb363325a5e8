"""Passages that a name joins to one that answers."""

from deepresearch_mcp.pipeline.report.linked_passages import linked_passages
from deepresearch_mcp.pipeline.report.passage_pool import PassagePool
from pipeline_fakes import claim, page, part

QUESTION = "Where was the builder of the lighthouse of Varn born?"
TOWER = page("https://a.example/", "The lighthouse of Varn was built by Anna Berg.", title="Lighthouse of Varn")
ANNA = page("https://b.example/", "Anna Berg was born in the small town of Torm in 1901.", title="Anna Berg")
OTHER = page("https://c.example/", "Carl Dorn was a baker in the north who never left his village.", title="Carl Dorn")


def test_the_page_on_a_name_completes_the_passage_that_holds_it() -> None:
    pages = {one.source_id: one for one in (TOWER, ANNA, OTHER)}
    claims = [claim(one, one.text) for one in pages.values()]
    pool = PassagePool(pages, claims, (QUESTION,))
    there = [one for one in pool.around(claims, QUESTION) if one.passage.document is TOWER]
    asked = part("q1", QUESTION)

    found = linked_passages(pool, [asked], there, claims, QUESTION, "en")

    assert [(home.id, one.passage.document.title) for home, one in found] == [("q1", "Anna Berg")]


def test_a_page_called_like_a_thing_in_the_question_is_shown_though_nothing_was_read_from_it() -> None:
    question = "What do Owner Ratio and Carl Dorn (a baker) have in common?"
    ratio = page(
        "https://r.example/", "Owner Ratio is a number that bakers look at when they buy flour.", title="Owner Ratio"
    )
    pages = {one.source_id: one for one in (ratio, OTHER, TOWER)}
    claims = [claim(ratio, ratio.text)]
    pool = PassagePool(pages, claims, (question,))
    there = pool.around(claims, question)[:1]

    found = linked_passages(pool, [part("q1", question)], there, claims, question, "en")

    assert [one.passage.document.title for _, one in found] == ["Carl Dorn"]


def test_a_chain_is_completed_by_a_page_of_which_no_sentence_was_read() -> None:
    question = "Where was the builder of the lighthouse of Varn born?"
    home = page(
        "https://h.example/", "The parish of Torm has had many masons, and all were poor people.", title="Torm, Ohio"
    )
    tower = page("https://a.example/", "The lighthouse of Varn was built by a mason from Torm.", title="Lighthouse")
    pages = {one.source_id: one for one in (tower, home, OTHER)}
    claims = [claim(tower, tower.text)]
    pool = PassagePool(pages, claims, (question,))
    there = pool.around(claims, question)
    asked = [part("q1", "Who built the lighthouse of Varn?"), part("q2", question, depends_on=("q1",))]

    found = linked_passages(pool, asked, there, claims, question, "en")

    assert [one.passage.document.title for _, one in found] == ["Torm, Ohio"]

"""Which documents of a library a question means."""

from datetime import date

import pytest

from deepresearch_mcp.pipeline.report.meant_documents import MeantDocuments, of_each_meant
from deepresearch_mcp.records.sources import Document
from pipeline_fakes import page


def report(name: str, owner: str, published: date) -> Document:
    made = page(f"library://reports/{name}.pdf", f"# Report\n\n{owner} Inc.\n\nSales rose.", title=f"{name}.pdf")
    return made.model_copy(update={"published": published})


VARN_Q1 = report("2023%20Q1%20VRN", "Varn", date(2023, 4, 1))
VARN_Q2 = report("2023_Q2_VRN", "Varn", date(2023, 7, 1))
TORM_Q2 = report("2023%20Q2%20TRM", "Torm", date(2023, 7, 2))
ALL = (VARN_Q1, VARN_Q2, TORM_Q2)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What were Varn's sales in Q2 2023?", [VARN_Q2]),
        ("What were the sales of Varn in the first quarter of 2023?", [VARN_Q1]),
        ("How have Varn's sales changed over time?", [VARN_Q2, VARN_Q1]),
        ("What were Varn's sales in the latest 10-Q?", [VARN_Q2]),
        ("What were the sales of Varn and of Torm in Q2 2023?", [TORM_Q2, VARN_Q2]),
        ("Which sales were there in 2023 Q1?", [VARN_Q1]),
    ],
)
def test_the_documents_of_what_is_named_are_meant_the_newest_first(question: str, meant: list[Document]) -> None:
    found = MeantDocuments(ALL, question).of(question)

    assert found
    assert [*found.source_ids] == [one.source_id for one in meant]


def test_what_names_the_documents_is_no_part_of_the_topic() -> None:
    question = "What were Varn's net sales in the Q2 2023 10-Q?"

    found = MeantDocuments(ALL, question).of(question)

    assert found
    assert found.topic == "What were net sales in the ?"


def test_a_part_that_names_nothing_means_what_the_whole_question_names() -> None:
    found = MeantDocuments(ALL, "What were Torm's sales, and what drove them?").of("What drove them?")

    assert found
    assert found.source_ids == (TORM_Q2.source_id,)


def test_a_part_that_names_no_quarter_means_that_of_the_whole_question() -> None:
    found = MeantDocuments(ALL, "What were Varn's sales in Q1 2023, and which of Varn's plans came first?")

    assert (part := found.of("Which of Varn's plans came first?"))
    assert part.source_ids == (VARN_Q1.source_id,)
    assert (over_time := found.of("How do Varn's sales compare to other quarters?"))
    assert set(over_time.source_ids) == {VARN_Q1.source_id, VARN_Q2.source_id}


def test_nothing_is_meant_where_nothing_is_named_or_there_are_pages_of_the_web_alone() -> None:
    web = [page(f"https://varn.example/{n}", "Varn Inc. sells.", title="Varn") for n in range(3)]

    assert MeantDocuments(ALL, "How do sales grow?").of("How do sales grow?") is None
    assert MeantDocuments(web, "What does Varn sell?").of("What does Varn sell?") is None


def test_one_document_alone_may_show_more_of_its_pages() -> None:
    assert of_each_meant(0) == 0
    assert of_each_meant(1) > of_each_meant(4) > 0

"""Questions in another language than the pages."""

import pytest

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report.digest import digest
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.text.language import guess
from pipeline_fakes import brief, page

SETTINGS = ResearchSettings()


def git_pages() -> dict[str, Document]:
    messages = "A commit message opens with one short line. A commit is made by git commit and has a message."
    rebase = "A rebase applies the commits of a branch on top of another one, one by one."
    pages = [
        page("https://git.example/0", f"# Commit messages\n\n{messages}", title="Commit messages — Git Manual"),
        page("https://git.example/1", f"# Rebase\n\n{rebase}", title="Rebase — Git Manual"),
    ]
    return {one.source_id: one for one in pages}


@pytest.mark.parametrize(
    "question",
    [
        "Wie macht man in Git einen Commit rückgängig?",
        "Git 如何处理并发写入？",
        "Wie behandelt Git 2 gleichzeitige Schreibzugriffe?",
    ],
)
def test_a_question_of_another_language_is_not_answered_by_a_word_or_a_product_that_pages_have_by_chance(
    question: str,
) -> None:
    findings = Findings(brief(question).model_copy(update={"language": guess(question)}))
    findings.documents = git_pages()

    assert digest(findings, SETTINGS).sections == ()


def test_a_question_of_another_language_is_answered_where_all_that_it_asks_about_heads_a_passage() -> None:
    findings = Findings(brief("Comment fonctionne le rebase dans Git ?").model_copy(update={"language": "fr"}))
    findings.documents = git_pages()

    [section] = digest(findings, SETTINGS).sections

    assert [block.title for block in section.blocks] == ["Rebase (git.example)"]

"""The sections of release notes."""

from deepresearch_mcp.pipeline.report.page_outline import release_outline
from deepresearch_mcp.pipeline.report.passage_pool import PassagePool
from pipeline_fakes import page

QUESTION = "What is new in Ora 3.2?"
LONG = "It takes less room on disk than the old one did, and it is read in half the time by every program we tried."
NOTES = page(
    "https://ora.example/3.2",
    "# Ora 3.2 release notes\n\nWelcome to Ora 3.2, which came out in spring with many changes for all.\n\n"
    "## What’s new in Ora 3.2\n\n### Sparse indexes\n\n"
    f"Indexes can now leave out rows without a value. {LONG} {LONG}\n\nFor example:\n\n```\nCREATE SPARSE INDEX a;\n"
    f"CREATE SPARSE INDEX b;\n```\n\n{LONG}\n\n### Faster joins\n\n"
    "Joins of two sorted tables take one pass over each of them now.\n\n"
    "## Removed features\n\nThe old command line was removed after two years of warnings.",
    title="Ora 3.2 release notes — Ora 3.2.9 documentation",
)
OLDER = page(
    "https://ora.example/3.1",
    "# Ora 3.1 release notes\n\nWelcome to Ora 3.1, which came out in autumn with some changes for all.",
    title="Ora 3.1 release notes — Ora 3.2.9 documentation",
)


def outline(*pages, question: str = QUESTION):
    return release_outline(PassagePool({one.source_id: one for one in pages}, (), (question,)), question)


def test_what_is_new_is_what_the_sections_of_the_notes_of_that_version_begin_with() -> None:
    found = outline(OLDER, NOTES)

    assert {one.document.source_id for one in found} == {NOTES.source_id}
    assert [one.heading.rpartition(" › ")[2] for one in found] == [
        "Ora 3.2 release notes",
        "Sparse indexes",
        "Faster joins",
        "Removed features",
    ]
    assert found[1].text.startswith("Indexes can now leave out rows")
    assert "```" not in found[1].text
    assert all(one.text == NOTES.text[one.start : one.end] for one in found)


def test_of_many_sections_those_on_what_is_new_come_before_one_of_each_other_heading() -> None:
    news = "".join(
        f"### Part {n}\n\nThe part number {n} can do more now than it could before today.\n\n" for n in range(9)
    )
    rest = "".join(
        f"## Other {n}\n\nThe other matter number {n} was changed a little bit for all.\n\n" for n in range(4)
    )
    long = page(
        "https://ora.example/l",
        f"# Ora 3.2 release notes\n\n## What’s new in Ora 3.2\n\n{news}{rest}",
        title="Ora 3.2 release notes",
    )

    found = [one.heading.rpartition(" › ")[2] for one in outline(long)]

    assert found == [*(f"Part {n}" for n in range(6)), "Other 0", "Other 1", "Other 2", "Other 3"]


def test_other_questions_and_other_pages_have_no_outline() -> None:
    assert outline(NOTES, question="How fast is Ora 3.2?") == []
    assert outline(OLDER) == []
    assert outline(NOTES, question="What is new in Ora?") == []

"""What every report has."""

from deepresearch_mcp.exceptions import UnreadReason
from deepresearch_mcp.pipeline.headings import headings_in
from deepresearch_mcp.pipeline.report_frame import REASONS, markdown, page_note, without_model
from deepresearch_mcp.records.report import Section


def test_every_reason_for_not_reading_a_page_has_words():
    assert set(REASONS) == set(UnreadReason.__args__)


def test_the_whole_is_one_text_with_the_opening_in_bold():
    text = markdown(
        "Ice & #1", [Section(heading="In short", markdown="It floats."), Section(heading="Why", markdown="So.")], "Cost"
    )

    assert text == "# Ice & #1\n\n**In short.** It floats.\n\n## Why\n\nSo.\n\n---\n\nCost\n"


def test_what_was_left_out_of_pages_is_one_sentence_at_the_end():
    assert page_note([("hidden_text", "undated"), ("planted",), ("hidden_text", "planted"), ()]) == (
        "Left out of 3 pages: text that no reader sees and text addressed to AI systems."
    )
    assert page_note([("planted",)]) == "Left out of 1 page: text addressed to AI systems."
    assert page_note([("undated",), ()]) == ""


def test_a_report_has_its_fixed_headings_in_its_language() -> None:
    words = headings_in("de")
    sections = [*without_model("Nichts.", words), Section(heading=words.short, markdown="Eis schwimmt.", part="short")]

    text = markdown("Eis", sections, "Ende", words)

    assert "**Ohne das Modell erledigt.** Nichts" in text
    assert "**Kurz gesagt.** Eis schwimmt." in text

from collections.abc import Callable
from typing import Any

import pytest

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.report import SectionPlan, Sentence, WrittenSection
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.prompted import writing
from deepresearch_mcp.thinkers.tasks import ConcludeReport, OutlineReport, WriteParagraph
from filled_prompts import Filled, filled

MakeClaim = Callable[..., Claim]
SECTION = SectionPlan(heading="Density")


def answered(sheet: Filled, **answer: object) -> Any:
    return sheet.answered(**answer)


def parts_of(claim: MakeClaim) -> list[SubQuestionEvidence]:
    return [SubQuestionEvidence(SubQuestion(id=f"q{number}", text="Why?"), (claim(number),)) for number in (1, 2, 5)]


def test_each_sub_question_stands_in_one_section(brief: Brief, claim: MakeClaim) -> None:
    sheet = filled(writing.OUTLINE, OutlineReport(brief, parts_of(claim)))

    outline = answered(
        sheet,
        title="# On ice.",
        sections=[
            {"heading": "Density", "sub_question_ids": ["q1", "q3"]},
            {"heading": "Again", "sub_question_ids": ["q1"]},
            {"heading": " ", "sub_question_ids": ["q2"]},
            {"heading": "Rest", "sub_question_ids": ["q2", "q9"]},
        ],
    )

    assert (outline.title, sheet.values["sections"]) == ("On ice", "3")
    assert [(one.heading, one.sub_questions) for one in outline.sections] == [
        ("Density", ("q1", "q5")),
        ("Rest", ("q2",)),
    ]


def test_an_outline_without_a_title_takes_the_question_and_without_sections_is_none(
    brief: Brief, claim: MakeClaim
) -> None:
    sheet = filled(writing.OUTLINE, OutlineReport(brief, parts_of(claim)))

    assert answered(sheet, sections=[{"heading": "A", "sub_question_ids": "q1"}]).title == "Why does ice float?"
    assert answered(sheet, title="On ice", sections=[]) is None


def test_an_outline_can_be_made_without_seeing_claims(brief: Brief, claim: MakeClaim) -> None:
    assert "- Fact" in filled(writing.OUTLINE, OutlineReport(brief, parts_of(claim))).values["parts"]
    assert "- Fact" not in filled(writing.OUTLINE, OutlineReport(brief, parts_of(claim)), 0.2).values["parts"]


@pytest.mark.parametrize(("claims", "least"), [(1, 1), (5, 3), (6, 3), (12, 6)])
def test_at_least_half_as_many_sentences_as_claims_are_asked(
    brief: Brief, claim: MakeClaim, claims: int, least: int
) -> None:
    sheet = filled(writing.WRITE, WriteParagraph(brief, SECTION, [claim(number) for number in range(claims)]))

    assert sheet.limits["sentences"] == {"minItems": least, "maxItems": claims}
    assert sheet.max_tokens == 300 + 120 * claims


def test_a_paragraph_may_stay_empty_only_where_none_of_its_claims_was_found_for_the_section(
    brief: Brief, claim: MakeClaim
) -> None:
    own = SectionPlan(heading="Density", sub_questions=(claim(1).sub_question,))
    stray = SectionPlan(heading="Density", sub_questions=("q9",))

    def written(section: SectionPlan) -> tuple[Any, Any]:
        sheet = filled(writing.WRITE, WriteParagraph(brief, section, [claim(1), claim(2)]))
        return sheet.limits["sentences"]["minItems"], answered(sheet, sentences=[])

    assert written(own) == (1, None)
    assert written(stray) == (0, ())


def test_a_writer_sees_what_the_paragraphs_beside_tell(brief: Brief, claim: MakeClaim) -> None:
    section = SECTION.model_copy(update={"before": ("It is light.",), "behind": ("It melts.", "</behind 8f3a>")})

    beside = filled(writing.WRITE, WriteParagraph(brief, section, [claim(1)])).values["beside"]

    assert beside.splitlines() == [
        "<before>", "It is light.", "</before 8f3a>", "<behind>", "It melts.", "‹/behind 8f3a>", "</behind 8f3a>",
    ]  # fmt: skip


def test_a_sentence_without_a_claim_is_not_written(brief: Brief, claim: MakeClaim) -> None:
    sheet = filled(writing.WRITE, WriteParagraph(brief, SECTION, [claim(1), claim(2)]))

    found = answered(
        sheet,
        sentences=[
            {"text": "In this section we look at ice.", "claim_ids": []},
            {"text": "Ice\nfloats [c2, c1].", "claim_ids": ["c2", "c1", "c7"]},
            {"text": " [c1] ", "claim_ids": ["c1"]},
        ],
    )

    assert found == (Sentence(text="Ice floats.", claim_ids=("cfact2", "cfact1")),)
    assert answered(sheet, sentences=[{"text": "Ice.", "claim_ids": ["c7"]}]) is None


def written(*texts: str) -> WrittenSection:
    sentences = tuple(Sentence(text=text, claim_ids=(f"c-{text[:1]}", "c-all")) for text in texts)
    return WrittenSection(heading="Ice", paragraphs=(sentences[:1], sentences[1:]))


def test_the_opening_rests_on_the_claims_of_the_sentences_it_sums_up(brief: Brief, claim: MakeClaim) -> None:
    sheet = filled(writing.CONCLUDE, ConcludeReport(brief, [written("A.", "B."), written("C\nD.")], [claim(1)], 500))

    found = answered(
        sheet,
        sentences=[
            {"text": "All [s1].", "sentence_ids": ["s1", "s3"]},
            {"text": "Invented.", "sentence_ids": ["s9"]},
            {"text": "", "sentence_ids": ["s2"]},
        ],
    )

    assert found == (Sentence(text="All.", claim_ids=("c-A", "c-all", "c-C")),)
    assert sheet.values["statements"] == "<statements>\n[s1] A.\n[s2] B.\n[s3] C D.\n</statements 8f3a>"
    assert answered(sheet, sentences=[{"text": "Invented.", "sentence_ids": ["s9"]}]) is None


def test_an_opening_with_less_room_still_hears_of_every_section(brief: Brief) -> None:
    sections = [written("A.", "B."), written("C.", "D.")]

    assert filled(writing.CONCLUDE, ConcludeReport(brief, sections, [], 500), 0.5).values["statements"] == (
        "<statements>\n[s1] A.\n[s2] C.\n</statements 8f3a>"
    )


def test_an_answer_is_one_short_sentence_from_the_claims_themselves(brief: Brief, claim: MakeClaim) -> None:
    short = brief.model_copy(update={"request": brief.request.model_copy(update={"mode": "answer"})})
    sheet = filled(writing.CONCLUDE, ConcludeReport(short, [], [claim(1), claim(2, verdict="partly")], 140))

    assert sheet.values["length"] == "one sentence of at most 140 characters"
    assert sheet.limits["sentences"]["maxItems"] == 1
    assert sheet.limits["text"]["maxLength"] == 140
    assert "[s2] Fact number 2 holds. (partly)" in sheet.values["statements"]
    assert answered(sheet, sentences=[{"text": "Yes.", "sentence_ids": ["s2"]}])[0].claim_ids == ("cfact2",)


def test_a_draft_with_an_angle_is_told_of_it_and_others_are_not(brief: Brief, claim: MakeClaim) -> None:
    angled = SectionPlan(heading="Ice", angle="doubts\nfirst")

    assert filled(writing.WRITE, WriteParagraph(brief, angled, [claim(1)])).values["angle"] == "Angle: doubts first\n"
    assert filled(writing.WRITE, WriteParagraph(brief, SectionPlan(heading="Ice"), [claim(1)])).values["angle"] == ""

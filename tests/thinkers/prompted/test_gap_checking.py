"""The question that gaps are held against the report with."""

from deepresearch_mcp.records.report import GapCheck
from deepresearch_mcp.thinkers.prompted.gap_answers import GapsAnswer
from deepresearch_mcp.thinkers.prompted.gap_checking import gaps
from deepresearch_mcp.thinkers.prompted.prompt_spec import PromptContext
from deepresearch_mcp.thinkers.tasks import AskedGap, CheckGaps
from pipeline_fakes import brief

TASK = CheckGaps(
    brief(),
    [
        AskedGap("how old ice is", ("Ice is old.", "Lakes freeze.")),
        AskedGap("the age of ice", ("Ice is old.",)),
        AskedGap("who owns it", passages=("The ice is owned by no one.",)),
    ],
)


def answered(*rows: dict[str, object]) -> list[GapCheck]:
    filled = gaps(TASK, PromptContext("n", 1.0, "m"))
    return list(filled.result(GapsAnswer.model_validate({"gaps": rows})) or ())


def test_each_sentence_is_shown_once_and_each_gap_names_its_nearest() -> None:
    shown = gaps(TASK, PromptContext("n", 1.0, "m")).values

    assert shown["facts"].count("Ice is old.") == 1
    assert "g1: how old ice is (nearest: f1, f2)" in shown["gaps"]
    assert "p1: “The ice is owned by no one.”" in shown["passages"]
    assert "g3: who owns it (nearest: p1)\n" in shown["gaps"]


def test_a_gap_is_answered_only_by_a_sentence_that_was_shown() -> None:
    told = answered(
        {"gap": "g1", "status": "partly", "by": ["f1"], "rest": "how  old"},
        {"gap": "g2", "status": "answered", "by": ["f9"], "same": "g1"},
        {"gap": "g3", "status": "nonsense", "by": ["f1"], "same": "g3"},
        {"gap": "g7", "status": "answered", "by": ["f1"]},
    )

    assert told == [
        GapCheck(missing="how old ice is", status="partly", rest="how old"),
        GapCheck(missing="the age of ice", same_as="how old ice is"),
        GapCheck(missing="who owns it"),
    ]


def test_a_passage_of_a_page_answers_a_gap_too() -> None:
    told = answered(
        {"gap": "g3", "status": "answered", "by": ["p1"]}, {"gap": "g1", "status": "answered", "by": ["p7"]}
    )

    assert [one.status for one in told] == ["answered", "open"]

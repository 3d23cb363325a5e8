"""The question what belongs in the empty cells of a report."""

from deepresearch_mcp.records.evidence import ClaimDraft
from deepresearch_mcp.records.report import SpotFill
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.prompted import lines
from deepresearch_mcp.thinkers.prompted.fill_answers import FillAnswer
from deepresearch_mcp.thinkers.prompted.filling import fill
from deepresearch_mcp.thinkers.prompted.prompt_spec import PromptContext
from deepresearch_mcp.thinkers.tasks import FillSpots, OpenSpot
from pipeline_fakes import brief, claim, page

ICE = page("https://one.example/ice", "Ice floats on water. Salt sinks in it.", title="On ice")
FLOATS, SINKS = claim(ICE, "Ice floats on water."), claim(ICE, "Salt sinks in it.")
NEAR = Passage(
    passage_id=f"{ICE.source_id}:0", source_id=ICE.source_id, start=0, end=38, text=ICE.text, heading="On ice"
)
TASK = FillSpots(
    brief(),
    [
        OpenSpot("cell of “Solids”, row “Floats”, column “Ice”", (FLOATS, SINKS)),
        OpenSpot("cell of “Solids”, row “Sinks”, column “Salt”", (SINKS,), (NEAR,)),
        OpenSpot("sentence of “Solids”: The pages do not say who owns it.", is_cell=False),
    ],
    {ICE.source_id: ICE},
)


def answered(*rows: dict[str, object]) -> list[SpotFill]:
    filled = fill(TASK, PromptContext("n", 1.0, "m"))
    return list(filled.result(FillAnswer.model_validate({"spots": rows})) or ())


def test_each_spot_names_its_nearest_facts_and_passages_which_are_shown_once() -> None:
    shown = fill(TASK, PromptContext("n", 1.0, "m")).values

    assert shown["facts"].count("Salt sinks in it.") == 1
    assert "e1: cell of “Solids”, row “Floats”, column “Ice” (nearest: c1, c2)" in shown["spots"]
    assert "column “Salt” (nearest: c2, b1)" in shown["spots"]
    assert "who owns it. (nearest: none)" in shown["spots"]
    # The words of a fact are not shown twice.
    assert "[c1]" in shown["blocks"]
    assert "Ice floats" not in shown["blocks"]


def test_a_spot_is_filled_from_facts_or_from_a_passage_with_its_words_or_does_not_apply() -> None:
    told = answered(
        {"spot": "e1", "text": "yes [c1]", "by": ["c1, c2"]},
        {"spot": "e2", "text": "at once", "by": ["b1"], "quote": " Salt sinks in it. ", "fact": "Salt sinks in water."},
        {"spot": "e3", "text": "N/A"},
    )

    draft = ClaimDraft(
        text="Salt sinks in water.", quote="Salt sinks in it.", passage_id=NEAR.passage_id, confidence="high"
    )
    assert told == [
        SpotFill(spot=0, text="yes", claim_ids=(FLOATS.claim_id, SINKS.claim_id)),
        SpotFill(spot=1, text="at once", proposed=draft),
        SpotFill(spot=2, text="n/a"),
    ]


def test_what_rests_on_nothing_that_was_shown_is_left_out() -> None:
    assert (
        answered(
            {"spot": "e1", "text": "yes"},
            {"spot": "e1", "text": "yes", "by": ["c9"]},
            {"spot": "e2", "text": "at once", "by": ["b1"], "quote": "Salt sinks in it."},
            {"spot": "e2", "text": "", "by": ["c1"]},
            {"spot": "e9", "text": "n/a"},
        )
        == []
    )


def test_the_plain_form_may_quote_a_row_of_a_table() -> None:
    answer = lines.fill('e1 | c1, c2 | yes\ne2 | b1 | 5 s | "| wait | 5 s |" | The wait is 5 s.\ne3 | | n/a')

    assert answer is not None
    assert [(one.spot, one.by, one.text) for one in answer.spots] == [
        ("e1", ["c1", "c2"], "yes"),
        ("e2", ["b1"], "5 s"),
        ("e3", [], "n/a"),
    ]
    assert (answer.spots[1].quote, answer.spots[1].fact) == ("| wait | 5 s |", "The wait is 5 s.")
    assert lines.fill("NONE") == FillAnswer(spots=[])

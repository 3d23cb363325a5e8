from deepresearch_mcp.cli.comparing import as_object, show
from deepresearch_mcp.evals.report_figures import ReportFigures
from deepresearch_mcp.evals.reports import MadeReport
from deepresearch_mcp.evals.research import Compared, Comparison

GOOD = ReportFigures(keys=0.875, supported=0.97, cited=40, sources=12.0, seconds=81.4, usd=0.42, trust=8.25)
REPORTS = (MadeReport("ours", "Text."), MadeReport("a system of a long name", "", error="It failed."))


def comparison(*names: str, judge: str = "openai:m") -> Comparison:
    questions = [
        Compared(
            name, f"Why {name}?", REPORTS, (GOOD, ReportFigures(keys=0.5)), {"1": ["yes", "no"]}, "ours", "Because."
        )
        for name in names
    ]
    return Comparison([one.system for one in REPORTS], questions, judge, 0.125, ["A note."])


def test_figures_stand_in_columns_side_by_side_and_what_no_one_measured_is_left_out(capsys) -> None:
    show(comparison("ice"))

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ice: Why ice?"
    head, keys, *_ = lines[1:]
    assert [*head.split("  ")][-1].strip() == "a system of a long name"
    assert keys.split() == ["Keys", "found,", "weighted", "88%", "50%"]
    assert len(head) == len(keys)
    assert any(line.split() == ["Time", "81", "s", "–"] for line in lines)
    assert not any(line.startswith("Words") for line in lines)
    assert "Preferred: ours" in lines
    assert "Because." in lines
    assert lines[-2:] == ["Judged by openai:m, blind and in random order; this time for $0.12.", "A note."]


def test_several_questions_are_summed_up(capsys) -> None:
    show(comparison("ice", "salt"))

    said = capsys.readouterr().out
    assert "All 2 questions: means; of time, cost and tokens the sums" in said
    assert "163 s" in said
    assert "Preferred: ours 2, a system of a long name 0 of 2" in said


def test_a_program_gets_all_of_it_with_null_for_what_was_not_measured() -> None:
    found = as_object(comparison("ice", judge=""))

    [question] = found["questions"]
    assert found["judge"] is None
    assert (question["reports"][0]["keys"], question["reports"][0]["words"]) == (0.875, None)
    assert (question["reports"][1]["error"], question["keys"], question["preferred"]) == (
        "It failed.",
        {"1": ["yes", "no"]},
        "ours",
    )
    assert found["totals"][1]["system"] == "a system of a long name"

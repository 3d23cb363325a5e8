import pytest

from deepresearch_mcp.pipeline.report.length import length_of, words_of
from deepresearch_mcp.records.plan import Brief, Deliverable, Scope
from deepresearch_mcp.records.report_template import ReportTemplate
from deepresearch_mcp.records.request import Effort
from pipeline_fakes import brief

SCOPE = Scope(
    deliverables=tuple(Deliverable(id=f"d{n}", text="x") for n in range(1, 7)), subjects=("a", "b"), aspects=("c", "d")
)


def asked(effort: Effort = "standard") -> Brief:
    return brief(effort=effort).model_copy(update={"scope": SCOPE})


def test_a_report_is_as_long_as_what_is_asked_needs() -> None:
    assert length_of(asked()) == "standard"
    assert 1_500 < words_of(asked(), 1_000) < 2_000
    assert words_of(brief(), 1_000) < words_of(asked(), 1_000)


@pytest.mark.parametrize(("less", "more"), [("quick", "standard"), ("standard", "deep"), ("deep", "exhaustive")])
def test_more_effort_makes_a_longer_report(less: Effort, more: Effort) -> None:
    assert words_of(asked(less), 1_000) < words_of(asked(more), 1_000)


def test_a_template_makes_a_report_shorter_or_longer_and_the_length_asked_for_counts_too() -> None:
    short = asked().model_copy(update={"template": ReportTemplate(name="x", words=0.5)})
    longer = short.model_copy(update={"request": short.request.model_copy(update={"length": "long"})})

    assert words_of(short, 1_000) == pytest.approx(words_of(asked(), 1_000) / 2, abs=10)
    assert words_of(longer, 1_000) == pytest.approx(1.8 * words_of(short, 1_000), abs=20)


def test_a_report_is_not_longer_than_its_facts_carry() -> None:
    assert words_of(asked(), 20) == 600
    assert words_of(asked(), 0) == 200

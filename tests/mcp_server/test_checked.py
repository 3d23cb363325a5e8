import pytest

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.mcp_server.checked import check_result
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.checks import CheckedClaim, Stretch
from deepresearch_mcp.records.run import Run, RunStatus
from pipeline_fakes import claim, page

ICE = page("https://ice.example/a", "Ice floats on water.")
QUOTE = claim(ICE, "Ice floats on water.").quotes[0]
PROGRESS = Progress("r", stage="researching", admitted=3, read=1)


def run_of(status: RunStatus = "completed", number: int = 3, **given: object) -> Run:
    verdicts = ("supported", "unsupported", "disputed")
    checks = [
        CheckedClaim(claim_id=f"k{at}", text=f"Ice {at}", cites=("[1]",), verdict=verdicts[at % 3], quotes=(QUOTE,))
        for at in range(number)
    ]
    whole = {
        "run_id": "r",
        "status": status,
        "stage": "ended",
        "question": "Check",
        "answer": "Of 3.",
        "checks": checks,
    }
    return Run.model_validate(whole | given)


def test_what_does_not_hold_comes_first_with_quote_offsets_and_snapshot() -> None:
    result = check_result(run_of(uncited=[Stretch(text="Snow\x1b.", start=0, end=5)]), PROGRESS, 40_000)

    assert [line.verdict for line in result.checks] == ["disputed", "unsupported", "supported"]
    line = result.checks[0]
    assert (line.quote, line.start, line.end, line.snapshot) == (QUOTE.text, 0, 20, ICE.snapshot)
    assert result.progress == "Of 3."
    assert result.uncited == ["Snow."]
    assert result.next == 'get_report(run_id="r")'


def test_a_result_that_is_too_long_names_the_call_for_the_rest() -> None:
    result = check_result(run_of(number=300), PROGRESS, 6_000)

    assert 3 < len(result.checks) < 100
    assert {line.verdict for line in result.checks} == {"disputed"}
    assert len(result.model_dump_json()) <= 6_000
    assert result.next == 'get_report(run_id="r", format="json", section="checks")'


def test_a_result_in_any_script_keeps_within_its_bytes() -> None:
    stretches = [Stretch(text="冰浮在水上。" * 100, start=0, end=600)] * 50
    long = run_of(number=50, uncited=stretches, dead=[], dangling=stretches, warnings=["Лёд. " * 500] * 50)

    for longest in (9_000, 30_000, 40_000):
        result = check_result(long, PROGRESS, longest)

        assert len(result.model_dump_json().encode()) <= longest
        assert result.checks
        assert result.uncited[0].startswith("冰浮在水上。")


def test_a_check_that_is_too_long_is_shortened_and_those_behind_it_are_told() -> None:
    run = run_of(number=3)
    first = run.checks[2].model_copy(
        update={"reason": "冰" * 9_000, "cites": tuple(f"[{at}]" for at in range(5_000)), "text": "冰" * 5_000}
    )
    run = run.model_copy(update={"checks": (*run.checks[:2], first)})

    for longest in (9_000, 3_000):
        result = check_result(run, PROGRESS, longest)

        assert [line.verdict for line in result.checks] == ["disputed", "unsupported", "supported"]
        assert len(result.model_dump_json().encode()) <= longest
        assert result.checks[0].reason.endswith("…")


def test_a_check_that_lasts_says_how_far_it_is_and_how_to_come_back() -> None:
    running = check_result(run_of("running"), PROGRESS, 40_000)
    stopped = check_result(run_of("interrupted"), PROGRESS, 40_000)

    assert running.progress == "reading 1 of 3 pages · 0 s"
    assert running.next == 'get_report(run_id="r", wait_seconds=45)'
    assert running.checks == []
    assert stopped.next == "check_citations with the same arguments; it continues where it stopped"


def test_a_failed_check_is_an_error() -> None:
    with pytest.raises(DeepResearchError, match="No key"):
        check_result(run_of("failed", error={"message": "No key.", "action": "Set it."}), PROGRESS, 40_000)

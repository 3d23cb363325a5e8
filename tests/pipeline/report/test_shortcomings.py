"""What a report says of its own shortcomings."""

from deepresearch_mcp.pipeline.report.shortcomings import (
    ended_early,
    limitations,
    only_limits,
    queries_tried,
    single_source,
)
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import EngineFailure, Searched
from pipeline_fakes import brief, claim
from two_pages import ICE, found

FIRST = claim(ICE, "Ice floats because it is less dense.", sub_question="q1")


class TestLimitations:
    def test_rounds_queries_and_thin_parts_are_listed(self) -> None:
        findings = found(FIRST, ceiling="max_usd")
        findings.of("q1").tried.append("density of ICE")

        assert limitations(findings, "max_usd was met") == [
            "2 of 3 rounds of research were not made: max_usd was met.",
            "2 planned queries were not asked: “hydrogen bonds ice”; “frozen lakes”.",
            "Only one claim was found on: “Why is ice less dense than water?”.",
        ]

    def test_rounds_that_no_one_wanted_are_not_missing(self) -> None:
        assert limitations(found(enough=True), "max_usd was met") == []


class TestEnd:
    def test_a_ceiling_is_told_with_what_it_left_undone(self) -> None:
        findings = found(FIRST, ceiling="max_usd", rounds=1)
        findings.of("q1").tried.append("density of ICE")

        assert ended_early(findings, "partial") == (
            "The run reached the cost limit (max_usd): 2 planned searches were left out."
        )
        findings.enough = True
        assert ended_early(findings, "partial") == "The run reached the cost limit (max_usd)."
        by_rules = "openai:m could not write a section, as the cost limit was reached; rules did it instead."
        assert ended_early(findings, "partial", by_rules) == (
            "The run reached the cost limit (max_usd): its last steps were done without the model."
        )
        assert only_limits(findings, by_rules)
        assert not only_limits(findings, by_rules.replace("instead.", "instead (key refused)."))

    def test_a_cancelled_run_says_so_and_a_whole_one_nothing(self) -> None:
        assert ended_early(found(enough=True), "cancelled") == "The run was cancelled before it was done."
        assert ended_early(found(), "completed") == ""


class TestSources:
    def test_a_report_whose_facts_have_one_source_each_says_so(self) -> None:
        alone = FIRST.model_copy(update={"independent": 1})
        joint = FIRST.model_copy(update={"independent": 2})

        assert single_source([alone], found()) == "; each fact rests on one source"
        assert single_source([alone, joint], found()) == ""
        assert single_source([], found()) == ""


class TestTried:
    def test_each_query_tells_what_each_engine_answered(self) -> None:
        findings = found(
            searched=[Searched(engine="brave", query="ice", hits=1), Searched(engine="wikipedia", query="ice", hits=0)],
            failures=[EngineFailure(engine="tavily", query="ice", reason="HTTP 503.")],
        )

        assert queries_tried(findings) == ["“ice”: brave 1 hit · wikipedia 0 hits · tavily no answer (HTTP 503)"]

    def test_limits_that_all_queries_were_under_are_told(self) -> None:
        findings = found(searched=[Searched(engine="brave", query="ice", hits=0)])
        findings.brief = brief(
            include_domains=["one.example"], exclude_domains=["two.example"],
            published_after="2020-01-01", published_before="2021-01-01",
        )  # fmt: skip

        [_, limits] = queries_tried(findings)

        assert limits == (
            "Limits: only one.example, not two.example, published from 2020-01-01, published until 2021-01-01"
        )

    def test_limits_of_the_settings_and_the_profile_are_told_too(self) -> None:
        findings = found(searched=[Searched(engine="brave", query="ice", hits=0)])
        findings.brief = brief().model_copy(update={"limits": Filters(exclude_domains=("farm.example",))})

        assert queries_tried(findings)[1:] == ["Limits: not farm.example"]

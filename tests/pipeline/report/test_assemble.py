"""The run object, made from findings."""

from typing import Any

import pytest

from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.report.assemble import OWN_KNOWLEDGE, assemble, count_claims, located
from deepresearch_mcp.records.assessment import RoundAssessment
from deepresearch_mcp.records.evidence import Assessment
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.report import Draft, Removed, Sentence, WrittenSection
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.sources import TOO_LATE, EngineFailure, Unread
from deepresearch_mcp.text.markdown import escape
from pipeline_fakes import brief, claim, page, part
from report_fakes import facts, nothing, opened

ICE = page("https://one.example/ice", "Ice floats. Lakes freeze from above.", title="Ice")
TWIN = page("https://two.example/ice", "Everybody knows it. Ice floats.")
SPARE = page("https://three.example/", "Nothing of use.", flags=("hidden_text",))
FLOATS, LAKES = claim(ICE, "Ice floats."), claim(ICE, "Lakes freeze from above.")
SAME = claim(TWIN, "Ice floats.")
REFUSED = claim(TWIN, "Everybody knows it.", "Nobody knows it.", verdict="unsupported")
PLAN = Plan(sub_questions=(part("q1", "Why does ice float?"), part("q2", "Who found out?")), made_by="scripted")


def sentence(text: str, *claims: Any) -> Sentence:
    return Sentence(text=text, claim_ids=tuple(one.claim_id for one in claims))


@pytest.fixture
def findings() -> Findings:
    made = Findings(brief(), plan=PLAN, rounds=2)
    made.documents = {one.source_id: one for one in (ICE, TWIN, SPARE)}
    made.of("q1").claims += [FLOATS, LAKES]
    made.of("q1").asked = made.of("q2").asked = True
    made.of(WHOLE_QUESTION).claims.append(SAME)
    made.of("q1").refused += [REFUSED, REFUSED, LAKES.model_copy(update={"verdict": "unsupported"})]
    made.assessment = Assessment(sufficiency=5, gaps=("Who found out first.",))
    made.unread = [Unread(url="https://x.example", reason="robots")]
    made.failures = (EngineFailure(engine="two", query="ice", reason="away"),)
    made.engines = {"one": {"asked": 2, "answered": 2}, "two": {"asked": 1, "answered": 0}}
    made.removed = (Removed(text="Ice sings.", reason="it names no claim"),)
    made.draft = Draft(
        title="Floating ice",
        in_short=(sentence("Ice floats.", FLOATS),),
        sections=(WrittenSection(heading="Why", paragraphs=((sentence("Lakes freeze.", LAKES, FLOATS),),)),),
    )
    return made


def test_marks_run_through_the_text_and_every_quote_stands_in_its_snapshot(findings: Findings):
    run = assemble(findings, facts())

    assert run.report.startswith(
        "# Floating ice\n\n**In short.** Ice floats [1a, 2].\n\n## Why\n\nLakes freeze [1, 2]."
    )
    assert [one.key for one in run.citations] == ["1a", "1b", "2"]
    assert (run.quotes.located, run.quotes.total) == (3, 3)
    assert run.answer == "Ice floats."
    assert [one.heading for one in run.sections][-1] == "References"
    texts = {one.source_id: one.text for one in (ICE, TWIN)}
    assert all(texts[one.source_id][one.start : one.end] == one.quote for one in run.citations)


def test_the_headings_of_the_program_are_in_the_language_of_the_report(findings: Findings):
    findings.brief = findings.brief.model_copy(update={"language": "de"})

    run = assemble(findings, facts(without_model="Nothing."))

    assert "\n\n**Kurz gesagt.** Ice floats" in run.report
    assert [(one.part, one.heading) for one in run.sections if one.part] == [
        ("short", "Kurz gesagt"),
        ("missing", "Was offen blieb"),
        ("references", "Quellen"),
    ]
    assert run.sections[-1].is_called("references")
    assert run.sections[-1].is_called("Quellen")


def test_an_engine_that_did_not_answer_is_warned_of_and_told_in_its_own_line_of_the_report(findings: Findings):
    late = EngineFailure(engine="one", query="ice", reason=TOO_LATE)
    findings.failures = (*findings.failures, late)

    run = assemble(findings, facts())

    assert "two did not answer 1 of 1 query: away." in run.warnings
    assert not any(warning.startswith("one did not") for warning in run.warnings)
    assert run.report.count("away") == 1
    assert "two answered 0 of 1 (away)" in run.report


def test_claims_that_say_the_same_are_one_with_two_witnesses_and_refused_ones_are_told(findings: Findings):
    run = assemble(findings, facts())

    assert [one.claim_id for one in run.claims] == [FLOATS.claim_id, LAKES.claim_id, REFUSED.claim_id]
    assert run.claims[0].independent == 2
    counts = run.metrics.counts
    assert (counts.claims, counts.independent, counts.removed) == (3, 1, 1)
    assert counts.verdicts == {"supported": 2, "unsupported": 1}
    assert "Evidence: 2 of 3 claims supported" in run.report


def test_the_run_knows_its_sources_gaps_failures_and_plan(findings: Findings):
    run = assemble(findings, facts())

    assert [(one.url, one.cited) for one in run.sources] == [(ICE.url, True), (TWIN.url, True), (SPARE.url, False)]
    assert "- Who found out first.\n\n" in run.report
    assert run.unread == tuple(findings.unread)
    provenance = run.provenance
    assert provenance is not None
    assert provenance.plan["made_by"] == "scripted"
    assert (provenance.failures, provenance.removed) == (findings.failures, findings.removed)
    assert (run.metrics.rounds, run.metrics.engines) == (2, findings.engines)
    assert run.metrics.usd == 0.5
    assert "two answered 0 of 1 (away)" in run.report


def test_warnings_say_what_a_reader_should_know(findings: Findings):
    findings.ceiling = "max_pages"

    run = assemble(findings, facts(status="partial"))

    assert run.warnings == (
        "The research was cut short: max_pages was met. What is missing stands under “What could not be established”.",
        "1 of 2 supported claims rest on one source.",
        "1 page holds text that no reader sees; that text alone was left out: “https://three.example/”.",
        "two did not answer 1 of 1 query: away.",
        "told elsewhere",
    )
    # What is counted of claims stands in the run object alone; how engines fared stands in a line of its own.
    [note] = [line for line in run.report.splitlines() if line.startswith("Note: ")]
    assert note.replace("\\", "") == (
        "Note: The run reached the page limit (max_pages)."
        " told elsewhere. Left out of 1 page: text that no reader sees."
    )


def gaps(findings: Findings, **given: Any) -> list[str]:
    sections = {one.heading: one.markdown for one in assemble(findings, facts(**given)).sections}
    return sections.get("What could not be established", "").splitlines()


def test_a_gap_says_whether_a_part_was_searched_for_and_whether_the_research_came_to_its_end(findings: Findings):
    findings.assessment = None

    assert gaps(findings) == ["- No source that could be read answers: Who found out?"]
    assert gaps(findings, status="partial")[0] == "- Not answered before the research ended: Who found out?"
    findings.of("q2").asked = False
    assert gaps(findings) == ["- Not searched for in this research: Who found out?"]
    assert gaps(findings, status="partial")[0] == "- Not searched for in this research: Who found out?"


def test_a_question_that_was_searched_as_a_whole_is_never_called_not_searched_for():
    made = nothing(documents={SPARE.source_id: SPARE})
    made.of(WHOLE_QUESTION).asked = True

    assert gaps(made) == ["- No source that could be read answers: Why does ice float on water?"]


def test_a_part_that_claims_of_the_whole_question_were_placed_with_is_no_gap(findings: Findings):
    findings.assessment = None
    findings.of("q2").asked = False
    seen = page("https://four.example/", "Galileo found out.")
    findings.documents = {**findings.documents, seen.source_id: seen}
    findings.of(WHOLE_QUESTION).claims.append(claim(seen, "Galileo found out.", sub_question=WHOLE_QUESTION))

    assert gaps(findings) == []


def test_what_a_gap_of_the_model_tells_is_not_told_twice(findings: Findings):
    other = part("q3", "Where do penguins breed?")
    findings.plan = PLAN.model_copy(update={"sub_questions": (*PLAN.sub_questions, other)})

    assert gaps(findings) == [
        "- Who found out first.",
        "- Not searched for in this research: Where do penguins breed?",
    ]


def test_a_gap_may_name_the_quarter_that_is_missing_but_no_figure_that_no_one_knows(findings: Findings):
    findings.assessment = Assessment(
        sufficiency=5, gaps=("The fourth quarter is not given: who found out first.", "Whether it rose by 41 %.")
    )

    assert gaps(findings)[:1] == ["- The fourth quarter is not given: who found out first."]
    assert not any("41" in gap for gap in gaps(findings))


def test_the_run_object_says_how_sure_the_research_is_and_what_it_thought_after_each_round(findings: Findings):
    findings.assessment = Assessment(sufficiency=8)
    findings.assessed = [RoundAssessment(round=1, sufficiency=8, enough=True, why="all covered")]

    run = assemble(findings, facts())
    early = assemble(findings, facts(status="partial"))

    assert run.assessment
    assert early.assessment
    assert (run.assessment.confidence, early.assessment.confidence) == ("high", "medium")
    assert run.assessment.rounds == tuple(findings.assessed)


def test_a_sub_question_without_a_word_of_its_own_is_told_beside_any_gap(findings: Findings):
    mute = part("q3", "Is it so?")
    findings.plan = PLAN.model_copy(update={"sub_questions": (*PLAN.sub_questions, mute)})

    assert "- Not searched for in this research: Is it so?" in gaps(findings)


def test_a_report_whose_every_supported_claim_has_one_source_says_so(findings: Findings):
    findings.of(WHOLE_QUESTION).claims.clear()
    findings.of("q1").claims.append(claim(TWIN, "Everybody knows it.", verdict="partly"))

    assert "Every supported claim rests on one source." in assemble(findings, facts()).warnings


def test_where_nothing_is_supported_nothing_is_said_of_single_sources(findings: Findings):
    findings.of(WHOLE_QUESTION).claims.clear()
    findings.of("q1").claims = [one.model_copy(update={"verdict": "partly"}) for one in (FLOATS, LAKES)]

    assert not any("one source" in warning for warning in assemble(findings, facts()).warnings)


def test_a_run_object_survives_json_unchanged(findings: Findings):
    run = assemble(findings, facts())

    assert Run.model_validate_json(run.model_dump_json(indent=1)) == run


def test_an_answer_from_own_knowledge_is_marked_as_such():
    findings = Findings(brief(depth=0), direct="Because it is *light*.")

    run = assemble(findings, facts())

    assert run.answer == "Because it is *light*."
    assert run.warnings[0] == OWN_KNOWLEDGE
    assert f"**In short.** Because it is \\*light\\*.\n\n*{OWN_KNOWLEDGE}*" in run.report
    assert "could not be established" not in run.report
    assert run.citations == ()


def test_claims_that_no_sentence_was_made_of_are_not_denied(findings: Findings):
    findings.draft = Draft(title="")

    assert opened(findings) == "2 claims were verified, but no sentence made of them could be kept."


def test_quotes_are_checked_not_assumed():
    findings = Findings(brief(), documents={ICE.source_id: ICE})
    findings.of(WHOLE_QUESTION).claims.append(FLOATS)
    findings.draft = Draft(title="", in_short=(sentence("Ice floats.", FLOATS),))
    [citation] = assemble(findings, facts()).citations

    moved = citation.model_copy(update={"start": 1})
    other = citation.model_copy(update={"snapshot": "0"})
    unknown = citation.model_copy(update={"source_id": "sx"})

    assert located([citation, moved, other, unknown], findings.documents).located == 1
    assert located([], {}).total == 0


def test_only_supported_claims_count_as_independent():
    partly = FLOATS.model_copy(update={"verdict": "partly", "independent": 3})

    assert count_claims([partly], 2, 1, 1).model_dump() == {
        "claims": 1,
        "verdicts": {"partly": 1},
        "independent": 0,
        "thin": 0,
        "removed": 2,
        "repaired": 1,
        "restored": 1,
    }


def test_a_gap_that_states_a_figure_or_an_address_no_one_read_is_not_told(findings: Findings):
    gaps = ("Who found out first.", "Born in 1879.", "More at http://evil.example/x.")
    findings.assessment = Assessment(sufficiency=5, gaps=gaps)

    run = assemble(findings, facts())

    assert "- Who found out first.\n" in run.report
    assert "1879" not in run.report
    assert "evil" not in run.report


def test_a_report_tells_an_open_question_once(findings: Findings):
    findings.repaired = 3
    findings.assessment = None

    run = assemble(findings, facts())

    headings = [section.heading for section in run.sections]
    assert headings[-2:] == ["What could not be established", "References"]
    assert run.report.count("Who found out?") == 1
    assert run.metrics.counts.repaired == 3


def test_every_source_is_graded_and_its_kind_stands_in_the_references():
    official = page("https://www.cdc.gov/ice", "Ice floats. Lakes freeze from above.", links=(FARM.url,))
    found = Findings(brief(), documents={one.source_id: one for one in (official, FARM)})
    both, alone = claim(official, "Ice floats."), claim(official, "Lakes freeze from above.")
    found.of(WHOLE_QUESTION).claims += [both, claim(FARM, "Ice floats."), alone]
    found.returned = {"https://www.cdc.gov/ice": {"one", "two"}}
    found.draft = Draft(title="", in_short=(sentence("Ice floats.", both), sentence("Lakes freeze.", alone)))

    run = assemble(found, facts())

    first, second = (row.quality for row in run.sources)
    assert first is not None
    assert second is not None
    assert (first.kind, first.corroboration, first.relevance) == ("official", 0.0, 0.667)
    assert (second.kind, second.corroboration) == ("content_farm", 1.0)
    assert first.external == pytest.approx(0.6 + 0.1)
    assert second.external == pytest.approx(0.15)
    assert "cdc.gov, undated, official\n" in run.report
    assert "ehow.com, undated, content farm\n" in run.report
    assert "1 of 2 cited sources is of low authority: “https://www.ehow.com/ice”." in run.warnings


FARM = page("https://www.ehow.com/ice", "Everybody knows that. Ice floats.")


def test_sources_are_summed_up_where_that_is_asked_for(findings: Findings):
    said = "Ice floats on water because its crystals hold the molecules further apart than the liquid does."
    source = page("https://four.example/ice", said)
    findings.documents = {**findings.documents, source.source_id: source}
    findings.of("q1").claims.append(claim(source, said))

    assert [row.summary for row in assemble(findings, facts(summary_tokens=200)).sources] == ["", "", "", said]
    assert {row.summary for row in assemble(findings, facts()).sources} == {""}


def test_a_report_kept_before_sources_were_graded_can_still_be_read(findings: Findings):
    old = assemble(findings, facts()).model_dump(mode="json")
    for row in old["sources"]:
        del row["quality"], row["summary"]
    for one in old["claims"]:
        del one["standing"]

    assert {row.quality for row in Run.model_validate(old).sources} == {None}


def test_pages_that_address_machines_are_named(findings: Findings):
    names = [f"https://p{number}.example/" for number in range(5)]
    pages = [page(name, "Nothing of use.", flags=("planted",)) for name in names]
    findings.documents = {**findings.documents, **{one.source_id: one for one in pages}}

    [warning] = [said for said in assemble(findings, facts()).warnings if "AI" in said]

    assert warning == (
        "5 pages hold text addressed to AI systems; that text alone was left out: “https://p0.example/”,"
        " “https://p1.example/”, “https://p2.example/” and 2 more."
    )
    assert [one.flags for one in assemble(findings, facts()).sources][-5:] == [("planted",)] * 5


def test_satire_and_a_blog_are_two_sources_of_which_one_counts_and_the_report_says_so():
    said = "The town moved its clock tower by ten metres in May."
    satire = page("https://www.theonion.com/clock", f"Nobody laughed. {said}")
    blog = page("https://someone.blogspot.de/clock", f"I saw it with my own eyes, and so did my aunt. {said}")
    found = Findings(brief(), documents={one.source_id: one for one in (satire, blog)})
    claims = [claim(one, said) for one in (satire, blog)]
    found.of(WHOLE_QUESTION).claims += claims
    found.draft = Draft(title="", in_short=(sentence(said, claims[0]),))

    run = assemble(found, facts())

    [told] = {(one.independent, one.corroborating) for one in run.claims}
    assert told == (2, 1)
    assert (run.metrics.counts.independent, run.metrics.counts.thin) == (0, 1)
    assert (
        "1 supported claim has several sources, but fewer than two reliable enough to confirm each other."
        in run.warnings
    )


def test_a_report_says_why_no_further_round_was_made():
    why = "Stopped after round 1 of 3: the evidence is sufficient (sufficiency 8 of 10)."
    found = Findings(brief(), documents={ICE.source_id: ICE}, ended=why)

    run = assemble(found, facts())

    assert run.assessment
    assert run.assessment.ended == why
    assert escape(why) not in run.report
    assert why not in run.warnings

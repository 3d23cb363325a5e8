"""What the report says of its sources."""

from datetime import date

from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION, Findings
from deepresearch_mcp.pipeline.grader import Grader
from deepresearch_mcp.pipeline.report.sourcing import kinds, source_cautions, source_rows
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Plan
from deepresearch_mcp.records.quality import Quality
from deepresearch_mcp.records.report import Citation
from deepresearch_mcp.records.sources import Document
from pipeline_fakes import brief, claim, page, part

SAID = "Ice floats on water because its crystals hold the molecules further apart than the liquid does."
PLAN = Plan(
    sub_questions=tuple(part(f"q{n}", text) for n, text in enumerate(
        ["What are the causes of frost?", "Who sells ice?", "Where is ice?", "When is ice?", "How is ice?"], 1)),
)  # fmt: skip


def source(url: str, year: int = 0, **given: object) -> Document:
    update = {"published": date(year, 5, 1) if year else None, **given}
    return page(url, SAID, title=f"Page of {url.split('/')[2]}").model_copy(update=update)


def cite(*claims: Claim) -> list[Citation]:
    return [
        Citation(number=n, claim_ids=(one.claim_id,), source_id=one.quotes[0].source_id, snapshot="x", start=0, end=1,
                 quote="x", url="https://x.example", link="https://x.example")
        for n, one in enumerate(claims, 1)
    ]  # fmt: skip


def made(*held: tuple[str, Document]) -> tuple[Findings, list[Citation], dict[str, Quality]]:
    """Findings in which each document gave one claim to a sub-question, all of them cited."""
    question = "What is the software for ice?"
    findings = Findings(brief(question), plan=PLAN, documents={one.source_id: one for _, one in held})
    claims = [claim(one, SAID, sub_question=name, claim_id=f"c{at}") for at, (name, one) in enumerate(held)]
    for (name, _), one in zip(held, claims, strict=True):
        findings.of(name).claims.append(one)
    return findings, cite(*claims), Grader(findings.brief, findings.scale).all(findings.documents, claims, {})


def test_a_row_holds_the_grades_and_what_the_page_says_where_it_gave_a_claim():
    spare = page("https://c.example/", SAID)
    findings, citations, grades = made(("q1", source("https://a.example/", 2026)), ("q2", source("https://b.example/")))
    findings.documents = {**findings.documents, spare.source_id: spare}
    claims = findings.claims

    told = source_rows(findings, citations[:1], claims, grades, 500)

    assert [(row.cited, row.summary) for row in told] == [(True, SAID), (False, SAID), (False, "")]
    assert [row.quality for row in told] == [*grades.values(), None]
    assert [row.summary for row in source_rows(findings, citations, claims, grades, 0)] == ["", "", ""]


def test_people_read_a_kind_as_words_and_none_for_what_no_one_listed():
    text = f"doi:10.1000/xyz123\nAccepted: 3 May 2020\n{SAID}\n\n## References\n\n{SAID}"
    copy = page("https://eprints.example.edu/1", text)
    urls = ("https://www.cdc.gov/x", "https://www.nature.com/x")
    listed = [*map(source, urls), copy, source("https://a.example/"), source("https://www.prnewswire.com/")]
    grades = Grader(brief(), Findings(brief()).scale).all({one.source_id: one for one in listed}, [], {})

    assert list(kinds(grades).values()) == ["official", "peer reviewed", "education, peer reviewed", "press release"]


def test_nothing_to_be_careful_about_is_nothing_said():
    assert (
        source_cautions(*made(("q1", source("https://www.cdc.gov/x", 2026)), ("q2", source("https://a.example/"))))
        == []
    )


def test_information_is_called_old_only_where_every_source_of_a_part_is():
    told = source_cautions(
        *made(
            ("q1", source("https://a.example/", 2019)),
            ("q1", source("https://b.example/", 2021)),
            ("q2", source("https://c.example/", 2018)),
            ("q2", source("https://d.example/", 2026)),
            ("q3", source("https://e.example/", 2018)),
            ("q3", source("https://f.example/")),
            ("q4", source("https://g.example/", 2017)),
        )
    )

    assert told == ["Information on “Causes of frost” is from 2019 to 2021, on “When is ice?” is from 2017."]


def test_what_was_read_for_the_whole_question_counts_for_the_part_it_belongs_to():
    frost = "The causes of frost are clear nights on which the ground loses more heat than it is given."
    fresh = page("https://b.example/", frost).model_copy(update={"published": date(2026, 5, 1)})
    findings, citations, _ = made(("q1", source("https://a.example/", 2019)))
    findings.documents = {**findings.documents, fresh.source_id: fresh}
    findings.of(WHOLE_QUESTION).claims.append(claim(fresh, frost))
    grades = Grader(findings.brief, findings.scale).all(findings.documents, findings.claims, {})

    assert len(source_cautions(findings, citations, grades)) == 1
    assert source_cautions(findings, [*citations, *cite(claim(fresh, frost))], grades) == []


def test_what_is_old_after_a_few_months_is_told_with_its_month():
    findings, citations, _ = made(
        ("q1", source("https://a.example/", 2026)), ("q1", source("https://b.example/", 2025))
    )
    findings.brief = brief("What is the latest news on the election?")
    grades = Grader(findings.brief, findings.scale).all(findings.documents, [], {})

    assert source_cautions(findings, citations, grades) == [
        "Information on “Causes of frost” is from 2026-05 at the latest."
    ]


def test_what_is_not_cited_needs_no_warning():
    findings, citations, grades = made(
        ("q1", source("https://a.example/", 2019)), ("q2", source("https://www.ehow.com/", 2026))
    )

    assert source_cautions(findings, [], grades) == []
    assert len(source_cautions(findings, citations, grades)) == 2


def test_many_old_parts_are_named_three_at_most():
    held = [(f"q{n}", source(f"https://s{n}.example/", 2010 + n)) for n in range(1, 6)]

    [told] = source_cautions(*made(*held))
    [four] = source_cautions(*made(*held[:4]))

    assert told.count("is from") == 3
    assert told.endswith(", and on 2 more parts as old.")
    assert four.endswith(", and on 1 more part as old.")


def test_weak_sources_are_told_in_one_sentence_for_each_weakness():
    machine = page(
        "https://m.example/", f"As an AI language model, I know. {SAID}", title="A " + "very " * 40 + "long title"
    )
    walled = source("https://w.example/", flags=("paywalled",))
    told = source_cautions(
        *made(
            ("q1", source("https://www.ehow.com/")), ("q2", source("https://x.blogspot.com/")), ("q3", machine),
            ("q4", source("https://a.example/opinion/x")), ("q5", walled),
        )
    )  # fmt: skip

    assert told[0] == "2 of 5 cited sources are of low authority: “Page of www.ehow.com” among them."
    assert told[1].startswith("1 of 5 cited sources shows signs of text written by a machine: “A very")
    assert told[1].endswith("…”.")
    assert told[2] == "1 of 5 cited sources may take sides (advertising, opinion or self-praise): “Page of a.example”."
    assert told[3] == "1 of 5 cited sources was read only as far as its paywall lets: “Page of w.example”."
    assert len(told) == 4


def test_a_page_without_a_title_is_named_by_its_address():
    bare = page("https://www.ehow.com/", SAID)

    assert "“https://www.ehow.com/”" in source_cautions(*made(("q1", bare)))[0]

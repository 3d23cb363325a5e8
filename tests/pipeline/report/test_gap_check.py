"""Gaps held against what the report says."""

from typing import Any

import pytest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.report.absences import StoredPages
from deepresearch_mcp.pipeline.report.gap_check import MOST_CHECKED, SpokenOf, checked, facts_of
from deepresearch_mcp.records.report import Block, Draft, Gap, GapCheck, Sentence, WrittenSection
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.base import AskedGap
from pipeline_fakes import ScriptedThinker, claim, page
from two_pages import ICE, LAKES, found

DENSE = claim(ICE, "Ice floats because it is less dense.", sub_question="q1")
PAGES = StoredPages({one.source_id: one for one in (ICE, LAKES)})
SEALS = claim(LAKES, "Seals breathe through holes.", sub_question="q2")


async def test_each_gap_is_put_once_beside_the_sentences_and_claims_that_come_nearest() -> None:
    findings = found(DENSE, SEALS)
    gaps = [Gap(missing=f"how dense ice {number} is") for number in range(MOST_CHECKED + 3)]
    thinker = ScriptedThinker()

    told = await checked(findings, findings.draft, gaps, thinker, ("audit",))

    [call] = thinker.called("gap_check")
    asked = call.whole.gaps
    assert len(asked) == len(told) == MOST_CHECKED
    assert asked[0].beside == ("Ice floats because it is less dense.",)
    assert call.step.depends_on == ("audit",)
    assert told[0] == GapCheck(missing="how dense ice 0 is")


async def test_own_sentences_with_the_rarest_words_of_a_gap_come_first_and_cells_with_their_places() -> None:
    more = [claim(ICE, ICE.text, f"Ice of lakes {number} is old ice of ice.") for number in range(20)]
    findings = found(DENSE, *more)
    cell = Sentence(text="about 5 years", claim_ids=(DENSE.claim_id,))
    unsaid = Sentence(text="The manual says nothing on the age of lake ice.", absence=True)
    table = Block(kind="table", head=("Ice", "Age in Vostok"), rows=((Sentence(text="Ice of lakes"), cell),))
    blocks = (table, Block(rows=((unsaid,),)))
    findings.draft = Draft(title="T", sections=(WrittenSection(heading="H", blocks=blocks),))
    thinker = ScriptedThinker()

    await checked(findings, findings.draft, [Gap(missing="how old the ice of lake Vostok is")], thinker, (), PAGES)

    [asked] = thinker.called("gap_check")[0].whole.gaps
    assert asked.beside[0] == "Ice of lakes – Age in Vostok: about 5 years"
    assert unsaid.text not in asked.beside
    assert len(asked.beside) == 14
    assert len(asked.passages) == len(set(asked.passages)) > 0


async def test_a_gap_is_put_with_passages_in_the_words_of_its_query_too() -> None:
    other = page("https://a.example/rivers", "Rivers carry sand to the sea. " * 5)
    told = page("https://b.example/firn", "Firn turns blue below sixty metres. " * 5)
    gap = Gap(missing="what rivers carry", query="firn blue metres")
    thinker = ScriptedThinker()
    pages = StoredPages({one.source_id: one for one in (other, told)})

    await checked(found(DENSE), found(DENSE).draft, [gap], thinker, (), pages)

    [asked] = thinker.called("gap_check")[0].whole.gaps
    assert [text.split()[0] for text in asked.passages] == ["Rivers", "Firn"]


async def test_each_of_many_gaps_is_put_with_a_passage_of_the_stored_pages_however_long_these_are() -> None:
    text = "\n\n".join(f"## Part {at}\n\n{f'Glacier {at} calves in the bay of ice. ' * 40}" for at in range(12))
    long = page("https://a.example/glaciers", text)
    gaps = [Gap(missing=f"where glacier {at} calves") for at in range(MOST_CHECKED)]
    thinker = ScriptedThinker()

    await checked(found(DENSE), found(DENSE).draft, gaps, thinker, (), StoredPages({long.source_id: long}))

    asked = thinker.called("gap_check")[0].whole.gaps
    assert [f"Glacier {at} calves" in " ".join(one.passages) for at, one in enumerate(asked)] == [True] * MOST_CHECKED
    assert sum(estimate(text) for one in asked for text in one.passages) < 15_000


@pytest.mark.parametrize("error", [BudgetExceeded("max_tokens", 1, 1), ProviderError("openai", "HTTP 500")])
async def test_where_no_model_can_be_asked_nothing_is_known_of_the_gaps(error: Exception) -> None:
    assert (
        await checked(
            found(DENSE), found(DENSE).draft, [Gap(missing="how old ice is")], ScriptedThinker(gap_check=error), ()
        )
        == ()
    )


async def test_a_refused_key_ends_the_run() -> None:
    refused = KeyRefused("openai", "HTTP 401")

    with pytest.raises(KeyRefused):
        await checked(
            found(DENSE), found(DENSE).draft, [Gap(missing="how old ice is")], ScriptedThinker(gap_check=refused), ()
        )


async def test_nothing_is_asked_without_gaps_or_facts() -> None:
    thinker = ScriptedThinker()

    assert await checked(found(DENSE), found(DENSE).draft, [], thinker, ()) == ()
    assert await checked(found(), found().draft, [Gap(missing="how old ice is")], thinker, ()) == ()
    assert thinker.calls == []


FACTS = [
    "Task.current_task() and Task.all_tasks(), deprecated since Python 3.7, were removed in Python 3.9.",
    "By default the server closes a connection at the end; CONN_MAX_AGE keeps it.",
    "Data checksums can be enabled by default with initdb in PostgreSQL 15.",
    *(f"Filler number {number} says what filler says." for number in range(40)),
]


@pytest.mark.parametrize(
    ("missing", "knows"),
    [
        ("That Python 3.9 removed Task.current_task() and Task.all_tasks(), deprecated in 3.7", True),
        ("the default of max_connections in the server", False),
        ("Whether PostgreSQL 18 enables data checksums by default with initdb", False),
        ("Which package offers task groups", False),
        ("Whether data checksums are enabled by default", True),
        ("", False),
    ],
)
def test_a_sentence_speaks_of_a_gap_that_has_most_of_its_words_and_its_name(missing: str, knows: bool) -> None:
    assert SpokenOf(FACTS).knows(missing) is knows


def test_the_sentences_of_the_report_and_the_claims_are_facts_each_once() -> None:
    findings: Any = found(DENSE, SEALS)

    assert facts_of(findings, findings.draft) == [DENSE.text, SEALS.text]


async def test_what_is_left_of_a_gap_is_looked_for_once_more_in_its_own_words():
    rest = "whether Git checks an object when it reads it"
    told = page("https://b.example/manual", "Git can detect errors when it reads an object, by its name. " * 3)
    packs = page("https://a.example/packs", "Packs end in a checksum of packs and their index. " * 30)
    gap = Gap(missing="whether Git checks an object when it reads it, and which checksums packs and their index have")

    def says(_brief: object, asked: list[AskedGap], _step: object) -> list[GapCheck]:
        [one] = asked
        if one.missing == gap.missing:
            return [GapCheck(missing=one.missing, status="partly", rest=rest)]
        return [GapCheck(missing=one.missing, status="answered" if "Git can" in one.passages[0] else "open")]

    thinker = ScriptedThinker(gap_check=says)
    pages = StoredPages({one.source_id: one for one in (packs, told)})

    [check] = await checked(found(DENSE), found(DENSE).draft, [gap], thinker, (), pages)

    assert [call.whole.gaps[0].missing for call in thinker.called("gap_check")] == [gap.missing, rest]
    assert (check.missing, check.status, check.rest) == (gap.missing, "answered", "")


async def test_a_rest_that_stays_open_is_told_as_it_was():
    def says(_brief: object, asked: list[AskedGap], _step: object) -> list[GapCheck]:
        return [
            GapCheck(missing=one.missing, status="partly" if "and" in one.missing else "open", rest="the rest")
            for one in asked
        ]

    gap = Gap(missing="this and the rest")

    [check] = await checked(found(DENSE), found(DENSE).draft, [gap], ScriptedThinker(gap_check=says), (), PAGES)

    assert (check.status, check.rest) == ("partly", "the rest")

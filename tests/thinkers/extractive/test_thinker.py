from collections.abc import Callable
from pydoc_data.topics import topics

from tests.stopwatch import spent

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.report import Draft, Review, Sentence, WrittenSection
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.text.passages import pieces
from deepresearch_mcp.text.quotes import locate
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.thinkers.base import Doubt, SubQuestionEvidence, Thinker
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.tasks import (
    AnswerDirectly,
    AssessCoverage,
    EditReport,
    JudgeClaims,
    PlanResearch,
    ReadPassages,
    RepairSentences,
    ReviewReport,
)

AT = Step("test")


def reference() -> list[Passage]:
    """The Python language reference, in passages."""
    return [
        Passage(
            passage_id=f"{name}:{piece.start}",
            source_id=name,
            start=piece.start,
            end=piece.end,
            text=text[piece.start : piece.end],
            heading=piece.heading,
        )
        for name, text in topics.items()
        for piece in pieces(text)
    ]


async def researched(
    thinker: Thinker, brief: Brief, make: Callable[..., Claim]
) -> tuple[list[WrittenSection], list[Claim]]:
    """Plan, read, and write up what the reference says about a question."""
    passages = reference()
    ranker = Ranker([f"{passage.heading}\n{passage.text}" for passage in passages])
    parts: list[SubQuestionEvidence] = []
    for part in (await thinker.ask(PlanResearch(brief, 4, 4), AT)).sub_questions:
        read = [passages[at] for at in ranker.top(" ".join((part.text, *part.queries)), 15)]
        by_id = {passage.passage_id: passage for passage in read}
        claims: list[Claim] = []
        for draft in (await thinker.ask(ReadPassages(brief, part, read, 8), AT)).claims:
            passage = by_id[draft.passage_id]
            assert locate(draft.quote, passage.text)
            start = passage.start + passage.text.index(draft.quote)
            claims.append(make(draft.text, passage.source_id, start, quote=draft.quote, sub_question=part.id))
        parts.append(SubQuestionEvidence(part, tuple(claims)))
    sections: list[WrittenSection] = []
    for plan in (await thinker.ask(OutlineReport(brief, parts), AT)).sections:
        mine = [claim for part in parts if part.sub_question.id in plan.sub_questions for claim in part.claims]
        written = tuple(await thinker.ask(WriteParagraph(brief, plan, mine), AT))
        sections.append(WrittenSection(heading=plan.heading, paragraphs=(written,)))
    return sections, [claim for part in parts for claim in part.claims]


async def test_a_question_about_the_python_reference_is_answered_in_sentences_that_read_well(
    brief: Callable[..., Brief], claim: Callable[..., Claim]
) -> None:
    thinker: Thinker = Extractive()
    asked = brief("How does Python decide which exception handler runs, and what do finally and else do?")

    sections, claims = await researched(thinker, asked, claim)
    answer = await thinker.ask(ConcludeReport(asked, sections, claims, 600), AT)

    known = {claim.claim_id for claim in claims}
    said = [sentence for section in sections for paragraph in section.paragraphs for sentence in paragraph]
    assert [section.heading for section in sections] == [
        "How Python decides which exception handler runs",
        "Python: what do finally and else do?",
    ]
    assert len(said) >= 8
    for sentence in [*said, *answer]:
        assert sentence.claim_ids
        assert known.issuperset(sentence.claim_ids)
        assert sentence.text[-1] in ".…’”\"'"
        assert not any(mark in sentence.text for mark in ("``", "::=", ">>>", ":ref:", "See also"))
    assert any("“termination” model" in sentence.text for sentence in said)
    assert any("finally" in sentence.text for sentence in said)
    assert {judgement.verdict for judgement in await thinker.ask(JudgeClaims(asked, claims), AT)} == {"supported"}


async def test_the_same_input_gives_the_same_output(brief: Callable[..., Brief], claim: Callable[..., Claim]) -> None:
    asked = brief("How do generators and coroutines differ?")

    assert await researched(Extractive(), asked, claim) == await researched(Extractive(), asked, claim)


async def test_what_cannot_be_worded_anew_is_dropped_and_nothing_is_invented(brief: Callable[..., Brief]) -> None:
    thinker: Thinker = Extractive()
    draft = Draft(title="Ice")
    doubt = Doubt(Sentence(text="Ice sinks.", claim_ids=("c1",)), "not in the quote")

    assert thinker.name == "extractive"
    assert await thinker.ask(ReviewReport(brief(), draft, [], [], 3), AT) == Review()
    assert await thinker.ask(EditReport(brief(), draft, [], [], {}, 900), AT) == draft
    assert [sentence.text for sentence in await thinker.ask(RepairSentences(brief(), [doubt], []), AT)] == [""]
    assert await thinker.ask(AnswerDirectly(brief()), AT) == ""
    assert (await thinker.ask(AssessCoverage(brief(), [], 3), AT)).sufficiency == 1


async def test_thirty_passages_are_read_in_a_fraction_of_a_second(
    brief: Callable[..., Brief], part: Callable[..., SubQuestion]
) -> None:
    passages = reference()[:30]

    with spent() as taken:
        await Extractive().ask(
            ReadPassages(brief(), part("How are names resolved in nested functions?"), passages, 12), AT
        )

    # About 0.02 s of processor time; ten times that only on a machine that is not working.
    assert taken.seconds < 0.5

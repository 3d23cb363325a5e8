from collections.abc import Callable
from pydoc_data.topics import topics

from tests.stopwatch import spent

from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report.digest import digest
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.report import Draft, Review, Sentence
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.text.passages import pieces
from deepresearch_mcp.text.quotes import locate
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.thinkers.audit_tasks import RepairSentences
from deepresearch_mcp.thinkers.base import Doubt, Thinker
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.tasks import (
    AnswerDirectly,
    AssessCoverage,
    EditReport,
    JudgeClaims,
    PlanResearch,
    ReadPassages,
    ReviewReport,
)
from pipeline_fakes import page

AT = Step("test")
REFERENCE = {name: page(f"https://reference.example/{name}", text, title=name) for name, text in topics.items()}
"""The Python language reference, one page a topic."""


def reference() -> list[Passage]:
    """The reference, in passages."""
    return [
        Passage(
            passage_id=f"{name}:{piece.start}",
            source_id=document.source_id,
            start=piece.start,
            end=piece.end,
            text=document.text[piece.start : piece.end],
            heading=piece.heading,
        )
        for name, document in REFERENCE.items()
        for piece in pieces(document.text)
    ]


async def researched(thinker: Thinker, brief: Brief, make: Callable[..., Claim]) -> Findings:
    """Plan, and read what the reference says about a question."""
    passages = reference()
    ranker = Ranker([f"{passage.heading}\n{passage.text}" for passage in passages])
    findings = Findings(brief, plan=await thinker.ask(PlanResearch(brief, 4, 4), AT))
    documents = {document.source_id: document for document in REFERENCE.values()}
    for part in findings.sub_questions:
        read = [passages[at] for at in ranker.top(" ".join((part.text, *part.queries)), 15)]
        by_id = {passage.passage_id: passage for passage in read}
        for draft in (await thinker.ask(ReadPassages(brief, part, read, 8), AT)).claims:
            passage = by_id[draft.passage_id]
            assert locate(draft.quote, passage.text)
            start = passage.start + passage.text.index(draft.quote)
            found = make(draft.text, passage.source_id, start, quote=draft.quote, sub_question=part.id)
            findings.of(part.id).claims.append(found.model_copy(update={"verdict": "supported"}))
        findings.documents |= {one.source_id: documents[one.source_id] for one in read}
    return findings


async def test_a_question_about_the_python_reference_is_answered_in_whole_passages(
    brief: Callable[..., Brief], claim: Callable[..., Claim]
) -> None:
    thinker: Thinker = Extractive()
    asked = brief("How does Python decide which exception handler runs, and what do finally and else do?")

    findings = await researched(thinker, asked, claim)
    draft = digest(findings, ResearchSettings())

    assert [section.heading for section in draft.sections][:2] == [
        "How does Python decide which exception handler runs?",
        "Python: what do finally and else do?",
    ]
    shown = [sentence for section in draft.sections for block in section.blocks for sentence in block.sentences]
    assert len(shown) >= 4
    for sentence in shown:
        [quote] = [quote for name in sentence.claim_ids for quote in findings.passages[name].quotes]
        assert findings.documents[quote.source_id].text[quote.start : quote.end] == sentence.text
    assert any("“termination” model" in sentence.text for sentence in shown)
    assert any("finally" in sentence.text for sentence in shown)
    claims = [claim for state in findings.states.values() for claim in state.claims]
    assert claims
    assert {judgement.verdict for judgement in await thinker.ask(JudgeClaims(asked, claims), AT)} == {"supported"}


async def test_the_same_input_gives_the_same_output(brief: Callable[..., Brief], claim: Callable[..., Claim]) -> None:
    asked = brief("How do generators and coroutines differ?")

    one, other = [await researched(Extractive(), asked, claim) for _ in range(2)]

    assert one.plan == other.plan
    assert digest(one, ResearchSettings()) == digest(other, ResearchSettings())
    assert one.passages == other.passages
    assert one.passages


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

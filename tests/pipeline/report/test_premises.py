"""Facts that a judgement names a thing of, and does not name."""

from deepresearch_mcp.pipeline.report.beside import Beside
from deepresearch_mcp.pipeline.report.premises import with_whole_premises
from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection
from pipeline_fakes import claim, page

PAGE = page(
    "https://tools.example/",
    "Every store has a tool that copies it while it runs. `fossil bundle` packs a repository into one file."
    " `fossil check --deep` reads each record and tests its hash. Otters sleep on the water.",
)
TOOL = claim(PAGE, "Every store has a tool that copies it while it runs.")
BUNDLE = claim(PAGE, "`fossil bundle` packs a repository into one file.")
CHECK = claim(PAGE, "`fossil check --deep` reads each record and tests its hash.")
OTTERS = claim(PAGE, "Otters sleep on the water.")
CLAIMS = {one.claim_id: one for one in (TOOL, BUNDLE, CHECK, OTTERS)}


def whole(*sentences: Sentence) -> list[Sentence]:
    section = WrittenSection(heading="Advice", blocks=(Block(kind="steps", rows=tuple((one,) for one in sentences)),))
    done = with_whole_premises(Draft(title="Stores", sections=(section,)), CLAIMS, Beside(CLAIMS))
    return list(done.sections[0].sentences)


def advice(text: str, *premises: str) -> Sentence:
    return Sentence(text=text, kind="judgement", premises=premises)


def test_advice_that_names_a_tool_also_rests_on_the_fact_that_tells_of_it() -> None:
    [found] = whole(advice("Copy each store with its tool: `fossil bundle` for repositories.", TOOL.claim_id))

    assert found.premises == (TOOL.claim_id, BUNDLE.claim_id)


def test_what_no_fact_tells_of_adds_none_and_nor_does_what_its_premises_hold() -> None:
    strange = advice("Copy each store with its tool, such as `rustic forget`.", TOOL.claim_id)
    held = advice("Pack repositories with `fossil bundle`.", BUNDLE.claim_id)

    assert whole(strange, held) == [strange, held]


def test_facts_advice_without_a_premise_and_code_stay_as_they_are() -> None:
    fact = Sentence(text="Stores are checked with `fossil check --deep`.", claim_ids=(TOOL.claim_id,))
    bare = advice("Check stores with `fossil check --deep`.")

    assert whole(fact, bare) == [fact, bare]


def test_two_facts_are_added_at_most() -> None:
    more = advice("Use `fossil bundle`, `fossil check --deep` and the Otters on the water.", TOOL.claim_id)

    [found] = whole(more)

    assert len(found.premises) == 3

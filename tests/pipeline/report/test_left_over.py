"""What says nothing any more once other sentences are out."""

from deepresearch_mcp.pipeline.report.left_over import left_over
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection
from pipeline_fakes import claim, page

TOPIC = Sentence(text="The defaults differ in what it takes to change them.", claim_ids=("c1", "c2"))
ONE = Sentence(text="PostgreSQL needs a new cluster.", claim_ids=("c1",))
OTHER = Sentence(text="Git needs one setting.", claim_ids=("c2",))
LEAD = Sentence(text="SQLite offers the same:")
ITEMS = Block(kind="steps", rows=((ONE,), (OTHER,)))
TABLE = Block(kind="table", head=("", "Change"), rows=((Sentence(text="Git"), OTHER),))


def drafted(*blocks: Block) -> Draft:
    return Draft(title="Defaults", sections=(WrittenSection(heading="A", blocks=blocks),))


def prose(*sentences: Sentence) -> Block:
    return Block(rows=(sentences,))


def left(
    *blocks: Block, gone: tuple[Sentence, ...] = (), claims: dict[str, Claim] | None = None
) -> dict[str, str | None]:
    found = left_over(drafted(*blocks), gone, {TOPIC}, claims or {})
    return {one.text: said and said.text for one, said in found.items()}


def test_a_paragraph_that_keeps_only_its_topic_sentence_goes() -> None:
    assert left(prose(TOPIC, ONE, OTHER), gone=(ONE, OTHER)) == {TOPIC.text: None}
    assert left(prose(TOPIC, ONE, OTHER), gone=(ONE,)) == {}
    assert left(prose(TOPIC), prose(ONE), gone=(ONE,)) == {}


def test_a_topic_sentence_above_a_list_that_stands_stays() -> None:
    assert left(prose(TOPIC, ONE), ITEMS, gone=(ONE,)) == {}
    assert left(prose(TOPIC, ONE), TABLE, gone=(ONE, OTHER)) == {TOPIC.text: None}


def test_a_lead_in_to_a_list_or_table_that_is_gone_goes() -> None:
    assert left(prose(ONE, LEAD), TABLE, gone=(OTHER,)) == {LEAD.text: None}
    assert left(prose(ONE, LEAD), TABLE) == {}
    assert left(prose(TOPIC, LEAD), TABLE, gone=(OTHER,)) == {LEAD.text: None, TOPIC.text: None}
    assert left(prose(LEAD, ONE), gone=(ONE,)) == {LEAD.text: None}


def test_a_colon_behind_a_fact_becomes_a_full_stop() -> None:
    fact = Sentence(text="Git has two ways to do it:", claim_ids=("c1",))

    assert left(prose(fact), ITEMS, gone=(ONE, OTHER)) == {fact.text: "Git has two ways to do it."}
    assert left(prose(fact), prose(ONE)) == {}


def test_the_number_of_a_step_that_is_lost_or_moved_is_not_named() -> None:
    by_number = Sentence(text="With Git, let it replace steps 1 and 2.", claim_ids=("c2",))
    clause = Sentence(text="Git is enough; step 2 says why.", claim_ids=("c2",))

    assert left(ITEMS, prose(by_number, clause)) == {}
    assert left(ITEMS, prose(by_number, clause), gone=(ONE,)) == {by_number.text: None, clause.text: "Git is enough."}
    assert left(prose(by_number, ONE)) == {by_number.text: None}


def test_the_steps_of_a_page_are_named_as_the_page_numbers_them() -> None:
    own = claim(page("https://one.example/", "Step 2 waits."), "Step 2 waits.")
    named = Sentence(text="In step 2 it waits.", claim_ids=(own.claim_id,))

    assert left(prose(named, ONE), claims={own.claim_id: own}) == {}

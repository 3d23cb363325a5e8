"""What a sentence without a claim rests on."""

from deepresearch_mcp.pipeline.report.topics import with_topics
from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection

TOPIC = Sentence(text="Two things keep writers apart.")
LOCK = Sentence(text="SQLite locks the file.", claim_ids=("c1", "c2"))
ROW = Sentence(text="PostgreSQL locks the row.", claim_ids=("c3",))
ADVICE = Sentence(text="Choose by the number of writers.", kind="judgement", premises=("c4",))


def drafted(*blocks: Block) -> Draft:
    return Draft(title="Locks", sections=(WrittenSection(heading="A", blocks=blocks),))


def prose(*sentences: Sentence, title: str = "") -> Block:
    return Block(rows=(sentences,), title=title)


def grounded(*blocks: Block) -> list[tuple[str, ...]]:
    draft, topics = with_topics(drafted(*blocks))
    found = [one for section in draft.sections for one in section.sentences]
    assert topics == {one for one in found if one.text not in {LOCK.text, ROW.text, ADVICE.text} and one.rests_on}
    return [one.rests_on for one in found]


def test_at_the_head_of_a_paragraph_it_rests_on_the_sentences_behind_it_the_first_claim_of_each_first() -> None:
    assert grounded(prose(TOPIC, LOCK, ROW)) == [("c1", "c3", "c2"), LOCK.claim_ids, ROW.claim_ids]
    assert with_topics(drafted(prose(TOPIC, LOCK)))[0].sections[0].sentences[0].kind == "synthesis"
    assert with_topics(drafted(prose(TOPIC, ROW)))[0].sections[0].sentences[0].kind == "fact"


def test_at_the_end_of_a_paragraph_it_rests_on_those_before_it() -> None:
    assert grounded(prose(LOCK, ROW, TOPIC))[-1] == ("c3", "c1", "c2")


def test_what_stands_behind_the_next_topic_sentence_belongs_to_that_one() -> None:
    other = Sentence(text="The row is another matter.")

    assert grounded(prose(TOPIC, LOCK, other, ROW))[::2] == [("c1", "c2"), ("c3",)]


def test_alone_it_rests_on_the_list_behind_it_or_on_the_paragraph_before_it() -> None:
    items = Block(kind="list", rows=((LOCK,), (ROW,)))

    assert grounded(prose(ADVICE), prose(TOPIC), items)[1] == ("c1", "c3", "c2")
    assert grounded(prose(ADVICE), prose(TOPIC), prose(ROW))[1] == ("c4",)
    assert grounded(prose(TOPIC), prose(ROW))[0] == ("c3",)
    assert grounded(prose(ADVICE), prose(TOPIC, title="Rows"), prose(ROW, title="Files"))[1] == ()


def test_an_advice_without_premises_gets_premises() -> None:
    bare = Sentence(text="Keep writers apart.", kind="judgement")
    draft, _ = with_topics(drafted(prose(bare, LOCK)))

    assert draft.sections[0].sentences[0].premises == LOCK.claim_ids


def test_an_item_of_a_list_rests_on_its_own_sentences_only() -> None:
    assert grounded(Block(kind="list", rows=((TOPIC, ROW), (TOPIC,)))) == [("c3",), ROW.claim_ids, ()]


def test_a_lead_in_an_absence_a_cell_and_code_stay_as_they_are() -> None:
    blocks = (
        prose(Sentence(text="As follows:"), Sentence(text="The pages name no lock.", absence=True), LOCK),
        Block(kind="table", head=("", "Lock"), rows=((Sentence(text="SQLite"), Sentence(text="file")),)),
        Block(kind="code", rows=((Sentence(text="BEGIN IMMEDIATE"),),)),
    )

    assert with_topics(drafted(*blocks)) == (drafted(*blocks), frozenset())


def test_the_paragraphs_of_the_opening_are_held_apart() -> None:
    opens = TOPIC.model_copy(update={"opens": True})
    draft, topics = with_topics(Draft(title="Locks", in_short=(LOCK, opens, ROW)))

    assert [one.rests_on for one in draft.in_short] == [LOCK.claim_ids, ("c3",), ROW.claim_ids]
    assert topics == {draft.in_short[1]}


def test_a_wording_of_two_sentences_is_known_by_each() -> None:
    both = Sentence(text="Writers have to wait here. Readers go on as before.")
    _, topics = with_topics(drafted(prose(both, ROW)))

    assert {one.text for one in topics} == {"Writers have to wait here.", "Readers go on as before."}


def test_what_opens_a_section_rests_on_the_first_sentence_of_each_of_its_paragraphs() -> None:
    first, *_ = grounded(prose(TOPIC), prose(LOCK, LOCK), prose(ROW), prose(ADVICE))

    assert first == ("c1", "c3", "c4", "c2")

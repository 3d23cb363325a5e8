"""What a report would lose with a sentence, told in the words of the claims beneath it."""

import pytest

from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.pipeline.report.restoring import change, led_in, refilled, restored, retold
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Block, Sentence, WrittenSection
from pipeline_fakes import claim, page

SEA = page("https://one.example/sea", "Ice floats. Salt sinks. Fish swim.")
ICE, SALT, FISH = (claim(SEA, f"{words}.") for words in ("Ice floats", "Salt sinks", "Fish swim"))
CLAIMS = {one.claim_id: one for one in (ICE, SALT, FISH)}


def said(text: str, *own: Claim) -> Sentence:
    return Sentence(text=text, claim_ids=tuple(one.claim_id for one in own))


def bare(*own: Claim) -> tuple[Sentence, ...]:
    return tuple(said(one.text, one) for one in own)


WIDE = said("Ice floats because salt sinks.", ICE, SALT)


def as_it_is(sentence: Sentence) -> Sentence:
    return sentence


def item(sentence: Sentence) -> Piece:
    """The sentence as an item of a list."""
    return Piece(sentence, apart=True)


def test_the_claims_of_a_lost_item_stand_in_its_place_in_their_own_words() -> None:
    cell = Piece(WIDE, "Ice", "Why", apart=True)

    assert restored([item(WIDE)], {item(WIDE): None}, CLAIMS, as_it_is) == {item(WIDE): bare(ICE, SALT)}
    assert restored([cell], {cell: None}, CLAIMS, as_it_is) == {cell: bare(ICE, SALT)}


def test_in_running_text_a_bare_claim_stands_only_where_it_decides_or_where_nobody_could_mend_the_sentence() -> None:
    text = Piece(WIDE)
    decisive = CLAIMS | {SALT.claim_id: SALT.model_copy(update={"weight": 3})}

    assert restored([text], {text: None}, CLAIMS, as_it_is) == {}
    assert restored([text], {text: None}, CLAIMS, as_it_is, [text]) == {text: bare(ICE, SALT)}
    assert restored([text], {text: None}, decisive, as_it_is) == {text: bare(SALT)}


def test_no_more_than_two_claims_stand_in_the_place_of_one_sentence_of_running_text() -> None:
    text = Piece(said("All of it.", ICE, SALT, FISH))

    assert restored([text], {text: None}, CLAIMS, as_it_is, [text]) == {text: bare(ICE, SALT)}
    assert restored([item(text.sentence)], {item(text.sentence): None}, CLAIMS, as_it_is) == {
        item(text.sentence): bare(ICE, SALT, FISH)
    }


def test_a_cell_that_would_be_empty_tells_its_weightiest_claim_again() -> None:
    cell, told = Piece(WIDE, "Ice", "Why", apart=True), item(bare(ICE)[0])
    heavy = CLAIMS | {SALT.claim_id: SALT.model_copy(update={"weight": 3})}
    refused = CLAIMS | {one.claim_id: one.model_copy(update={"verdict": "unsupported"}) for one in (ICE, SALT)}
    lost = {cell: None}

    assert restored([told, *map(item, bare(SALT)), cell], lost, heavy, as_it_is) == {cell: bare(SALT)}
    assert restored([told, told, cell], lost, refused, as_it_is) == {}
    assert restored([item(bare(ICE)[0]), item(bare(SALT)[0]), item(WIDE)], {item(WIDE): None}, heavy, as_it_is) == {}


def test_a_long_claim_fills_no_cell() -> None:
    long = claim(SEA, "Ice floats.", f"Ice floats{', as it is lighter than water' * 5}.")
    cell = Piece(said("Floats", long), "Ice", "Why", apart=True)

    assert restored([cell], {cell: None}, {long.claim_id: long}, as_it_is) == {}
    assert restored([item(cell.sentence)], {item(cell.sentence): None}, {long.claim_id: long}, as_it_is) != {}


def test_what_stays_or_was_mended_needs_nothing_in_its_place() -> None:
    assert restored([item(WIDE)], {}, CLAIMS, as_it_is) == {}
    assert restored([item(WIDE)], {item(WIDE): said("Salt sinks.", SALT)}, CLAIMS, as_it_is) == {}


def test_what_another_sentence_tells_is_not_told_again() -> None:
    wide, other, twice = (item(one) for one in (WIDE, said("Salt, it is said, sinks.", SALT), said("Ice!", ICE)))
    fish = bare(FISH)[0]

    assert restored([wide, other], {wide: None}, CLAIMS, as_it_is) == {wide: bare(ICE)}
    assert restored([wide, twice], {wide: None, twice: None}, CLAIMS, as_it_is) == {wide: bare(ICE, SALT)}
    assert restored([wide, other], {wide: None, other: fish}, CLAIMS, as_it_is) == {wide: bare(ICE, SALT)}


@pytest.mark.parametrize("more", [{"verdict": "partly"}, {"verdict": "disputed"}, {"disputes": ("c0",)}])
def test_only_what_is_supported_and_undisputed_is_restored(more: dict[str, object]) -> None:
    known = CLAIMS | {ICE.claim_id: ICE.model_copy(update=more)}

    assert restored([item(WIDE)], {item(WIDE): None}, known, as_it_is) == {item(WIDE): bare(SALT)}
    assert restored([item(WIDE)], {item(WIDE): None}, {}, as_it_is) == {}


def test_a_claim_whose_own_words_may_not_be_written_is_left_out() -> None:
    assert restored([item(WIDE)], {item(WIDE): None}, CLAIMS, lambda _: None) == {}


def test_an_opening_that_lost_a_part_of_its_answer_has_the_best_claim_on_it_instead() -> None:
    best = FISH.model_copy(update={"sub_question": "q2", "independent": 2})
    other = SALT.model_copy(update={"sub_question": "q2"})
    opinion = ICE.model_copy(update={"sub_question": "q2", "independent": 3, "kind": "opinion", "claim_id": "c9"})
    known = {one.claim_id: one for one in (ICE, best, other, opinion)}
    before = (*bare(ICE), said("Salt sinks too.", other))

    assert refilled(before, bare(ICE), [ICE, other, opinion, best], known) == bare(ICE, best)
    assert refilled(before, before, [best], known) == before
    assert refilled(before, bare(ICE), [ICE, opinion], known) == bare(ICE)


def test_what_the_opening_loses_is_told_in_a_sentence_of_a_section_that_says_most_of_it() -> None:
    lost, other = Piece(WIDE.model_copy(update={"opens": True})), Piece(said("Fish swim.", FISH))
    body = said("Salt sinks, as ice does not.", SALT, ICE)
    leaning = Piece(said("Because of that ice floats while salt sinks.", ICE, SALT), before="Ice is light.")
    sections = [
        leaning,
        Piece(said("Ice floats and salt sinks.", ICE, SALT), "Ice", "Why"),
        Piece(body),
        Piece(bare(FISH)[0]),
    ]

    found = retold([lost, other], sections, {lost: None})

    assert found == {lost: (body.model_copy(update={"opens": True}),)}
    assert retold([lost], sections, {lost: None, Piece(body): None}) == {}
    assert retold([Piece(body), lost], sections, {lost: None}) == {}


def test_a_sentence_of_a_section_that_says_a_small_part_of_what_the_opening_lost_does_not_stand_in_for_it() -> None:
    lost = Piece(said("Ice, salt and fish differ.", ICE, SALT, FISH))

    assert retold([lost], [Piece(said("Ice floats on top.", ICE))], {lost: None}) == {}


def test_a_piece_becomes_its_new_wording_what_replaces_it_or_nothing() -> None:
    kept, worded, gone, replaced = (Piece(said(text, ICE)) for text in ("Ice floats.", "Ice.", "Salt.", "Fish."))
    new = said("Ice floats on top. It melts in spring.", ICE)
    become = change({worded: new, gone: None, replaced: None}, {replaced: bare(FISH)})

    assert [one.text for one in become(worded)] == ["Ice floats on top.", "It melts in spring."]
    assert (become(kept), become(gone), become(replaced)) == ((kept.sentence,), (), bare(FISH))


def section(*blocks: Block) -> WrittenSection:
    return WrittenSection(heading="Ice", blocks=blocks)


TABLE = Block(kind="table", head=("Ice", "Salt"), rows=((said("floats"), said("sinks", SALT)),))
REPLACED = {Piece(WIDE): bare(ICE, SALT)}


def test_a_claim_s_own_words_do_not_open_a_section_that_has_written_prose() -> None:
    written = said("Fish swim below it.", FISH)
    one = section(Block(rows=((*bare(ICE, SALT), written),)))
    before_a_table = section(Block(rows=(bare(ICE),)), TABLE, Block(rows=((written,),)))

    first, second = led_in([one, before_a_table], REPLACED)

    assert first == section(Block(rows=((written, *bare(ICE, SALT)),)))
    assert second == section(TABLE, Block(rows=((written, *bare(ICE)),)))


@pytest.mark.parametrize(
    "stays",
    [
        section(Block(rows=(bare(ICE),)), TABLE),
        section(Block(title="Why", rows=((*bare(ICE), said("Fish swim.", FISH)),))),
        section(Block(rows=((said("Fish swim.", FISH), *bare(ICE)),))),
        section(TABLE),
        section(),
    ],
)
def test_where_nothing_is_written_to_stand_behind_a_section_stays_as_it_is(stays: WrittenSection) -> None:
    assert led_in([stays], REPLACED) == (stays,)


def test_a_claim_that_opened_a_section_goes_under_the_sub_heading_that_it_speaks_of() -> None:
    on_fish, on_ice = (Block(title=title, rows=((said("They do.", FISH),),)) for title in ("Fish", "Ice"))

    [found] = led_in([section(Block(rows=(bare(ICE),)), on_fish, on_ice)], REPLACED)

    assert [[one.text for one in block.sentences] for block in found.blocks] == [
        ["They do."],
        ["They do.", "Ice floats."],
    ]

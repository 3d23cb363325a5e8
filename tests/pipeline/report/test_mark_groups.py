"""One mark for neighbouring sentences."""

from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.cited_text.parse import parse_cited_text
from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.block_markdown import block_markdown
from deepresearch_mcp.pipeline.report.mark_groups import prose
from deepresearch_mcp.pipeline.report.references import references
from deepresearch_mcp.records.report import Block, Sentence
from deepresearch_mcp.text.citations import NOTE
from pipeline_fakes import claim, page

WORDS = [f"Ice {n} floats well." for n in range(8)]
PAGES = [page(f"https://p{n}.example/", " ".join(WORDS)) for n in range(8)]
CLAIMS = {(n, m): claim(PAGES[n], words) for n in range(8) for m, words in enumerate(WORDS)}


def fact(text: str, *places: tuple[int, int]) -> Sentence:
    return Sentence(text=text, claim_ids=tuple(CLAIMS[place].claim_id for place in places))


def ours(text: str, *places: tuple[int, int]) -> Sentence:
    return Sentence(text=text, kind="judgement", premises=tuple(CLAIMS[place].claim_id for place in places))


NUMBERS = Numbering(
    {one.claim_id: one for one in CLAIMS.values()},
    {one.source_id: one for one in PAGES},
    [fact("All.", place) for place in CLAIMS],
)


def test_facts_in_a_row_share_a_mark_that_names_the_quotes_of_one_page_or_several_pages():
    one, two, three = fact("One.", (0, 0)), fact("Two.", (0, 1)), fact("Three.", (1, 0))

    assert prose([one, two], NUMBERS) == "One. Two. [1a,b]"
    assert prose([one, two, three], NUMBERS) == "One. Two. Three. [1, 2]"


def test_facts_share_a_mark_as_long_as_it_leads_to_few_quotes():
    chain = [fact("One.", (0, 0)), fact("Two.", (0, 1), (1, 0)), fact("Three.", (1, 1))]
    wide = [fact("One.", (0, 0), (1, 0)), fact("Two.", (0, 1), (2, 0), (3, 0))]
    many = [fact("One.", *((0, m) for m in range(4))), fact("Two.", *((0, m) for m in range(4, 8)))]

    assert prose(chain, NUMBERS) == "One. Two. [1, 2] Three [2b]."
    assert prose(wide, NUMBERS) == "One [1a, 2a]. Two [1, 3, 4]."
    assert prose(many, NUMBERS) == "One [1]. Two [1]."


def test_judgements_share_a_mark_of_what_they_rest_on_beside_the_facts_around_them():
    text = prose([fact("One.", (0, 0)), ours("Two.", (0, 0)), ours("Three!", (1, 0), (2, 0))], NUMBERS)

    assert text == "One [1a]. Two. Three! [cf. 2, 3]"
    assert prose([ours("Two.", (0, 0), (1, 0)), fact("One.", (0, 0))], NUMBERS) == "Two [cf. 2]. One [1a]."
    assert prose([fact("One.", (0, 0)), ours("Two.", (0, 1))], NUMBERS) == "One [1a]. Two."


def test_a_fact_behind_a_judgement_has_its_own_mark_so_that_no_mark_reaches_back_over_it():
    said = [ours("Two.", (0, 0)), *(fact(f"{n}.", (0, m)) for m, n in enumerate(("One", "Three", "Four")))]

    assert prose(said, NUMBERS) == "Two. One [1a]. Three. Four. [1b,c]"


def test_sentences_of_other_scripts_share_a_mark_too():
    said = [
        fact("湖冰浮在水面上。", (0, 0)),
        fact("盐水结冰较晚。", (0, 1)),
        ours("带上冰块去旅行。", (1, 0)),
        ours("把盐留在家里。", (1, 1)),
    ]
    listed = references(NUMBERS.citations(), {one.source_id: one for one in PAGES}).markdown

    text = prose(said, NUMBERS)

    assert text == "湖冰浮在水面上。 盐水结冰较晚。 [1a,b] 带上冰块去旅行。 把盐留在家里。 [cf. 2]"
    found = parse_cited_text(f"# 冰\n\n{text}\n\n{NOTE}\n\n## References\n\n{listed}").statements
    assert [(one.text, [mark.key for mark in one.marks]) for one in found] == [
        ("湖冰浮在水面上。", ["1a", "1b"]),
        ("盐水结冰较晚。", ["1a", "1b"]),
    ]


def test_in_the_opening_facts_in_a_row_share_a_mark_of_few_pages():
    said = [fact("One.", (0, 0)), fact("Two.", (1, 0)), ours("Three.", (2, 0)), ours("Four.")]

    assert prose(said, NUMBERS, opening=True) == "One. Two. [1, 2] Three. Four. [cf. 3]"


def test_a_mark_never_covers_a_sentence_without_sources_nor_one_without_an_end():
    absent = Sentence(text="Nothing is said on salt.", absence=True)

    assert prose([absent, fact("One.", (0, 0)), fact("Two.", (0, 1)), fact("Three.", (0, 2))], NUMBERS) == (
        "Nothing is said on salt. One [1a]. Two. Three. [1b,c]"
    )
    assert prose([fact("One", (0, 0)), fact("Two.", (0, 1))], NUMBERS) == "One [1a] Two [1b]."


def test_judgements_on_many_pages_have_a_mark_as_soon_as_it_would_name_more_than_three():
    said = [ours(f"{word}.", (n, 0), (n + 1, 0)) for n, word in enumerate(("Red", "Blue", "Green", "Grey"))]

    assert prose(said, NUMBERS) == "Red. Blue. [cf. 1, 2, 3] Green. Grey. [cf. 4, 5]"
    assert prose([*said[:3], ours("Black.", (0, 0))], NUMBERS) == "Red. Blue. [cf. 1, 2, 3] Green. Black. [cf. 4]"


def test_each_item_of_a_list_names_what_it_rests_on():
    rows = ((ours("Ice: Take it along.", (0, 0)),), (ours("Salt: Leave it at home.", (1, 0)),), (fact("One.", (1, 0)),))

    assert block_markdown(Block(kind="list", rows=rows), NUMBERS) == (
        "- **Ice:** Take it along [cf. 1].\n- **Salt:** Leave it at home [cf. 2].\n- One [2a]."
    )


def test_a_reader_of_the_text_finds_every_fact_with_its_own_quote_and_no_judgement():
    said = [
        fact("Ice floats on every lake in `3.1`.", (0, 0)),
        fact("Salt water freezes later in 3.1.", (0, 1)),
        ours("So take ice along on journeys.", (0, 0)),
        ours("Leave salt water at home instead.", (1, 0)),
        fact("`freeze()` turns water into ice.", (1, 1)),
    ]
    items = Block(kind="list", rows=((ours("Take much ice along.", (0, 0)),), (ours("Take no salt along.", (1, 0)),)))
    snow = prose([fact("Snow melts early.", (2, 0))], NUMBERS)
    parts = (prose(said, NUMBERS), NOTE, block_markdown(items, NUMBERS), snow)

    listed = references(NUMBERS.citations(), {one.source_id: one for one in PAGES}).markdown

    found = parse_cited_text("# Ice\n\n" + "\n\n".join((*parts, "## References", listed))).statements

    assert [(one.text, [mark.key for mark in one.marks]) for one in found] == [
        ("Ice floats on every lake in 3.1.", ["1a", "1b"]),
        ("Salt water freezes later in 3.1.", ["1a", "1b"]),
        ("freeze() turns water into ice.", ["2b"]),
        ("Snow melts early.", ["3a"]),
    ]


LISTED = references(NUMBERS.citations(), {one.source_id: one for one in PAGES}).markdown
PLACES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 7)), min_size=1, max_size=3, unique=True)
SAID = st.lists(st.tuples(st.sampled_from(["fact", "ours", "absent"]), PLACES), min_size=1, max_size=8)


@given(SAID, st.booleans())
def test_whatever_is_grouped_each_fact_keeps_its_pages_and_no_judgement_is_held_to_one(
    said: list[tuple[str, list[tuple[int, int]]]], opening: bool
):
    made = {"fact": fact, "ours": ours, "absent": lambda text, *_: Sentence(text=text, absence=True)}
    texts = [f"Lake number {n} freezes over slowly." for n in range(len(said))]
    row = [made[kind](text, *places) for (kind, places), text in zip(said, texts, strict=True)]

    found = parse_cited_text(f"# Ice\n\n{prose(row, NUMBERS, opening=opening)}\n\n{NOTE}\n\n## References\n\n{LISTED}")

    stated = {one.text: one.marks for one in found.statements}
    for (kind, places), text in zip(said, texts, strict=True):
        if kind == "fact":
            assert {PAGES[page].url for page, _ in places} <= {mark.url.partition("#")[0] for mark in stated[text]}
        assert kind != "ours" or text not in stated
    assert found.dangling == ()

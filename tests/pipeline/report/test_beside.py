"""Claims beside a doubted sentence."""

from deepresearch_mcp.pipeline.report.beside import Beside
from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.records.report import Sentence
from pipeline_fakes import claim, page

PAGE = page(
    "https://one.example/",
    "Ice floats on water. Ice melts at zero degrees. Salt melts ice on roads. Ice breaks ships. Cats purr at night.",
)
FLOATS = claim(PAGE, "Ice floats on water.")
MELTS = claim(PAGE, "Ice melts at zero degrees.")
SALT = claim(PAGE, "Salt melts ice on roads.")
SHIPS = claim(PAGE, "Ice breaks ships.", verdict="unsupported")
CATS = claim(PAGE, "Cats purr at night.")
CLAIMS = {one.claim_id: one for one in (FLOATS, MELTS, SALT, SHIPS, CATS)}


def test_the_nearest_claims_that_a_sentence_does_not_name_are_found():
    said = Piece(Sentence(text="Salt melts ice at zero degrees.", claim_ids=(FLOATS.claim_id,)))

    assert set(Beside(CLAIMS).of(said)) == {MELTS.claim_id, SALT.claim_id}


def test_a_cell_is_looked_for_with_its_row_and_column():
    cell = Piece(Sentence(text="zero"), "Ice", "melts at degrees", apart=True)

    assert Beside(CLAIMS).of(cell)[0] == MELTS.claim_id


def test_what_shares_no_words_or_may_not_be_written_is_not_offered():
    assert Beside(CLAIMS).of(Piece(Sentence(text="Trains arrive late."))) == ()
    assert SHIPS.claim_id not in Beside(CLAIMS).of(Piece(Sentence(text="Ice breaks ships.")))
    assert Beside({}).of(Piece(Sentence(text="Ice floats."))) == ()


def test_of_claims_equally_near_the_one_that_decides_or_holds_the_figure_is_offered_first():
    texts = [f"The limit of {kind} strings is set {how}." for kind, how in (
        ("long", "once"), ("short", "early"), ("old", "late"), ("new", "twice"),
    )]  # fmt: skip
    limits = page("https://one.example/limits", " ".join((*texts, "The limit of strings is 512 bytes.")))
    known = [claim(limits, text, weight=1) for text in texts]
    decides = claim(limits, texts[3], weight=3)
    figure = claim(limits, "The limit of strings is 512 bytes.", weight=1)
    claims = {one.claim_id: one for one in (*known[:3], decides, figure)}

    assert Beside(claims).of(Piece(Sentence(text="The limit of strings is set.")))[:2].count(decides.claim_id) == 1
    assert Beside(claims).of(Piece(Sentence(text="The limit is set at 512 bytes.")))[0] == figure.claim_id

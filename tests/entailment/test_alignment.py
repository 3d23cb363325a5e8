import pytest

from deepresearch_mcp.entailment.alignment import carries
from deepresearch_mcp.entailment.rewording import Around

OPENED = "The Selmar canal opened in 1904 and is 61 kilometres long."
DUG = "The Selmar canal was dug by the surveyor Ines Dahl."
LOCKS = "Its four locks are each 12 metres wide, and about 3,500 boats pass the Selmar canal every year."
LINED = "In 1956 the bed of the Selmar canal was lined, because the old clay had cracked."
ROWERS = "Rowers have been allowed on the Selmar canal since 1971."
KIND = "The Selmar canal is a summit canal in the county of Velby."
TITLE = Around("", ("Selmar canal",))


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (OPENED, OPENED),
        ("The Selmar canal opened in 1904.", OPENED),
        ("In 1904 the Selmar canal opened.", OPENED),
        ("The Selmar canal is 61 km long.", OPENED),
        ("Ines Dahl dug the Selmar canal.", DUG),
        ("The Selmar canal was dug by Ines Dahl.", DUG),
        ("The county council closed the canal.", "The canal was closed by the county council in 1990."),
        ("The canal was closed by the county council.", "The county council closed the canal in 1990."),
        ("3,500 boats pass the Selmar canal every year.", LOCKS),
        ("The four locks of the Selmar canal are 12 metres wide.", LOCKS),
        ("The bed of the Selmar canal was lined in 1956.", LINED),
        ("The bed was lined because the old clay had cracked.", LINED),
        ("Since 1971 rowers have been allowed on the Selmar canal.", ROWERS),
        ("The Selmar canal is a summit canal.", KIND),
        ("The capital of Velby is Norholt.", "Norholt is the capital of Velby."),
        ("The default mode of Kestrel is strict.", "Strict is the default mode in Kestrel."),
        ("The log is trimmed at 500 entries.", "The log is trimmed at a size of 500 entries."),
        ("The museum holds 300 maps.", "The museum, founded in 1900, holds 300 maps."),
        ("The museum was founded in 1900.", "The museum, founded in 1900, holds 300 maps."),
        ("The canal opened on 3 April 1904.", "The canal opened on April 3, 1904."),
        ("The canal opened in 1904.", "The canal opened on April 3, 1904."),
        ("The company doesn't sell boats.", "The company does not sell boats, but hires them out."),
        ("More than 500 people live there.", "Over 500 people live there."),
        ("Ice is less dense than water.", "Ice is less dense than liquid water, so it floats."),
    ],
)
def test_a_sentence_carries_what_it_says_in_other_order_or_with_more_beside_it(statement: str, sentence: str) -> None:
    assert carries(statement, sentence, TITLE)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The Selmar canal closed in 1904.", OPENED),
        ("The Selmar canal is 61 miles long.", OPENED),
        ("Strict is the default mode in Kestrel.", "Lenient is the default mode in Kestrel."),
        ("Reads are faster than writes.", "Reads are slower than writes."),
        ("Its four locks are each 61 metres wide.", LOCKS),
        ("The canal has 12 locks.", "The canal has 4 locks and 12 weirs."),
        ("The canal has 4 weirs.", "The canal has 4 locks and 12 weirs."),
        ("The canal cost 5 million.", "The canal cost 5 billion."),
        ("The gap is 20 metres.", "The gap is 10-20 metres."),
    ],
)
def test_another_word_figure_or_unit_is_not_carried(statement: str, sentence: str) -> None:
    assert not carries(statement, sentence, TITLE)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("3,500 boats pass the Selmar canal every day.", LOCKS),
        ("Fewer than 3,500 boats pass the Selmar canal every year.", LOCKS),
        ("At most 3,500 boats pass the Selmar canal every year.", LOCKS),
        ("Rowers have been allowed on the Selmar canal until 1971.", ROWERS),
        ("Rowers have been allowed on the Selmar canal before 1971.", ROWERS),
        ("Only rowers have been allowed on the Selmar canal since 1971.", ROWERS),
        ("The Selmar canal opened before 1904.", OPENED),
        ("The Selmar canal may have opened in 1904.", OPENED),
        ("All canals freeze.", "Canals freeze."),
        ("Canals freeze.", "Not all canals freeze."),
        ("Canals freeze.", "Canals rarely freeze."),
        ("The default is 100.", "The default is typically 100."),
        ("The canal opened in 1904.", "The canal may have opened in 1904."),
        ("The canal opened in 1904.", "The canal is to open in 1904."),
        ("The canal was closed.", "The canal is to be closed."),
        ("The canal opened in 1904.", "The canal opened in 1904 or 1905."),
        ("The canal opened in 1904.", "If the money is found the canal opened in 1904."),
        ("The canal opened in 1904.", "The mayor denied that the canal opened in 1904."),
        ("The canal was unsafe.", "A critic said that the canal was unsafe."),
        ("Boats are allowed on the canal.", "Boats are allowed on the canal only at night."),
        ("The longest canal is in Velby.", "The second longest canal is in Velby."),
        ("The canal opened in 1904.", "The old canal opened in 1904."),
        ("Prices rose by 5 percent.", "Prices rose to 5 percent."),
        ("The canal carries ships.", "The canal can carry ships."),
        ("The canal opened in 1904.", "The canal opened in 1904?"),
        ("The service is free.", "The service is free for students."),
        ("The drug causes fever.", "The drug causes fever in mice."),
        ("The drug reduced pain.", "The drug reduced pain in some patients."),
        ("Letters are kept for 30 days.", "Letters are kept for 30 days at most."),
        ("Holm is the mayor.", "Holm was the mayor."),
        ("The canal flooded in 1999.", "Had the bank not held, the canal flooded in 1999."),
        ("It reached -5 degrees.", "It reached 5 degrees."),
    ],
)
def test_a_qualifier_added_lost_or_changed_is_not_carried(statement: str, sentence: str) -> None:
    assert not carries(statement, sentence, TITLE)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The surveyor Ines Dahl was dug by the Selmar canal.", DUG),
        ("The Selmar canal dug Ines Dahl.", DUG),
        ("Velby is a county in the Selmar canal.", KIND),
        ("The Selmar canal was lined in 1956.", LINED),
        ("The Selmar canal is 12 metres wide.", LOCKS),
        ("The canal sank in 1950.", "The man who built the canal sank in 1950."),
        ("The canal rang the bell.", "The canal keeper rang the bell."),
        ("Dahl painted the lock.", "Dahl dug the canal and Holm painted the lock."),
        ("Dahl painted the lock.", "Dahl met Holm, who painted the lock."),
        ("The canal opened in 1950.", "The canal opened in 1904 and was closed in 1950."),
        ("The canal closed in 1950.", "While the canal opened in 1904, the tunnel closed in 1950."),
        ("The guards were arrested.", "The guards arrested two men."),
        ("Dahl dug the canal.", "Dahl's sister dug the canal."),
        ("Dahl dug the canal.", "Anna, Dahl's sister, dug the canal."),
        ("Boats run from Velby to Norholt.", "Boats run from Norholt to Velby."),
        ("The lock is older than the weir.", "The weir is older than the lock."),
        ("The lock opened before the weir.", "The weir opened before the lock."),
        ("Strict is the default.", "Lenient rather than strict is the default."),
    ],
)
def test_who_did_what_to_whom_has_to_be_the_same(statement: str, sentence: str) -> None:
    assert not carries(statement, sentence, TITLE)


def test_it_is_what_the_heading_or_the_sentence_before_names() -> None:
    statement, sentence = "The Selmar canal opened in 1904.", "It opened in 1904."

    assert carries(statement, sentence, TITLE)
    assert carries(statement, sentence, Around("The Selmar canal is long."))
    assert not carries(statement, sentence)
    assert not carries(statement, sentence, Around("Velby has a cathedral.", ("Selmar canal",)))


def test_a_heading_says_of_what_the_bed_is_and_not_that_all_of_it_was_lined() -> None:
    assert carries("The bed of the Selmar canal was lined in 1956.", "The bed was lined in 1956.", TITLE)
    assert not carries("The Selmar canal was lined in 1956.", "The bed was lined in 1956.", TITLE)


def test_a_statement_about_it_is_not_carried_by_a_sentence_about_anything() -> None:
    assert not carries("It opened in 1904.", "The tunnel opened in 1904.")


def test_rows_without_end_and_words_without_meaning_carry_nothing() -> None:
    assert not carries("The canal opened.", "The canal opened " * 80)
    assert not carries("…", "…")
    assert not carries("The canal opened.", "…")
    assert not carries("The canal opened.", "", TITLE)

"""Marks, their order, and the words they lead to."""

from collections.abc import Sequence

from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Sentence
from pipeline_fakes import claim, page

ICE = page("https://one.example/ice", "Ice floats. It is **less dense** than [water](https://one.example/water).")
LAKE = page("https://two.example/lake", "Ice floats on lakes.")
BOOK = page("library://books/ice.pdf", "Ice floats in books.").model_copy(update={"kind": "pdf"})
PDF = page("https://three.example/ice.pdf", "Ice floats in print.").model_copy(update={"kind": "pdf"})
FOURTH = page("https://four.example/", "Ice floats here too.")
DOCUMENTS = {one.source_id: one for one in (ICE, LAKE, BOOK, PDF, FOURTH)}

FLOATS = claim(ICE, "Ice floats.")
DENSE = claim(ICE, "It is **less dense** than [water](https://one.example/water).", "Ice is less dense than water.")


def sentence(text: str, *claims: Claim) -> Sentence:
    return Sentence(text=text, claim_ids=tuple(one.claim_id for one in claims))


def numbering(*claims: Claim, cited: Sequence[Sentence] = ()) -> Numbering:
    """The numbering of a report that cites each claim once, or of these sentences."""
    return Numbering(
        {one.claim_id: one for one in claims}, DOCUMENTS, cited or [sentence(one.text, one) for one in claims]
    )


def joined(*documents: object) -> Claim:
    quotes = tuple(claim(one, one.text).quotes[0] for one in documents)
    return FLOATS.model_copy(update={"quotes": quotes})


LAKES = claim(LAKE, "Ice floats on lakes.")


def test_a_source_keeps_its_number_and_numbers_follow_the_text():
    cited = [sentence("Ice floats on lakes.", LAKES), sentence("It floats", FLOATS, LAKES)]
    numbers = numbering(FLOATS, LAKES, cited=cited)

    assert numbers.paragraph(cited) == "Ice floats on lakes [1]. It floats [1, 2]"
    assert [one.key for one in numbers.citations()] == ["1", "2"]


def test_the_quotes_of_one_source_have_letters_and_a_mark_of_three_names_pages_alone():
    cited = [sentence("It is lighter.", DENSE), sentence("It floats.", FLOATS), sentence("Both.", FLOATS, DENSE, LAKES)]
    numbers = numbering(FLOATS, DENSE, LAKES, cited=cited)

    assert numbers.paragraph(cited) == "It is lighter [1a]. It floats [1b]. Both [1, 2]."
    assert [(one.number, one.part, one.key) for one in numbers.citations()] == [
        (1, "a", "1a"),
        (1, "b", "1b"),
        (2, "", "2"),
    ]


def test_letters_go_on_behind_z():
    text = " ".join(f"Word{at}." for at in range(28))
    long = page("https://long.example/", text)
    claims = [claim(long, f"Word{at}.") for at in range(28)]
    numbers = Numbering(
        {one.claim_id: one for one in claims}, {long.source_id: long}, [sentence("x", one) for one in claims]
    )

    assert [one.part for one in numbers.citations()][25:] == ["z", "aa", "ab"]


def test_the_same_words_keep_their_number_and_know_every_claim_that_rests_on_them():
    other = FLOATS.model_copy(update={"claim_id": "cother"})
    numbers = numbering(FLOATS, other)

    assert numbers.sentence(sentence("It floats!", FLOATS)) == "It floats [1]!"
    assert numbers.sentence(sentence("It swims…", other)) == "It swims… [1]"
    [one] = numbers.citations()
    assert one.claim_ids == (FLOATS.claim_id, "cother")


def test_a_claim_shows_one_mark_a_source_and_three_at_most():
    twice = claim(ICE, "floats").quotes
    many = joined(ICE, LAKE, BOOK, PDF, FOURTH)
    many = many.model_copy(update={"quotes": (many.quotes[0], *twice, *many.quotes[1:])})
    numbers = numbering(many)

    assert numbers.sentence(sentence("Ice floats.", many)) == "Ice floats [1, 2, 3]."
    assert [one.source_id for one in numbers.citations()] == [ICE.source_id, LAKE.source_id, BOOK.source_id]
    assert numbers.citations()[0].quote == ICE.text


def test_a_sentence_of_several_claims_shows_the_words_of_each_and_few_further_witnesses():
    wide = joined(BOOK, PDF, FOURTH)
    cited = [sentence("Ice floats.", LAKES, wide)]

    assert numbering(LAKES, wide, cited=cited).paragraph(cited) == "Ice floats [1, 2, 3]."


def test_a_judgement_is_numbered_by_its_premises():
    ours = Sentence(text="Take ice.", kind="judgement", premises=(FLOATS.claim_id, LAKES.claim_id))
    numbers = numbering(FLOATS, LAKES, cited=[ours])

    assert numbers.judged([ours]) == "[cf. 1, 2]"
    assert numbers.judged([ours], {ICE.source_id}) == "[cf. 2]"
    assert numbers.judged([ours], {ICE.source_id, LAKE.source_id}) == ""
    assert [one.claim_ids for one in numbers.citations()] == [(FLOATS.claim_id,), (LAKES.claim_id,)]


def test_sentences_together_show_every_witness_of_each_and_none_that_no_sentence_cites():
    wide = joined(BOOK, PDF)
    narrow = claim(ICE, "Ice floats.").model_copy(update={"claim_id": "cnarrow", "quotes": joined(ICE, FOURTH).quotes})
    first, second = sentence("One.", wide, LAKES), sentence("Two.", narrow)
    numbers = numbering(wide, LAKES, narrow, cited=[first])

    assert numbers.mark([first, second]) == "[1, 2, 3]"
    assert numbers.pages(first) == {BOOK.source_id, PDF.source_id, LAKE.source_id}
    assert not numbers.pages(second)


def test_quotes_that_a_text_names_by_letter_have_the_first_letters():
    parts = [claim(ICE, words) for words in ("Ice", "floats", "less", "dense")]
    cited = [sentence("Four.", *parts), sentence("One.", parts[2])]
    numbers = numbering(*parts, cited=cited)

    assert numbers.paragraph(cited) == "Four [1]. One [1c]."

    lettered = numbers.lettered({"1c"})

    assert lettered.paragraph(cited) == "Four [1]. One [1a]."
    assert [one.quote for one in lettered.citations()] == ["less", "Ice", "floats", "dense"]
    assert numbers.paragraph(cited) == "Four [1]. One [1c]."


def test_a_mark_names_two_quotes_of_a_page_at_most_and_else_the_page():
    parts = [claim(ICE, words) for words in ("Ice", "floats", "less", "dense")]
    cited = [sentence("Two.", *parts[:2]), sentence("Four.", *parts)]
    numbers = numbering(*parts, cited=cited)

    assert numbers.paragraph(cited) == "Two [1a,b]. Four [1]."
    assert [one.key for one in numbers.citations()] == ["1a", "1b", "1c", "1d"]


def test_a_mark_may_name_pages_alone_or_more_quotes():
    parts = [claim(ICE, words) for words in ("Ice", "floats", "less", "dense")]
    numbers = numbering(*parts)

    assert numbers.sentence(sentence("Two.", *parts[:2]), letters=0) == "Two [1]."
    assert numbers.mark([sentence("Four.", *parts)], letters=4) == "[1a,b,c,d]"
    assert numbers.quotes([sentence("Three.", *parts[:3]), sentence("One.", parts[3])]) == 4
    assert numbers.unmarked(sentence("Two *now*.", *parts[:2])) == r"Two \*now\*."


def test_a_citation_leads_to_its_words():
    numbers = numbering(FLOATS)
    numbers.sentence(sentence("Ice floats.", FLOATS))

    [one] = numbers.citations()

    assert ICE.text[one.start : one.end] == one.quote == "Ice floats."
    assert (one.url, one.snapshot) == (ICE.url, ICE.snapshot)
    assert one.link == "https://one.example/ice#:~:text=Ice%20floats."


def test_a_link_asks_for_the_words_as_the_page_shows_them():
    numbers = numbering(DENSE)
    numbers.sentence(sentence("Ice is less dense.", DENSE))

    assert numbers.citations()[0].link == "https://one.example/ice#:~:text=It%20is%20less%20dense%20than%20water."


def test_files_and_local_documents_are_linked_without_a_fragment():
    both = joined(BOOK, PDF)
    numbers = numbering(both)
    numbers.sentence(sentence("Ice floats.", both))

    assert [one.link for one in numbers.citations()] == [BOOK.url, PDF.url]


def test_a_mark_stands_behind_an_ellipsis_and_takes_no_dot_off_it():
    assert numbering(FLOATS).sentence(sentence("It floats, swims ...", FLOATS)) == "It floats, swims ... [1]"


def test_what_a_sentence_says_is_never_markdown():
    numbers = numbering(FLOATS)

    assert (
        numbers.sentence(Sentence(text="See [here](https://bad.example).")) == r"See \[here\](https\:/\/bad.example)."
    )
    assert numbers.sentence(sentence("2024.", FLOATS)) == "2024 [1]."

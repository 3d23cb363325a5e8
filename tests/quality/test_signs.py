"""What a text shows of how it was made."""

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.stopwatch import spent

from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.quality.signs import DocumentSigns
from pipeline_fakes import page

PROSE = "The ice on a lake grows from above because cold water rises until it freezes. "
LIST = (
    "## References\n\n1. Smith, A. (2019). On ice. Journal of Ice 3, 1–9.\n"
    "2. Jones, B. (2020). On snow and its weight.\n"
)


def signs(text: str, url: str = "https://a.example/x", title: str = "", **given: object) -> DocumentSigns:
    return DocumentSigns(page(url, text, title=title, **given), own_scale())  # type: ignore[arg-type]  # as page() takes them


def test_a_list_of_sources_is_known_by_its_heading_and_what_stands_below():
    assert signs(PROSE + "\n\n" + LIST).has_references
    assert signs(PROSE + "\n\n**Literatur**\n\n" + PROSE * 2).has_references
    assert signs(PROSE + "\n\n7. Bibliography\n\n" + PROSE * 2).has_references
    assert not signs(PROSE + "\n\n## References\n").has_references
    assert not signs("References to ice are many in the literature.\n" + PROSE * 3).has_references


def test_sources_may_be_named_by_links_or_identifiers_as_well():
    links = [f"https://s{n}.example/" for n in range(3)]

    assert signs(PROSE, links=links).names_sources
    assert not signs(PROSE, links=[f"https://b.example/{n}" for n in range(9)]).names_sources
    assert not signs(PROSE, links=[f"https://a.example/{n}" for n in range(9)]).names_sources
    assert signs(PROSE + "Smith et al. and Jones et al. and doi:10.1000/xyz123 say so.").names_sources


@pytest.mark.parametrize(
    ("url", "text", "own"),
    [
        ("https://a.example/10.1000/xyz123", PROSE, True),
        ("https://arxiv.org/abs/2401.00001", PROSE, True),
        ("https://www.rfc-editor.org/rfc/rfc9110", PROSE, True),
        ("https://pubmed.ncbi.nlm.nih.gov/12345678/", PROSE, True),
        ("https://a.example/", "DOI: 10.1000/xyz123\n" + PROSE, True),
        ("https://a.example/", "ISSN 1234-567X\n" + PROSE, True),
        ("https://a.example/", "PMID: 12345678\n" + PROSE, True),
        ("https://a.example/", PROSE, False),
        ("https://a.example/", PROSE * 50 + "10.1000/xyz123", False),
    ],
)
def test_a_page_has_its_own_identifier_in_its_address_or_near_its_top(url: str, text: str, own: bool):
    assert signs(text, url).has_identifier is own


def test_a_paper_has_an_identifier_references_and_the_marks_of_review():
    paper = "doi:10.1000/xyz123\nReceived: 3 May 2020\n" + PROSE * 5 + "\n\n" + LIST

    assert signs(paper).is_paper
    assert not signs(paper.replace("10.1000/xyz123", "")).is_paper
    assert not signs(paper.replace("Received:", "Sent").replace("Journal of", "In")).is_paper
    assert not signs(paper.replace("## References", "")).is_paper


@pytest.mark.parametrize("title", ["RETRACTED: On ice", "[Retracted] On ice", "Retraction note: On ice"])
def test_a_withdrawn_paper_says_so_in_its_title(title: str):
    assert signs(PROSE, title=title).is_retracted
    assert not signs(PROSE, title="How papers get retracted").is_retracted


def test_what_a_model_left_behind_shows_but_not_where_someone_quotes_it():
    assert signs(PROSE + "As an AI language model, I cannot see ice.").by_machine
    assert signs("As an AI language model, I cannot see ice.").by_machine
    assert not signs(PROSE + "It said: “As an AI language model, I cannot see ice.”").by_machine
    assert not signs(PROSE + "It said: ' As an AI language model, I cannot see ice.'").by_machine
    assert signs('"As an AI language model" is heard often. Well, as an AI language model I know.').by_machine


def test_a_few_turns_of_phrase_are_anybodys_and_many_are_a_machines():
    few = "In today's fast-paced world we delve into ice. It is a testament to cold. "
    assert not signs(few).by_machine
    assert signs(few + "Harness the power of a myriad of crystals.").by_machine


def test_paid_for_is_a_sign_by_itself_and_selling_only_when_it_piles_up():
    assert signs("Sponsored content. " + PROSE).advertises
    assert signs("Sponsored content. " + PROSE).takes_sides
    assert not signs("Buy now. " + PROSE).takes_sides
    assert signs("Buy now with a promo code! Free trial. " + PROSE).takes_sides
    assert signs(PROSE, "https://paper.example/opinion/ice").takes_sides
    assert signs(PROSE, "https://paper.example/opinion").takes_sides
    assert not signs(PROSE).takes_sides


def test_shouting_structure_and_figures_are_counted():
    assert signs("Ice! Snow! Hail! Sleet! Wow!").shouts
    assert not signs(PROSE * 20 + "Really!").shouts
    assert signs("# Ice\n\nCold.\n\nSnow\n----\n\nCold.").is_structured
    assert not signs("# Ice\n\nCold.").is_structured
    assert signs("Ice melts at 0 degrees and water boils at 100.").has_figures
    assert not signs(PROSE).has_figures


def test_words_are_counted_in_scripts_without_spaces_too():
    assert signs("冰浮在水面上因为它更轻").words >= 5


def test_a_very_long_page_is_looked_at_from_both_ends_and_quickly():
    text = PROSE * 20_000 + "\n\n" + LIST
    assert signs(text).has_references

    phrase = "as an ai language model"
    odd = ("!", phrase, f'"{phrase}', "#", "# ", "a\n", "10.1234/", "By A", "# references\n")
    for hostile in (text, *(piece * (700_000 // len(piece)) for piece in odd)):
        long = page("https://a.example/x", hostile)
        with spent() as taken:
            one = DocumentSigns(long, own_scale())
            _ = (one.by_machine, one.takes_sides, one.is_paper, one.names_sources, one.is_structured, one.has_figures)
        assert taken.seconds < 1.0


@given(some.text(max_size=300))
def test_any_text_can_be_looked_at(text: str):
    one = signs(text, title=text[:50])

    assert isinstance(one.by_machine or one.takes_sides or one.is_paper or one.shouts or one.is_structured, bool)

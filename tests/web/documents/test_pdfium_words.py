from typing import Any

import pypdfium2
import pytest
from pypdf import PdfReader

from deepresearch_mcp.web.documents.pdfium_words import is_bold
from deepresearch_mcp.web.documents.pdfium_words import page_words as by_pdfium
from deepresearch_mcp.web.documents.pypdf_words import page_words as by_pypdf
from deepresearch_mcp.web.documents.words import PageWords
from pdf_files import drawn


def pdfium(body: bytes) -> PageWords:
    return by_pdfium(pypdfium2, pypdfium2.PdfDocument(body)[0])


def pypdf(body: bytes) -> PageWords:
    from io import BytesIO

    reader = PdfReader(BytesIO(body))
    return by_pypdf(reader.pages[0], reader)


@pytest.fixture(params=[pdfium, pypdf], ids=["pdfium", "pypdf"])
def words(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_each_word_has_its_place_and_size(words: Any) -> None:
    [ice, floats] = words(drawn("BT /F1 12 Tf 72 700 Td (Ice floats) Tj ET")).words

    assert (ice.text, floats.text) == ("Ice", "floats")
    assert (round(ice.left), round(ice.base), round(ice.size)) == (72, 700, 12)
    assert 86 < ice.right < floats.left < 93


def test_a_size_of_one_that_is_scaled_is_the_scaled_one(words: Any) -> None:
    [ice] = words(drawn("BT /F1 1 Tf 9 0 0 9 72 600 Tm (Ice) Tj ET")).words

    assert round(ice.size) == 9


def test_words_on_a_page_of_another_direction_stand_upright(words: Any) -> None:
    found = words(drawn("BT /F1 12 Tf 0 1 -1 0 300 100 Tm (Ice floats) Tj ET")).words

    assert [one.text for one in found] == ["Ice", "floats"]
    assert found[0].right < found[1].left
    assert round(found[0].base) == round(found[1].base)


def test_words_across_the_text_are_kept_aside(words: Any) -> None:
    found = words(
        drawn("BT /F1 12 Tf 72 700 Td (Ice floats on water) Tj ET BT /F1 12 Tf 0 1 -1 0 20 100 Tm (Aside) Tj ET")
    )

    assert [one.text for one in found.words] == ["Ice", "floats", "on", "water"]
    assert found.aside == ["Aside"]


@pytest.mark.parametrize(
    ("name", "bold"), [(b"Arial-BoldMT", True), (b"ABCDEF+CMBX10", True), (b"Helvetica", False), (b"", False)]
)
def test_the_name_of_a_font_tells_whether_it_is_bold(name: bytes, bold: bool) -> None:
    assert is_bold(name) is bold

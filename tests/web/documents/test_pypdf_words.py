from io import BytesIO

import pypdf
from pypdf.generic import DictionaryObject, NameObject, StreamObject

from deepresearch_mcp.web.documents.pypdf_words import opened, page_words
from pdf_files import drawn


def test_text_in_a_form_is_read_where_the_form_is_drawn() -> None:
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(BytesIO(drawn("q 1 0 0 1 10 20 cm /X1 Do Q"))))
    form = StreamObject()
    form.set_data(b"BT /F1 12 Tf 72 700 Td (Ice) Tj ET")
    form[NameObject("/Type")], form[NameObject("/Subtype")] = NameObject("/XObject"), NameObject("/Form")
    resources = writer.pages[0]["/Resources"].get_object()
    assert isinstance(resources, DictionaryObject)
    resources[NameObject("/XObject")] = DictionaryObject({NameObject("/X1"): form})

    [word] = page_words(writer.pages[0], writer).words

    assert (word.text, round(word.left), round(word.base)) == ("Ice", 82, 720)


def test_strings_that_touch_are_one_word_and_a_gap_divides() -> None:
    reader = pypdf.PdfReader(BytesIO(drawn("BT /F1 12 Tf 72 700 Td [(Ic) 20 (e) -300 (floats)] TJ ET")))

    assert [one.text for one in page_words(reader.pages[0], reader).words] == ["Ice", "floats"]


def test_broken_operators_cost_only_themselves() -> None:
    body = drawn("BT /F1 12 Tf 72 700 Td (Ice) Tj /F9 (x) Tf [ /a ] cm Q Q (floats) Tj 1 Td ET")
    reader = pypdf.PdfReader(BytesIO(body))

    assert "".join(one.text for one in page_words(reader.pages[0], reader).words) == "Icefloats"


def test_a_file_that_is_no_pdf_is_told() -> None:
    assert opened(b"%PDF-1.4 nothing") == "unparsable"

from docx.oxml.ns import qn

from deepresearch_mcp.viewer.report_tree import Words
from deepresearch_mcp.viewer.word_parts import Writer, blank_document


def test_each_list_counts_anew_from_where_it_begins() -> None:
    document = blank_document("en", "foot")
    writer = Writer(document)

    first, second = writer.numbering(1), writer.numbering(4)

    assert len({first, second, writer.bullets}) == 3
    numbers = document.part.numbering_part.element
    made = {int(one.get(qn("w:numId"))): one for one in numbers.findall(qn("w:num"))}
    starts = [one.get(qn("w:val")) for one in made[second].iter(qn("w:startOverride"))]
    assert starts[:2] == ["4", "1"]


def test_definitions_of_lists_stand_before_the_lists_that_use_them() -> None:
    document = blank_document("en", "foot")
    Writer(document).numbering(1)

    tags = [one.tag for one in document.part.numbering_part.element]
    assert tags.index(qn("w:num")) > max(at for at, tag in enumerate(tags) if tag == qn("w:abstractNum"))


def test_an_address_that_word_cannot_hold_stays_text() -> None:
    document = blank_document("", "foot")
    writer = Writer(document)

    writer.paragraph((Words("far", link=f"https://example.org/{'a' * 3_000}"), Words("near", link="https://a.org/")))

    external = [one.target_ref for one in document.part.rels.values() if one.is_external]
    assert external == ["https://a.org/"]
    assert document.paragraphs[0].text == "farnear"

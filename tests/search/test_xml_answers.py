import pytest

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.search.xml_answers import all_text, read_xml

GROWING = b'<!DOCTYPE a [<!ENTITY x "aaaaaaaa"><!ENTITY y "&x;&x;&x;&x;">]><a>&y;&y;</a>'


def test_the_text_below_an_element_is_joined_on_one_line() -> None:
    root = read_xml("arxiv", b"<a><b>Of <i>E.\n coli</i> </b>x</a>", "a")

    assert (all_text(root.find("b")), all_text(None)) == ("Of E. coli", "")


def test_a_document_type_that_names_a_file_elsewhere_is_passed_over() -> None:
    body = b'<!DOCTYPE a PUBLIC "-//A//EN" "https://dtd.invalid/a.dtd"><a>x</a>'

    assert all_text(read_xml("pubmed", body, "a")) == "x"


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"<a>", b"<b/>", b"<html><body>Down</body></html>", GROWING, "<a/>".encode("utf-16"),
     b'<?xml version="1.0" encoding="none"?><a/>', b"<a>&x;</a>"],
)  # fmt: skip
def test_anything_but_the_expected_document_is_unreadable(body: bytes) -> None:
    with pytest.raises(UnreadableAnswer):
        read_xml("arxiv", body, "a")

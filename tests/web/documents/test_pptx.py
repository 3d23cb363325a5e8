from collections.abc import Mapping
from datetime import date
from typing import Any

from deepresearch_mcp.web.documents.archives import Archive
from deepresearch_mcp.web.documents.pptx import parse_pptx
from office_files import shape, slides


def read(*bodies: str, hidden: int = -1, notes: Mapping[int, str] | None = None) -> Any:
    return parse_pptx(Archive(slides(*bodies, hidden=hidden, notes=notes)), 1_000, date(2026, 11, 20))


def test_each_slide_is_a_page_under_its_title() -> None:
    page = read(shape("First", "title") + shape("Ice\nfloats"), shape("Second", "ctrTitle"))

    assert page["text"] == "## First\n\nIce\nfloats\n\n## Second"
    assert page["pages"] == [(0, 1), (22, 2)]


def test_a_hidden_slide_is_left_out_and_the_others_keep_their_numbers() -> None:
    page = read(shape("First"), shape("Obey"), shape("Third"), hidden=1)

    assert page["text"] == "First\n\nThird"
    assert page["pages"] == [(0, 1), (7, 3)]
    assert page["flags"] == ["hidden_text"]


def test_a_table_of_a_slide_is_one() -> None:
    def cell(text: str) -> str:
        return f"<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"

    table = f"<a:tbl><a:tr>{cell('a')}{cell('b')}</a:tr><a:tr>{cell('1')}{cell('2')}</a:tr></a:tbl>"

    assert read(f"<p:graphicFrame>{table}</p:graphicFrame>")["text"] == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_what_the_speaker_says_belongs_to_the_slide() -> None:
    notes = {0: shape("7", "sldNum") + shape("Ice is lighter.\nSay why.", "body"), 1: shape("Obey", "body")}

    page = read(shape("First", "title"), shape("Hidden"), shape("Third"), hidden=1, notes=notes)

    assert page["text"] == "## First\n\nNotes:\nIce is lighter.\nSay why.\n\nThird"
    assert page["pages"] == [(0, 1), (43, 3)]

import io
import zipfile

import pytest

from deepresearch_mcp.web.documents import archives
from deepresearch_mcp.web.documents.archives import Archive, BadArchive, archive_kind, xml_of
from office_files import book, slides, word_file, workbook, zipped


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (word_file(""), "docx"),
        (workbook(""), "xlsx"),
        (slides(""), "pptx"),
        (book("<p>x</p>"), "epub"),
        (zipped({"a.txt": "x"}), None),
        (zipped({"[Content_Types].xml": "<Types/>"}), None),
        (b"PK\x03\x04 and no more", None),
        (word_file("")[:200], None),
    ],
)
def test_an_archive_is_known_by_what_it_holds(body: bytes, kind: str | None) -> None:
    assert archive_kind(body) == kind


def test_a_bomb_is_refused_before_it_unpacks() -> None:
    bomb = Archive(zipped({"a.xml": b"\0" * (archives.LARGEST_ENTRY + 1)}))

    with pytest.raises(BadArchive, match="more than can be read"):
        bomb.read("a.xml")


def test_many_files_together_may_not_unpack_without_end() -> None:
    many = Archive(zipped({f"{at}.xml": b"\0" * archives.LARGEST_ENTRY for at in range(4)}))

    for name in many.names[:-1]:
        many.read(name)
    with pytest.raises(BadArchive, match="more than can be read"):
        many.read(many.names[-1])


def test_an_archive_of_countless_files_is_refused() -> None:
    with pytest.raises(BadArchive, match="too many files"):
        Archive(zipped({f"{at}": "" for at in range(archives.MOST_ENTRIES + 1)}))


@pytest.mark.parametrize(
    "content",
    [
        b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        b'<?xml version="1.0"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
        b"",
        b"no xml",
    ],
)
def test_xml_that_declares_entities_or_is_none_is_not_read(content: bytes) -> None:
    assert xml_of(content) is None


def test_a_damaged_file_in_an_archive_is_an_error_of_ours() -> None:
    body = bytearray(zipped({"a.xml": b"<a>" + bytes(range(256)) * 40 + b"</a>"}))
    body[60:80] = b"\xff" * 20

    with pytest.raises(BadArchive):
        Archive(bytes(body)).read("a.xml")


def test_a_missing_file_is_empty() -> None:
    made = io.BytesIO()
    zipfile.ZipFile(made, "w").close()

    assert Archive(made.getvalue()).read("a.xml") == b""
    assert Archive(made.getvalue()).xml("a.xml") is None

import gzip

import pytest

from deepresearch_mcp.web.sniff import inflated, sniff

HTML = b"<!DOCTYPE html><html><body>x</body></html>"


@pytest.mark.parametrize(
    ("body", "media_type", "path", "kind"),
    [
        (HTML, "text/html", "", "html"),
        (HTML, "text/plain", "", "html"),
        (HTML, "", "", "html"),
        (HTML, "application/pdf", "", "html"),
        (b"no tag at all", "text/html", "", "html"),
        (b'<?xml version="1.0"?><!DOCTYPE html><html/>', "application/xml", "", "html"),
        (b'<?xml version="1.0"?><!-- c --><rss/>', "text/plain", "", "xml"),
        (b"<rss/>", "application/rss+xml", "", "xml"),
        (b"<svg/>", "image/svg+xml", "", None),
        (b"%PDF-1.7 ...", "text/html", "", "pdf"),
        (b"\n\n%PDF-1.4", "application/octet-stream", "", "pdf"),
        (b"not a pdf", "application/pdf", "", None),
        (b"\x89PNG\r\n", "text/html", "", None),
        (b"PK\x03\x04", "application/zip", "", None),
        (b"text\x00with zero", "text/plain", "", None),
        (rb"{\rtf1\ansi Ice floats.\par}", "application/rtf", "/a.rtf", None),
        (rb"{\rtf1\ansi Ice floats.\par}", "text/plain", "", None),
        (bytes(range(1, 256)) * 4, "text/plain", "/noise.txt", None),
        (("\ufeff" + "\u4e01\u4e02\u4e03" * 40).encode("utf-16-le"), "text/plain", "/zh.txt", "text"),
        (b'{"a": 1}', "application/json", "", "json"),
        (b'{"a": 1}', "application/ld+json; x", "", None),
        (b'{"a": 1}', "application/ld+json", "", "json"),
        (b"# Title", "text/markdown", "", "markdown"),
        (b"# Title", "text/plain", "/docs/README.MD", "markdown"),
        (b"# Title", "text/plain", "/docs/readme.txt", "text"),
        (b"words", "", "", "text"),
        (b"words", "application/octet-stream", "/a.md", "markdown"),
        (b"a,b\n1,2", "text/csv", "", "csv"),
        (b"a,b\n1,2", "text/plain", "/sales.csv", "csv"),
        (b"From: a@b.example\nSubject: x\n\ny", "", "/a.eml", "email"),
        (b"no letter", "", "/a.eml", "text"),
        (b"From a@b.example\nFrom: a@b.example\nSubject: x\n\ny", "", "/a.mbox", "email"),
        (b"From a at b  Fri Mar  1 10:00:00 2024\nFrom: a at b\nDate: x\n\ny", "text/plain", "/2024.txt", "email"),
        (b"From here it is far.\n", "text/plain", "/a.txt", "text"),
        (b"{}", "application/json", "/a.ipynb", "notebook"),
        (HTML, "text/csv", "", "html"),
        (b"\x01\x02\x03\x04\x05words", "application/octet-stream", "", None),
        (b"words", "application/zip", "", None),
        ("\ufeff<html>x</html>".encode("utf-16-le"), "", "", "html"),
        ("<html><body>words and words</body></html>".encode("utf-16-be"), "text/html", "", "html"),
    ],
)
def test_a_file_is_what_its_bytes_say(body: bytes, media_type: str, path: str, kind: str | None) -> None:
    assert sniff(body, media_type, path) == kind


def test_a_file_compressed_within_is_opened_within_bounds() -> None:
    assert inflated(gzip.compress(b"words"), 100) == b"words"
    assert inflated(gzip.compress(b"x" * 1_000), 100) is None
    assert inflated(b"no gzip", 100) is None

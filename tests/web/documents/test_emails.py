from datetime import date

import pytest

from deepresearch_mcp.web.documents.emails import parse_email

TODAY = date(2026, 11, 20)
HEAD = b"From: Ada <a@b.example>\nSubject: =?utf-8?q?=C3=84ther?=\nDate: Fri, 1 Mar 2024 10:00:00 +0000\n"


def test_a_letter_has_its_head_and_its_text() -> None:
    page = parse_email(HEAD + b"Content-Type: text/plain; charset=utf-8\n\nIce floats.\n", 1_000, TODAY)

    assert page.get("text", "").startswith("# Äther\n\nFrom: Ada <a@b.example>\n")
    assert page.get("text", "").endswith("\n\nIce floats.")
    assert (page.get("title"), page.get("published")) == ("Äther", "2024-03-01")


def test_a_letter_in_html_alone_is_read_and_attachments_are_named() -> None:
    body = HEAD + (
        b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/html\n\n'
        b"<p>Ice floats.</p>\n--b\nContent-Type: application/pdf\n"
        b'Content-Disposition: attachment; filename="ice.pdf"\n\nx\n--b--\n'
    )

    assert parse_email(body, 1_000, TODAY).get("text", "").endswith("Ice floats.\n\nAttachments: ice.pdf")


@pytest.mark.parametrize("body", [b"", b"\xff" * 40, b"Date: x\nContent-Type: multipart/mixed\n\n--", b"Subject: =?x"])
def test_a_broken_letter_ends_as_text_or_reason(body: bytes) -> None:
    page = parse_email(body, 1_000, TODAY)

    assert page.get("text") or page.get("reason")

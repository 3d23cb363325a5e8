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


MBOX = (
    b"From ada@b.example Fri Mar  1 10:00:00 2024\n" + HEAD + b"\nIce floats.\n\n>From here it is cold.\n\n"
    b"From bob@b.example Sat Mar  2 10:00:00 2024\nFrom: =?utf-8?b?Qm9i?= <bob@b.example>\n"
    b"Subject: =?iso-8859-1?q?Na=EFve?=\nDate: Sat, 2 Mar 2024 10:00:00 +0000\n"
    b"Content-Transfer-Encoding: base64\n\nSXJvbiBzaW5rcy4=\n"
)


def test_a_file_of_many_letters_has_each_under_its_subject() -> None:
    page = parse_email(MBOX, 1_000, TODAY)

    assert page.get("text", "").split("\n\n") == [
        "## Äther",
        "From: Ada <a@b.example>\nDate: Fri, 01 Mar 2024 10:00:00 +0000",
        "Ice floats.",
        "From here it is cold.",
        "## Naïve",
        "From: Bob <bob@b.example>\nDate: Sat, 02 Mar 2024 10:00:00 +0000",
        "Iron sinks.",
    ]
    assert (page.get("published"), page.get("author", "")) == ("2024-03-02", "")


def test_a_letter_that_is_broken_does_not_take_the_others_along() -> None:
    broken = b"\nFrom x Sat Mar  2 10:00:00 2024\nContent-Type: text/plain; charset=nonsense\n\n\xff\n"
    page = parse_email(MBOX + broken, 1_000, TODAY)

    assert "Ice floats." in page.get("text", "")
    assert "Iron sinks." in page.get("text", "")

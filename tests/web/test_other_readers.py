from datetime import date
from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.web.extract import extract
from deepresearch_mcp.web.other_readers import read_by_extension
from extensions import install, install_example

CODE = """
def crash(body):
    raise ZeroDivisionError("sk-secret")

def wrong(body):
    return body

def nothing(body):
    return " "
"""
POINTS = {
    "deepresearch_mcp.readers": {
        "application/x-crash": "odd_reader:crash",
        "application/x-wrong": "odd_reader:wrong",
        "application/x-nothing": "odd_reader:nothing",
        "application/x-gone": "odd_reader:gone",
        "text/html": "odd_reader:crash",
        "application/pdf": "odd_reader:crash",
    }
}


def read(body: bytes, media_type: str) -> Any:
    return extract(body, "https://a.example/x", media_type, "", 1_000, 10_000, date(2026, 11, 23))


def test_a_page_of_the_example_s_media_type_is_read_by_it_and_screened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_example(tmp_path, monkeypatch)

    page = read(b"Ice\n===\n\nIce floats.\n", "text/x-rst")

    assert (page["kind"], page["text"]) == ("markdown", "# Ice\n\nIce floats.")
    assert page["sketch"]


@pytest.mark.parametrize(
    ("name", "reason", "said"),
    [
        ("crash", "unparsable", "The reader of the package odd-package failed (ZeroDivisionError)."),
        ("wrong", "unparsable", "The reader of the package odd-package returned no text."),
        ("nothing", "empty", "The file holds no text."),
        ("gone", "unparsable", "The package odd-package offers 'application/x-gone' for readers, but"),
    ],
)
def test_a_reader_that_fails_leaves_the_page_unread_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str, said: str
) -> None:
    install(tmp_path, monkeypatch, "odd-package", POINTS, odd_reader=CODE)

    page = read(b"\x89PNG", f"application/x-{name}")

    assert page["reason"] == reason
    assert page["detail"].startswith(said)
    assert "secret" not in page["detail"]


def test_what_we_read_ourselves_is_never_handed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "odd-package", POINTS, odd_reader=CODE)

    for media_type in ("text/html", "application/pdf", "text/plain", "", "application/octet-stream", "image/png"):
        assert read_by_extension(b"x", media_type, 10) is None


def test_a_long_text_is_cut_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_example(tmp_path, monkeypatch)

    assert read_by_extension(b"x" * 20, "text/x-rst", 10) == {
        "kind": "markdown",
        "text": "x" * 10,
        "flags": ["truncated"],
    }

import os
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed, InvalidRequest
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.text.library_urls import library_url
from deepresearch_mcp.web.library.files import LARGEST, FileSource, folder_source, globbed, one_file, walk
from deepresearch_mcp.web.library.indexing import IndexReport, index
from deepresearch_mcp.web.library.source import PassedOver
from deepresearch_mcp.web.parsing import Parsers


@pytest.fixture
def folder(tmp_path: Path, make: Any) -> Path:
    root = tmp_path / "notes"
    for path, text in {
        "ice.html": make.page,
        "deep/er/wood.md": "# Why wood floats\n\nIt is light.",
        "plain ü.txt": "Iron sinks.",
        "b.TXT": "Upper case.",
        ".hidden.txt": "no",
        ".git/config.txt": "no",
        "picture.png": "no",
        "empty.txt": "",
    }.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def paths(folder: Path) -> list[str]:
    return [stamp.path for stamp in walk(folder)]


def test_a_folder_is_walked_for_what_can_be_read(folder: Path) -> None:
    assert paths(folder) == ["b.TXT", "ice.html", "plain ü.txt", "deep/er/wood.md"]


def test_links_out_of_the_folder_and_odd_files_are_passed_over(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "in.txt").symlink_to(folder / "ice.html")
    (folder / "gone.txt").symlink_to(folder / "nothing")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.txt")

    assert set(paths(folder)) - {"b.TXT", "ice.html", "plain ü.txt", "deep/er/wood.md"} == {"in.txt"}


def test_files_above_the_cap_are_passed_over(folder: Path) -> None:
    assert [stamp.path for stamp in walk(folder, largest=30)] == ["b.TXT", "plain ü.txt"]


@pytest.mark.parametrize("name", ["missing", "file.txt", "loop/x"])
def test_a_folder_that_cannot_be_read_is_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    with pytest.raises(InvalidRequest, match="cannot be read"):
        list(walk(tmp_path / name))


async def test_a_file_becomes_a_document_of_its_collection(folder: Path, parsers: Parsers, clock: HandClock) -> None:
    source, url = folder_source(folder, parsers, clock), library_url("my notes", "plain ü.txt")

    document = (await source.read(FileStamp("plain ü.txt", 1, 1), url, "my notes", "")).document

    assert document
    assert document.url == library_url("my notes", "plain ü.txt") == "library://my%20notes/plain%20%C3%BC.txt"
    assert (document.text, document.site, document.kind, document.flags) == (
        "Iron sinks.",
        "my notes",
        "text",
        ("undated",),
    )


async def test_a_file_that_is_gone_is_unread(folder: Path, parsers: Parsers, clock: HandClock) -> None:
    with pytest.raises(FetchFailed) as caught:
        await folder_source(folder, parsers, clock).read(FileStamp("gone.txt", 1, 1), "library://n/gone", "n", "")

    assert caught.value.reason == "unreachable"


async def test_only_what_changed_is_read_again(
    folder: Path, parsers: Parsers, clock: HandClock, collections: Any
) -> None:
    async def again() -> tuple[IndexReport, list[str]]:
        told: list[str] = []
        sources = [folder_source(folder, parsers, clock)]
        return await index("notes", sources, collections, clock, told.append), told

    first, told_first = await again()
    same, told_same = await again()
    (folder / "ice.html").unlink()
    (folder / "b.TXT").write_text("Changed words.")
    (folder / "new.md").write_text("# New")
    changed, told_changed = await again()

    passed: tuple[tuple[PassedOver, int], ...] = (("empty", 1), ("kind", 1))
    assert first == IndexReport(4, 0, 0, (), passed)
    assert sorted(told_first) == sorted(["b.TXT", "deep/er/wood.md", "ice.html", "plain ü.txt"])
    assert (same, told_same) == (IndexReport(0, 4, 0, (), passed), [])
    assert changed == IndexReport(2, 2, 1, (), passed)
    assert sorted(told_changed) == ["b.TXT", "new.md"]
    assert collections.folders == {"notes": str(folder)}
    files = collections.files["notes"]
    assert sorted(files) == ["b.TXT", "deep/er/wood.md", "new.md", "plain ü.txt"]
    assert files["b.TXT"][1].text == "Changed words."


async def test_files_that_cannot_be_parsed_are_told_and_dropped(
    folder: Path, parsers: Parsers, clock: HandClock, collections: Any
) -> None:
    await index("notes", [folder_source(folder, parsers, clock)], collections, clock)
    (folder / "ice.html").write_text("<html><body></body></html>")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")

    report = await index("notes", [folder_source(folder, parsers, clock)], collections, clock)

    assert (report.added, report.unchanged, report.removed) == (0, 3, 0)
    assert report.failed == (("broken.pdf", "unparsable"), ("ice.html", "empty"))
    assert "ice.html" not in collections.files["notes"]


async def test_a_folder_without_anything_to_read_is_one_sentence(
    tmp_path: Path, clock: HandClock, collections: Any
) -> None:
    source = folder_source(tmp_path, Parsers(WebSettings(), clock), clock)

    with pytest.raises(InvalidRequest, match="holds no file"):
        await index("notes", [source], collections, clock)
    assert collections.folders == {}


def test_links_in_a_circle_and_names_in_no_encoding_are_passed_over(folder: Path) -> None:
    (folder / "self.md").symlink_to("self.md")
    (folder / "one.md").symlink_to("two.md")
    (folder / "two.md").symlink_to("one.md")
    with suppress(OSError):  # Some file systems take no such name.
        Path(os.fsdecode(os.fsencode(folder) + b"/\xff.md")).write_text("Ice floats.")

    assert paths(folder) == ["b.TXT", "ice.html", "plain ü.txt", "deep/er/wood.md"]


async def test_what_is_passed_over_is_counted_by_its_reason(
    folder: Path, tmp_path: Path, parsers: Parsers, clock: HandClock, collections: Any
) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "gone.txt").symlink_to(folder / "nothing")
    os.mkfifo(folder / "pipe.txt")
    with (folder / "large.txt").open("wb") as file:
        file.truncate(LARGEST + 1)

    report = await index("notes", [folder_source(folder, parsers, clock)], collections, clock)

    # What is hidden is not spoken of.
    assert dict(report.passed) == {"empty": 1, "kind": 1, "link": 2, "odd": 1, "too_large": 1}


async def look(source: FileSource) -> list[str]:
    return [stamp.path for stamp in (await source.look()).stamps]


async def test_a_glob_takes_the_files_that_match_below_its_fixed_part(
    folder: Path, parsers: Parsers, clock: HandClock
) -> None:
    assert await look(globbed(f"{folder}/**/*.md", parsers, clock)) == ["deep/er/wood.md"]
    assert await look(globbed(f"{folder}/*.[tT]*", parsers, clock)) == ["b.TXT", "plain ü.txt"]
    assert globbed(f"{folder}/**/*.md", parsers, clock).place == f"{folder}/**/*.md"
    with pytest.raises(InvalidRequest, match="holds no file"):
        await globbed(f"{folder}/*.pdf", parsers, clock).look()


async def test_a_single_file_is_a_source(folder: Path, parsers: Parsers, clock: HandClock) -> None:
    source = one_file(folder / "deep/er/wood.md", parsers, clock)

    assert await look(source) == ["wood.md"]
    assert source.place == str(folder / "deep/er/wood.md")


async def test_front_matter_becomes_facts_of_the_file(folder: Path, parsers: Parsers, clock: HandClock) -> None:
    (folder / "note.md").write_text("---\nstatus: Draft\ntags: [ice, 'sea']\n---\n# Ice\n\nIt floats.")

    read = await folder_source(folder, parsers, clock).read(FileStamp("note.md", 1, 1), "library://n/x", "n", "")

    assert read.facts == {"status": "Draft", "tags": "ice, sea"}


@pytest.mark.parametrize(("said", "day"), [("2024-05-01", date(2024, 5, 1)), ("in spring", None)])
async def test_a_file_is_of_the_day_that_its_front_matter_names(
    folder: Path, parsers: Parsers, clock: HandClock, said: str, day: date | None
) -> None:
    (folder / "note.md").write_text(f"---\ndate: {said}\n---\n# Ice\n\nIt floats.")

    read = await folder_source(folder, parsers, clock).read(FileStamp("note.md", 1, 1), "library://n/x", "n", "")

    assert read.document
    assert read.document.published == day

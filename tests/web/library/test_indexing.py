import os
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.web.library.files import folder_source, one_file
from deepresearch_mcp.web.library.indexing import IndexReport, index, nothing_in
from deepresearch_mcp.web.parsing import Parsers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "ice.md").write_text("Ice floats.")
    return root


async def test_a_file_that_was_only_touched_is_not_parsed_again(
    folder: Path, parsers: Parsers, clock: HandClock, collections: Any
) -> None:
    sources = [folder_source(folder, parsers, clock)]
    await index("notes", sources, collections, clock)
    stored = collections.files["notes"]["ice.md"][1]
    os.utime(folder / "ice.md", ns=(5, 5))

    report = await index("notes", sources, collections, clock)

    assert report == IndexReport(0, 1, 0, ())
    stamp, document = collections.files["notes"]["ice.md"]
    assert (stamp.modified_ns, document is stored) == (5, True)


async def test_several_sources_are_set_apart_by_their_names(
    folder: Path, tmp_path: Path, parsers: Parsers, clock: HandClock, collections: Any
) -> None:
    other = tmp_path / "more" / "notes"
    other.mkdir(parents=True)
    (other / "ice.md").write_text("Ice sinks in alcohol.")
    (tmp_path / "single.txt").write_text("Iron sinks.")
    sources = [
        folder_source(folder, parsers, clock),
        folder_source(other, parsers, clock),
        one_file(tmp_path / "single.txt", parsers, clock),
    ]

    await index("notes", sources, collections, clock)

    found = {path: document.url for path, (_, document) in collections.files["notes"].items()}
    assert set(found) == {"notes/ice.md", "notes-2/ice.md", f"{tmp_path.name}/single.txt"}
    assert found["notes-2/ice.md"] == "library://notes/notes-2/ice.md"
    assert collections.folders["notes"].splitlines() == [source.place for source in sources]


async def test_a_source_left_out_takes_its_files_with_it(
    folder: Path, tmp_path: Path, parsers: Parsers, clock: HandClock, collections: Any
) -> None:
    (tmp_path / "single.txt").write_text("Iron sinks.")
    first, second = folder_source(folder, parsers, clock), one_file(tmp_path / "single.txt", parsers, clock)
    await index("notes", [first, second], collections, clock)

    report = await index("notes", [second], collections, clock)

    assert (report.added, report.removed) == (1, 2)
    assert list(collections.files["notes"]) == ["single.txt"]


def test_a_source_without_anything_to_read_says_what_would_do() -> None:
    error = nothing_in("/x", [".md", ".txt"])

    assert isinstance(error, InvalidRequest)
    assert ".md, .txt" in error.action

import subprocess
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.web.library.indexing import index
from deepresearch_mcp.web.library.repositories import RepositorySource, is_repository
from deepresearch_mcp.web.parsing import Parsers


def git(where: Path, *arguments: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(where), *who, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "tool"
    root.mkdir()
    git(root, "init", "-q")
    (root / "README.md").write_text("# Tool\n\nIt measures ice.")
    (root / "ice.py").write_text("def melt():\n    return 0\n")
    (root / ".gitignore").write_text("build/\n")
    (root / "build").mkdir()
    (root / "build" / "out.md").write_text("made")
    (root / "logo.png").write_bytes(b"x")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
    return root


async def test_a_repository_gives_documents_and_code_but_nothing_that_git_ignores(
    repository: Path, tmp_path: Path, parsers: Parsers, clock: HandClock
) -> None:
    (repository / "new.md").write_text("Not yet added.")
    source = RepositorySource(str(repository), tmp_path / "copies", parsers, clock)

    found = await source.look()

    assert [stamp.path for stamp in found.stamps] == ["README.md", "ice.py", "new.md"]
    assert dict(found.passed) == {"kind": 1}
    assert (source.is_local, source.label, source.place) == (True, "tool", str(repository))


async def test_a_repository_with_an_address_is_copied_and_brought_up_to_date(
    repository: Path, tmp_path: Path, parsers: Parsers, clock: HandClock, collections: Any
) -> None:
    source = RepositorySource(f"git+file://{repository}", tmp_path / "copies", parsers, clock)
    first = await index("tool", [source], collections, clock)
    (repository / "ice.py").write_text("def melt():\n    return 273\n")
    git(repository, "commit", "-q", "-a", "-m", "second")

    second = await index("tool", [source], collections, clock)

    assert (first.added, second.added, second.unchanged) == (2, 1, 1)
    assert "273" in collections.files["tool"]["ice.py"][1].text
    assert (source.is_local, source.label) == (False, "tool")


@pytest.mark.parametrize("address", ["git+file:///nowhere/at/all", "git+ext::sh -c true", "git+--upload-pack=x"])
async def test_a_repository_that_cannot_be_read_is_one_sentence(
    address: str, tmp_path: Path, parsers: Parsers, clock: HandClock
) -> None:
    with pytest.raises(InvalidRequest, match="cannot be read"):
        await RepositorySource(address, tmp_path / "copies", parsers, clock).look()


@pytest.mark.parametrize(
    ("place", "is_one"),
    [
        ("https://example.org/a/b.git", True),
        ("git@example.org:a/b", True),
        ("ssh://example.org/b", True),
        ("git+https://example.org/b", True),
        ("https://example.org/b", False),
        ("/no/such/folder", False),
    ],
)
def test_a_repository_is_told_by_how_it_is_written(place: str, is_one: bool) -> None:
    assert is_repository(place) is is_one

"""What several things are compared by."""

import pytest

from deepresearch_mcp.thinkers.extractive.aspects import aspects_in, listed_aspects


@pytest.mark.parametrize(
    ("about", "aspects"),
    [
        ("full-text search and in JSON support", ["full-text search", "JSON support"]),
        (
            "query building, in migrations and in connection pooling",
            ["query building", "migrations", "connection pooling"],
        ),
        ("price", ["price"]),
        ("a small and busy team", ["a small and busy team"]),
        ("revenue, margins and debt since 2022", ["revenue", "margins", "debt"]),
        ("", []),
    ],
)
def test_aspects_are_parted_where_a_reader_parts_them(about: str, aspects: list[str]) -> None:
    assert aspects_in(about) == aspects


def test_a_task_lists_its_aspects_after_commas() -> None:
    task = "Compare the mechanisms, their default settings, what can be lost, and how one recovers."

    assert listed_aspects(task) == ["default settings", "what can be lost", "how one recovers"]
    assert listed_aspects("Compare Ora, Belvo and Kestrel.") == []
    assert listed_aspects("Ora is fast.") == []

import pytest

from deepresearch_mcp.cited_text.list_titles import PLAIN, announced, heading_level


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("## References", 2),
        ("### 3.1 Sources:", 3),
        ("<h4>Bibliography</h4>", 4),
        ("**参考资料**", PLAIN),
        ("Sources:", PLAIN),
    ],
)
def test_a_heading_announces_references_at_its_level(line: str, level: int) -> None:
    assert announced(line, "", opens=False) == level


def test_a_bare_title_needs_an_underline_or_entries_behind_it() -> None:
    assert announced("References", "===", opens=False) == 2
    assert announced("References", "", opens=True) == PLAIN
    assert announced("References", "", opens=False) == 0


@pytest.mark.parametrize(
    "line", ["", "## Sources of error", "## Energy sources", "## 水资源", "Sources " * 40, "## and of"]
)
def test_other_headings_announce_nothing(line: str) -> None:
    assert announced(line, "", opens=True) == 0


def test_levels_are_those_of_markdown_and_html() -> None:
    assert [heading_level(line) for line in ("# a", "<h2 id=x>b</h2>", "**c**", "d", "####### e")] == [
        1,
        2,
        PLAIN,
        0,
        0,
    ]

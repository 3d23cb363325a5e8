import pytest

from deepresearch_mcp.cited_text.references import listing

BODY = "# Ice\n\nIce floats on water [1]. It is less dense [2].\n\n"
TWO = {"1": "https://a.example/x", "2": "https://b.example/y"}


def urls(text: str) -> dict[str, str]:
    return {one.key: one.url for one in listing(text).references}


@pytest.mark.parametrize(
    "entries",
    [
        "[1] Ice, https://a.example/x\n[2] Water: https://b.example/y",
        "[1] https://a.example/x - Ice\n[2] https://b.example/y - Water",
        "1. Ice https://a.example/x\n2. Water https://b.example/y",
        "1) [Ice](https://a.example/x)\n2) [Water](https://b.example/y)",
        "1. Ice.\n   https://a.example/x\n2. Water.\n   <https://b.example/y>",
        "[1] Ice\nhttps://a.example/x\n\n[2] Water\nhttps://b.example/y",
        "- [1] Ice https://a.example/x\n- [2] Water https://b.example/y",
        "* **[1]** Ice https://a.example/x\n* **[2]** Water https://b.example/y",
        '[1]: https://a.example/x "Ice"\n[2]: <https://b.example/y>',
        "【1】冰：https://a.example/x\n【2】水：https://b.example/y",
        "(1) Ice https://a.example/x\n(2) Water https://b.example/y",
        "¹ Ice https://a.example/x\n² Water https://b.example/y",
        "\\[1\\] Ice https://a.example/x\n\\[2\\] Water https://b.example/y",
        "[1](https://a.example/x) Ice\n[2](https://b.example/y) Water",
        "[[1]](https://a.example/x) Ice\n[[2]](https://b.example/y) Water",
        "- [Ice](https://a.example/x)\n- [Water](https://b.example/y)",
        '<ol>\n<li><a href="https://a.example/x">Ice</a></li>\n<li>Water https://b.example/y</li>\n</ol>',
        "<sup>1</sup> Ice https://a.example/x\n<sup>2</sup> Water https://b.example/y",
        "https://a.example/x\nhttps://b.example/y",
    ],
)
@pytest.mark.parametrize("heading", ["## References", "**Sources:**", "## 六、参考文献", "Quellen\n-------"])
def test_a_list_under_its_heading_is_read_in_every_usual_form(heading: str, entries: str) -> None:
    text = f"{BODY}{heading}\n\n{entries}\n"

    assert urls(text) == TWO
    [*spans] = listing(text).shut
    assert not any("floats" in text[span.start : span.end] for span in spans)


@pytest.mark.parametrize(
    "heading",
    ["Sources:", "### References and notes", "#### 7. Sources", "## Works cited", "## ### 参考文献",
     "<h2>References</h2>",
     "## Primary sources", "来源：", "## 参考文献与原始资料", "References"],
)  # fmt: skip
def test_headings_of_lists_are_known_in_many_words(heading: str) -> None:
    assert urls(f"{BODY}{heading}\n1. Ice https://a.example/x\n2. Water https://b.example/y") == TWO


@pytest.mark.parametrize(
    "tail",
    [
        "[1] https://a.example/x - Ice\n[2] https://b.example/y",
        "[1]: https://a.example/x\n\n[2]: https://b.example/y",
        "1. Ice https://a.example/x\n2. Water https://b.example/y",
    ],
)
def test_a_list_that_ends_the_text_needs_no_heading(tail: str) -> None:
    assert urls(f"{BODY}{tail}\n") == TWO


def test_entries_without_an_address_are_references_all_the_same() -> None:
    found = listing(f"{BODY}## References\n[1] Doe, Ice, 2001.\n[2] Roe, Water. https://b.example/y\n").references

    assert [(one.key, one.url, one.title) for one in found] == [
        ("1", "", "Doe, Ice, 2001"),
        ("2", "https://b.example/y", "Roe, Water"),
    ]


def test_footnotes_and_labels_are_found_wherever_they_stand() -> None:
    text = (
        "Ice floats[^n], says [Doe][d].\n\n[^n]: Doe, https://a.example/x\n[D]: https://b.example/y 'Roe'\n\nMore text."
    )

    assert urls(text) == {"^n": "https://a.example/x", "d": "https://b.example/y"}


def test_groups_inside_a_list_belong_to_it_and_chapters_after_it_do_not() -> None:
    text = (
        "## Sources\n### Papers\n1. Ice https://a.example/x\n### Pages\n2. Water https://b.example/y\n"
        "### Afterword\nIce is cold.\n"
    )
    found = listing(text)

    assert urls(text) == TWO
    [shut] = found.shut
    assert "Ice is cold" not in text[shut.start : shut.end]


def test_a_bold_title_ends_with_its_list() -> None:
    text = "**Sources:**\n1. Ice https://a.example/x\n\nLakes freeze from above.\n"
    [shut] = listing(text).shut

    assert text[shut.start : shut.end].rstrip().endswith("/x")


def test_chapters_may_each_have_a_list() -> None:
    text = (
        "## A\nIce [1].\n\nSources:\n[1] https://a.example/x\n\n## B\nWater [1].\n\nSources:\n[1] https://b.example/y\n"
    )

    assert [one.url for one in listing(text).references] == list(TWO.values())


@pytest.mark.parametrize(
    "text",
    [
        "## Data sources\n\nWe took three data sources and compared them with care.\n",
        "1. Cool the water.\n2. Wait at https://a.example/x for ice.\n",
        "```\n[1] https://a.example/x\n```\n",
        "[1] is where it began.\n",
        "Read https://a.example/x first.\n1. Then freeze it.\n",
        "## Sources of error\n- Wind\n- [Sun](https://a.example/x)\n",
        "",
    ],
)
def test_what_only_looks_like_a_list_is_none(text: str) -> None:
    assert listing(text).references == ()
    assert listing(text).shut == ()

from deepresearch_mcp.web.pages.block_features import FEATURES, Measured, PageSigns, quick_columns, signs_of
from deepresearch_mcp.web.pages.page_blocks import page_blocks
from deepresearch_mcp.web.pages.tree import load_page


def measured() -> Measured:
    page = load_page(
        "<html><body><nav class='menu'><a href='/'>Home</a></nav><main><h1>Ice floats</h1>"
        "<p>Ice floats, because water expands when it freezes into a crystal.</p></main></body></html>"
    )
    assert page is not None
    signs = signs_of("https://a.example/b/c", "Ice floats", {}, [{"@type": ["Article"], "headline": "x"}])
    return Measured(page_blocks(page), signs)


def test_every_feature_has_a_number_for_each_block() -> None:
    page = measured()

    assert page.size == 3
    assert {len(column(page)) for column in FEATURES.values()} == {3}


def test_features_tell_a_menu_from_a_paragraph() -> None:
    page = measured()

    assert FEATURES["tag nav"](page) == [1, 0, 0]
    assert FEATURES["in navigation"](page) == [1, 0, 0]
    assert FEATURES["title"](page)[1] == 1
    assert FEATURES["is_article"](page) == [1, 1, 1]
    assert FEATURES["page_path"](page) == [2, 2, 2]


def test_what_the_quick_extraction_keeps_is_known_of_each_block() -> None:
    page = measured()

    columns = quick_columns(
        page, ["Ice  floats", "Ice floats, because water expands", " when it freezes into a crystal."]
    )

    assert columns["quick"] == [0, 1, 1]


def test_a_page_of_no_known_kind_has_no_signs() -> None:
    assert signs_of("", "", {}, [{"@type": None}]) == PageSigns("", "", "", frozenset({"none"}), "")

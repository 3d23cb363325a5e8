from deepresearch_mcp.web.pages.style_sheet import MOST_CSS, NO_SHEET, declared, outside_of, sheet_of
from deepresearch_mcp.web.pages.variables import StyledElement


def place(tag: str, *names: str) -> StyledElement:
    return StyledElement(tag, frozenset(names), {})


def test_a_broken_sheet_does_no_harm() -> None:
    assert list(sheet_of("{" * 5_000 + ".x{display:none" + "}" * 5_000).hiding) == [".x"]
    assert sheet_of(".x{display:none" * 5_000).hiding == {}
    assert sheet_of("@media " * 20_000 + "none").hiding == {}
    assert sheet_of("@a{" * 20_000 + "none").hiding == {}
    assert sheet_of(" " * MOST_CSS + ".x{display:none}").hiding == {}


def test_a_sheet_that_can_hide_nothing_holds_nothing() -> None:
    assert sheet_of(".x{margin:1em}").hiding == {}
    assert NO_SHEET.paint(place("p", ".x")) == {}


def test_the_stronger_selector_paints() -> None:
    sheet = sheet_of("#i{color:#111} .x.y{color:#222} p.x{color:#333} .x{color:#444;background:#555} p{color:#666}")

    assert sheet.paint(place("p")) == {"color": "#666"}
    assert sheet.paint(place("b", ".x")) == {"color": "#444", "background": "#555"}
    assert sheet.paint(place("p", ".x")) == {"color": "#333", "background": "#555"}
    assert sheet.paint(place("p", ".x", ".y")) == {"color": "#222", "background": "#555"}
    assert sheet.paint(place("p", ".x", "#i")) == {"color": "#111", "background": "#555"}


def test_what_another_rule_may_paint_is_not_known() -> None:
    sheet = sheet_of(
        ".x{color:red} .nav .x, [data-a] > ul.y li::before, .z:not(.b):hover{color:blue} @media print{.p{color:red}}"
        " @media (min-width:9em){h2{background:red}}"
    )

    assert sheet.unsure == {".x", ".z", "h2"}
    assert sheet.paint(place("p", ".x")) is None
    assert sheet.paint(place("h2")) is None
    assert sheet.paint(place("p", ".p")) == {}
    assert sheet_of(".a > *, .b [c]{color:red}").unsure == {"*"}


def test_text_is_faint_where_a_ground_of_the_sheet_or_of_a_page_has_its_colour() -> None:
    sheet = sheet_of(".a{color:#fffffe} .b{color:#333} .c{color:var(--c)} .d{background:#121212} :root{--c:#111}")

    assert sheet.faint == {".a", ".c"}


def test_comments_and_declarations_are_read_as_browsers_do() -> None:
    assert "".join(outside_of("a/*b*/c/*d", "/*", "*/")) == "ac"
    assert declared("A : B  C !important;x;--Y:1") == {"a": "b c", "--y": "1"}

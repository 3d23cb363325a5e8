import pytest

from deepresearch_mcp.web.pages.hiding import hides
from deepresearch_mcp.web.pages.style_sheet import sheet_of
from deepresearch_mcp.web.pages.tree import Node, load_page


def element(html: str, tag: str = "p") -> Node:
    tree = load_page(f"<html><body><div>{html}</div></body></html>")
    assert tree is not None
    found = tree.find(f".//{tag}")
    assert found is not None
    return found


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "DISPLAY : None !important",
        "visibility: hidden",
        "visibility: collapse",
        "content-visibility: hidden",
        "font-size: 0",
        "font-size:1px",
        "font-size: 0.05em",
        "opacity: 0",
        "opacity: 0.01",
        "opacity: 2%",
        "color: transparent",
        "color: rgba(0, 0, 0, 0)",
        "color: #12345600",
        "text-indent: -9999px",
        "left: -9999px",
        "position: absolute; left: -1000px",
        "position: fixed; top: -200vh",
        "position: absolute; clip: rect(0 0 0 0)",
        "position: absolute; clip: rect(1px, 1px, 1px, 1px)",
        "clip-path: inset(50%)",
        "transform: scale(0)",
        "overflow: hidden; height: 0",
        "overflow: hidden; max-width: 1px",
        "font: 0/0 a",
        "zoom: .001",
        "filter: blur(2px) opacity(0)",
        "mask-image: linear-gradient(transparent, transparent)",
        "-webkit-text-fill-color: transparent",
        "translate: -200vw",
        "transform: translateX(-9999px)",
        "rotate: x 90deg",
    ],
)
def test_a_style_that_leaves_nothing_to_see_hides(style: str) -> None:
    assert hides(element(f"<p style='{style}'>words</p>"))


@pytest.mark.parametrize(
    "style",
    [
        "",
        "display: block",
        "font-size: 1rem",
        "font-size: 12px",
        "font-size: smaller",
        "opacity: 0.8",
        "opacity: 0; transition: opacity 1s",
        "visibility: hidden; animation-name: rise",
        "overflow: hidden; height: 0; transition-property: height",
        "overflow: hidden; height: 300px",
        "overflow: auto; height: 0",
        "left: -20px",
        "margin-left: -100px",
        "position: absolute; left: -100px",
        "position: absolute; clip: rect(0 100px 100px 0)",
        "clip: rect(0 0 0 0)",
        "color: #fff0a0",
        "color: rgba(0, 0, 0, 0.8)",
        "font: 400 12px/1.5 a",
        "font: 1em a",
        "zoom: 0",
        "filter: opacity(.5)",
        "mask-image: linear-gradient(black, transparent)",
        "color: transparent; background-clip: text",
        "-webkit-text-fill-color: transparent; -webkit-background-clip: text",
        "translate: -100% 0",
        "transform: translate(-100vw, 0)",
        "rotate: 90deg",
        "nonsense",
    ],
)
def test_a_style_that_shows_or_moves_in_or_opens_hides_nothing(style: str) -> None:
    assert not hides(element(f"<p style='{style}'>words</p>"))


def test_the_attribute_hides_and_a_mark_for_screen_readers_does_not() -> None:
    assert hides(element("<p hidden>words</p>"))
    assert hides(element("<p hidden='until-found'>words</p>"))
    assert not hides(element("<p aria-hidden='true'>words</p>"))


def test_what_pops_up_is_hidden_and_a_tooltip_s_words_hide_nothing() -> None:
    assert hides(element("<p popover>words</p>"))
    assert hides(element("<p popover='manual'>words</p>"))
    assert not hides(element("<p popover='A word of help'>words</p>"))


@pytest.mark.parametrize(
    ("html", "hidden"),
    [
        ("<p style='color:#fff;background:#ffffff'>words</p>", True),
        ("<p style='color:white;background-color:rgb(255,255,255)'>words</p>", True),
        ("<div style='background:black'><p style='color:#000'>words</p></div>", True),
        ("<p style='color:white'>words</p>", True),
        ("<p style='color:rgb(254,254,254)'>words</p>", True),
        ("<p style='color:#eee'>words</p>", False),
        ("<p bgcolor='#FFFFFF' style='color:white'>words</p>", True),
        ("<p style='color:white;background:black'>words</p>", False),
        ("<p style='color:#fefefe;background:url(night.png)'>words</p>", False),
        ("<div style='background-image:url(x)'><p style='color:white'>words</p></div>", False),
        ("<div class='dark'><p style='color:white'>words</p></div>", False),
        ("<p style='color:hsl(1 2 3)'>words</p>", False),
        ("<p style='color:black'>words</p>", False),
    ],
)
def test_text_in_the_colour_of_its_ground_is_hidden(html: str, *, hidden: bool) -> None:
    assert hides(element(html)) is hidden


@pytest.mark.parametrize(
    ("css", "attributes", "hidden"),
    [
        (".x{display:none}", "class='x'", True),
        ("a{color:red} .y, .x { display : none }", "class='other x'", True),
        ("p.x{left:-9999px}", "class='x'", True),
        ("#one{opacity:0}", "id='one'", True),
        (".x.y{display:none}", "class='x y'", True),
        (".x.y{display:none}", "class='x'", False),
        ("div.x{display:none}", "class='x'", False),
        (".x{display:none}", "class='x' style='display:block'", False),
        ("/* .x{display:none} */", "class='x'", False),
        ("@media print{.x{display:none}}", "class='x'", False),
        ("@media print{.y{color:red}.x{display:none}} .z{display:none}", "class='x'", False),
        (".x{display:none} .open .x{display:block}", "class='x'", False),
        (".x{display:none} @media screen{.x{display:block}}", "class='x'", False),
        (".nav .x{display:none}", "class='x'", False),
        (".nav{.x{display:none}}", "class='x'", False),
        ("body{& .x{display:none}}", "class='x'", True),
        ("body .x{display:none}", "class='x'", True),
        ("@layer a{.x{display:none}}", "class='x'", True),
        ("@supports (display:grid){.x{display:none}}", "class='x'", True),
        ("@supports not (display:grid){.x{display:none}}", "class='x'", False),
        ("@supports (-moz-appearance:none){.x{display:none}}", "class='x'", False),
        ("@media screen{.x{display:none}}", "class='x'", True),
        ("@media screen and (max-width:9em){.x{display:none}}", "class='x'", False),
        (".x{color:red}", "class='x'", False),
        ("", "class='x'", False),
    ],
)
def test_a_plain_rule_of_the_page_s_own_sheet_hides(css: str, attributes: str, *, hidden: bool) -> None:
    assert hides(element(f"<p {attributes}>words</p>"), sheet_of(css)) is hidden


@pytest.mark.parametrize(
    "css",
    [
        ".x{opacity:var(--o)} :root{--o:1} @media print{:root{--o:0}}",
        ".x{opacity:var(--o)} :root{--o:1} @media (max-width:9em){:root{--o:0}}",
        ".x{opacity:var(--o)} :root{--o:0} @media (min-width:9em){:root{--o:1}}",
        ".x{opacity:var(--o)} .modal-open .page{--o:0}",
        ".x{opacity:var(--o)} :root{--o:1} .modal-open .page,.note{--o:0}",
        ".x{opacity:var(--o)} .page.open{--o:0}",
        ".x{opacity:var(--o)} section{--o:0}",
        ".x{opacity:var(--o)} :root,[data-mode=off]{--o:0}",
        ".x{color:rgba(0,0,0,var(--alpha))}",
        ".x{color:rgba(var(--rgb),var(--alpha,1))}",
        ".x{opacity:calc(var(--o))}",
    ],
)
def test_a_variable_that_is_not_known_for_certain_hides_nothing(css: str) -> None:
    assert not hides(element("<div class='page'><p class='x'>words</p></div>"), sheet_of(css))


@pytest.mark.parametrize(
    "css",
    [
        ".x{opacity:var(--o)} :root{--o:0}",
        ".x{opacity:var(--o)} .page{--o:0}",
        ".x{opacity:var(--o)} :root{--o:0} @media print{:root{--o:1}}",
        ".x{opacity:var(--o)} *,::before,::after{--o:0}",
        ".x{opacity:var(--o,0)}",
        ".x{opacity:var(--o,var(--p))} :root{--o:0}",
        ".x{color:rgba(0,0,0,var(--alpha))} body{--alpha:0}",
        ".x{opacity:var(--o)} .page{--o:1} p.x{--o:0}",
        ".x{opacity:var(--o)} .page,.modal-open .other{--p:1;} div.page{--o:0}",
    ],
)
def test_a_variable_of_a_plain_rule_hides_what_the_rule_is_for(css: str) -> None:
    assert hides(element("<div class='page'><p class='x'>words</p></div>"), sheet_of(css))


def test_a_variable_without_a_value_leaves_text_in_its_colour() -> None:
    assert not hides(element("<p style='color:rgba(0,0,0,var(--alpha))'>words</p>"))
    assert not hides(element("<p style='color:rgba(0,0,0,)'>words</p>"))
    assert hides(element("<p style='color:rgba(0,0,0,var(--alpha))'>words</p>"), sheet_of(":root{--alpha:0}"))


PALE = ".w{color:#fff}"


@pytest.mark.parametrize(
    ("css", "html"),
    [
        (".w{color:#fff;background:#fff}", "<p class='w'>words</p>"),
        (".w{color:#fff;background-color:var(--c)} :root{--c:#fefefe}", "<p class='w'>words</p>"),
        (f".box{{background:#fff}}{PALE}", "<section class='box'><p class='w'>words</p></section>"),
        (f".box{{background:#fff}}{PALE}", "<section class='box'><p class='w'>a <b>few</b> words</p></section>"),
        ("#w{color:#123456} .box{background:#123456}", "<section class='box'><p id='w'>words</p></section>"),
        (".w{color:#fff}", "<p class='w' style='background:white'>words</p>"),
        (".box{background:black}", "<section class='box'><p style='color:#000'>words</p></section>"),
    ],
)
def test_text_in_the_colour_of_its_ground_by_rules_is_hidden(css: str, html: str) -> None:
    assert hides(element(html), sheet_of(css))
    assert hides(element(html), sheet_of(css, is_whole=True))


@pytest.mark.parametrize(
    "css",
    [
        f"body{{background:#222}}{PALE}",
        f"html{{background:url(night.jpg)}}{PALE}",
        f".box{{background:#222}}{PALE}",
        f".box{{background:rgba(255,255,255,.1)}}{PALE}",
        f".box{{background:linear-gradient(#fff,#000)}}{PALE}",
        f".box{{position:absolute}}{PALE}",
        f".night .box{{background:#222}}{PALE}",
        f"@media (min-width:9em){{.box{{background:#222}}}}{PALE}",
        f"section{{background:#222}}{PALE}",
        f"{PALE}.w:hover{{color:#000}}",
        f"{PALE}.w{{text-shadow:0 0 2px #000}}",
        f"{PALE}b{{color:#000}}",
        f"{PALE}.w b{{color:#000}}",
        f"{PALE}p.w{{color:#000}}",
        f"{PALE}#w{{color:#000}}",
        "p{color:#fff}",
        ".w{color:hsl(0 0% 100%)}",
    ],
)
def test_text_whose_colour_or_ground_may_be_another_is_read(css: str) -> None:
    shown = element("<section class='box'><p class='w' id='w'>a <b>few</b> words</p></section>")

    assert not hides(shown, sheet_of(css, is_whole=True))


def test_pale_text_on_the_page_itself_is_hidden_only_where_no_other_sheet_can_paint_the_page() -> None:
    pale = element("<section class='box'><p class='w'>words</p></section>")

    assert hides(pale, sheet_of(PALE, is_whole=True))
    assert not hides(pale, sheet_of(PALE))


def test_pale_text_with_much_inside_is_read() -> None:
    assert hides(element(f"<p class='w'>{'<b>a</b>' * 100}</p>"), sheet_of(PALE, is_whole=True))
    assert not hides(element(f"<p class='w'>{'<b>a</b>' * 300}</p>"), sheet_of(PALE, is_whole=True))

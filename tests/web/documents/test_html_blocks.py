import pytest

from deepresearch_mcp.web.documents.html_blocks import html_blocks


@pytest.mark.parametrize(
    ("html", "blocks"),
    [
        ("<h2>One</h2><p>Ice <b>floats</b> on<br>water.</p>", ["## One", "Ice floats on water."]),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", ["- a", "- b", "- c"]),
        ("<table><tr><th>a</th><td>b</td></tr></table>", ["| a | b |\n| --- | --- |"]),
        ("<pre>x = 1\n  y</pre>", ["```\nx = 1\n  y\n```"]),
        ("loose <span>words</span><div>and more</div>tail", ["loose words", "and more", "tail"]),
        ("<a href='/x'><p>linked</p></a>", ["linked"]),
        ("<p>seen</p><p style='display:none'>unseen</p><script>x</script>", ["seen"]),
        ("", []),
    ],
)
def test_html_becomes_blocks(html: str, blocks: list[str]) -> None:
    assert html_blocks(html) == blocks


def test_elements_without_end_are_read_to_a_depth() -> None:
    assert html_blocks("<div>" * 200 + "deep") == ["deep"]

from urllib.parse import unquote
from xml.etree import ElementTree

from deepresearch_mcp.mcp_server.looks import ICONS


def test_the_icon_is_a_small_drawing() -> None:
    [icon] = ICONS
    drawing = ElementTree.fromstring(unquote(icon.src.partition(",")[2]))

    assert drawing.tag.endswith("svg")
    assert len(icon.src) < 500
    assert " " not in icon.src

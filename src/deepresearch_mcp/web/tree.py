"""What we use of lxml, which comes without types."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Protocol, cast

from trafilatura.utils import load_html

_ETREE: Any = import_module("lxml.etree")
"""lxml, which comes without types."""

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


_FORBIDDEN = re.compile(
    r"&#(?:0*(?:[0-8]|1[124-9]|2[0-9]|3[01])(?![0-9])|x0*(?:[0-8bcef]|1[0-9a-f]|fff[ef])(?![0-9a-f]));?", re.IGNORECASE
)
"""References to control characters: the parser lets them into the tree, where no text may be moved with them."""


class Node(Protocol):
    """An element of a parsed page."""

    @property
    def tag(self) -> str:
        """Its name in lower case."""
        ...

    @property
    def text(self) -> str | None:
        """Text before the first child."""
        ...

    @property
    def tail(self) -> str | None:
        """Text behind the element, up to the next one."""
        ...

    def get(self, key: str) -> str | None:
        """An attribute."""
        ...

    def iter(self, *tags: str) -> Iterator["Node"]:
        """The element and all below it that have one of the names, in page order."""
        ...

    def itertext(self) -> Iterator[str]:
        """All text inside, in page order."""
        ...

    def find(self, path: str) -> "Node | None":
        """The first that an ElementPath leads to."""
        ...

    def xpath(self, path: str) -> list["Node"]:
        """All that an XPath leads to."""
        ...

    def getparent(self) -> "Node | None":
        """The element around it."""
        ...

    def __iter__(self) -> Iterator["Node"]: ...


def load_page(html: str) -> Node | None:
    """Parse a page or a fragment of one; None where nothing can be made of it."""
    html = _FORBIDDEN.sub("", html)
    tree = cast(object, load_html(html))
    if tree is None and html.strip():
        # It refuses what has no <html>; a fragment is a page all the same.
        tree = cast(object, load_html(f"<html><body><div>{html}</div><div></div></body></html>"))
    return cast(Node | None, tree)


def inner_text(node: Node) -> str:
    """All text inside, as it stands in the source."""
    return "".join(node.itertext())


def replace_inside(node: Node, tag: str, text: str) -> None:
    """Put one element with a text in the place of all that is inside a node."""
    element = cast(Any, node)
    element.clear(keep_tail=True)
    child = element.makeelement(tag)
    child.text = text
    element.append(child)


def open_all(tree: Node, tag: str) -> None:
    """Leave the words of all elements of a name where they stand, without the elements."""
    _ETREE.strip_tags(tree, tag)


def drop(tree: Node, *tags: str) -> None:
    """Take out all elements of some names with what is inside."""
    _ETREE.strip_elements(tree, *tags, with_tail=False)


def serialised(tree: Node) -> str:
    """The page as HTML again."""
    return cast(str, _ETREE.tostring(tree, encoding="unicode", method="html"))


def load_xml(text: str) -> Node | None:
    """Parse XML, well-formed or nearly; entities stay as they are and nothing is loaded. None where it cannot be."""
    parser = _ETREE.XMLParser(
        recover=True, resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        return cast(Node | None, _ETREE.fromstring(_DECLARATION.sub("", text).encode("utf-8", "replace"), parser))
    except (_ETREE.XMLSyntaxError, ValueError):
        return None

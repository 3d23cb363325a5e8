"""The part of lxml that we use, with types."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Protocol, cast

from trafilatura.utils import load_html, repair_faulty_html

_ETREE: Any = import_module("lxml.etree")
_HTML: Any = import_module("lxml.html")
"""lxml, which comes without types."""


def _parser() -> Any:  # noqa: ANN401 - lxml has no types
    """Return trafilatura's parser, but for the classes of elements: lxml.html asks Python for that of each one."""
    parser = _HTML.HTMLParser(
        collect_ids=False, default_doctype=False, encoding="utf-8", remove_comments=True, remove_pis=True
    )
    parser.set_element_class_lookup(_ETREE.ElementDefaultClassLookup(element=_HTML.HtmlElement))
    return parser


_PARSER: Any = _parser()
_BEGINNING = 50
"""Characters in which trafilatura looks for a declaration."""
_TOP = 4_096
"""Characters in which it repairs one."""
_INVALID = bytes({*range(0x20)} - {*b"\t\n\r"})
_NO_CHARACTERS = ("\ufffe", "\uffff")
"""What it removes of a page: control characters, and two that are none."""
_STRING: Any = _ETREE.XPath("string()", smart_strings=False)

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


_FORBIDDEN = re.compile(
    r"&#(?:0*(?:[0-8]|1[124-9]|2[0-9]|3[01])(?![0-9])|x0*(?:[0-8bcef]|1[0-9a-f]|fff[ef])(?![0-9a-f]));?", re.IGNORECASE
)
"""References to control characters. The parser accepts them, but lxml then refuses to move the text."""


class Node(Protocol):
    """An element of a parsed page."""

    @property
    def tag(self) -> str:
        """The tag name in lower case."""
        ...

    @property
    def text(self) -> str | None:
        """Text before the first child."""
        ...

    @property
    def tail(self) -> str | None:
        """Text after the element, up to the next one."""
        ...

    def get(self, key: str) -> str | None:
        """Return an attribute; None if it is missing."""
        ...

    def iter(self, *tags: str) -> Iterator["Node"]:
        """Yield the element and all its descendants with one of the tags, in page order; all without tags."""
        ...

    def itertext(self) -> Iterator[str]:
        """Yield all text inside, in page order."""
        ...

    def find(self, path: str) -> "Node | None":
        """Return the first match of an ElementPath."""
        ...

    def xpath(self, path: str) -> list["Node"]:
        """Return all matches of an XPath."""
        ...

    def getparent(self) -> "Node | None":
        """Return the parent element."""
        ...

    def __iter__(self) -> Iterator["Node"]: ...


def load_page(html: str) -> Node | None:
    """Parse a page or a fragment of one; None if it holds nothing that can be parsed."""
    html = _FORBIDDEN.sub("", html)
    tree = _parsed(html)
    if tree is None and html.strip():
        # load_html refuses a text without <html>, but a fragment counts as a page here.
        tree = _parsed(f"<html><body><div>{html}</div><div></div></body></html>")
    return cast(Node | None, tree)


def _parsed(html: str) -> object:
    """Parse a page as trafilatura does, to which all odd ones are left."""
    beginning = html[:_BEGINNING].lower()
    if "html" in beginning:
        try:
            tree = _HTML.fromstring(_repaired(html, beginning), parser=_PARSER)
        except (ValueError, _ETREE.LxmlError):
            tree = None
        if tree is not None and len(tree):
            return tree
    return cast(object, load_html(html))


def _repaired(html: str, beginning: str) -> str:
    """Repair a page as trafilatura does, which searches all of it, character by character, for invalid ones."""
    raw = html.encode("utf-8", "surrogatepass")
    end = html.find("\n", _TOP) + 1
    if not end or len(raw.translate(None, _INVALID)) < len(raw) or any(one in html for one in _NO_CHARACTERS):
        return repair_faulty_html(html, beginning)
    return repair_faulty_html(html[:end], beginning) + html[end:]


def inner_text(node: Node) -> str:
    """Return all text inside, as it is in the source."""
    element = cast(Any, node)
    return cast(str, _STRING(element)) if len(element) else element.text or ""


def replace_inside(node: Node, tag: str, text: str) -> None:
    """Replace the content of a node with one element that holds `text`."""
    element = cast(Any, node)
    element.clear(keep_tail=True)
    child = element.makeelement(tag)
    child.text = text
    element.append(child)


def open_all(tree: Node, tag: str) -> None:
    """Remove all elements with a tag and keep their content in place."""
    _ETREE.strip_tags(tree, tag)


def drop(tree: Node, *tags: str) -> None:
    """Remove all elements with one of the tags, with their content."""
    _ETREE.strip_elements(tree, *tags, with_tail=False)


def serialised(tree: Node) -> str:
    """Return the page as HTML."""
    return cast(str, _ETREE.tostring(tree, encoding="unicode", method="html"))


def load_xml(text: str) -> Node | None:
    """Parse XML, even if not quite well-formed; None if it cannot be parsed. Resolves no entities, loads nothing."""
    parser = _ETREE.XMLParser(
        recover=True, resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        return cast(Node | None, _ETREE.fromstring(_DECLARATION.sub("", text).encode("utf-8", "replace"), parser))
    except (_ETREE.XMLSyntaxError, ValueError):
        return None

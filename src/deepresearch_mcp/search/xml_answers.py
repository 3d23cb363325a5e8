"""Reads the XML of a service's answer."""

from typing import TYPE_CHECKING

from deepresearch_mcp.exceptions import UnreadableAnswer

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_xml(provider: str, body: bytes, root: str) -> "Element":
    """Return the root element of an answer, whose name must be `root` (`{namespace}name`).

    Documents that define entities are refused: no service of ours does it, and such entities can grow without end.
    What a document type names outside is never fetched.

    Raises:
        UnreadableAnswer: It is not XML, has another root, defines entities, or is not in UTF-8.
    """
    from xml.etree import ElementTree

    if b"<!ENTITY" in body or b"\0" in body:
        raise UnreadableAnswer(provider, "its answer defines entities or is not in UTF-8")
    try:
        found = ElementTree.fromstring(body)  # noqa: S314 - it defines no entity, and expat fetches nothing
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise UnreadableAnswer(provider, "its answer is not XML") from error
    if found.tag != root:
        raise UnreadableAnswer(provider, "its answer has an unexpected shape")
    return found


def all_text(element: "Element | None") -> str:
    """Return the text of an element and of all below it, on one line; "" for None."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""

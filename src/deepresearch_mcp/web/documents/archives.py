"""Opens files that are ZIP archives of XML (office files, books), within limits, without resolving entities."""

import io
import zipfile
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Literal, cast

from deepresearch_mcp.web.pages.tree import Node

ArchiveKind = Literal["docx", "xlsx", "pptx", "epub"]
MOST_ENTRIES = 5_000
"""Files in an archive. The largest books have some hundred."""
LARGEST_ENTRY = 40_000_000
"""Bytes of one file in an archive, unpacked."""
LARGEST = 120_000_000
"""Bytes that are unpacked of one archive altogether."""
_PARTS: dict[str, ArchiveKind] = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}
_ETREE: Any = import_module("lxml.etree")
"""lxml, which comes without types."""


class BadArchive(Exception):
    """An archive is broken, locked, or holds more than its limits allow."""


class Archive:
    """The files of an archive, each unpacked when it is read."""

    def __init__(self, body: bytes) -> None:
        """Open an archive.

        Raises:
            BadArchive: It is broken or has too many files.
        """
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(body))
            self.names = self._zip.namelist()
        except Exception as error:
            # zipfile raises a dozen kinds of errors for broken files.
            raise BadArchive("The file is a broken archive.") from error
        if len(self.names) > MOST_ENTRIES:
            raise BadArchive("The file is an archive of too many files.")
        self._left = LARGEST

    def read(self, name: str) -> bytes:
        """Return the content of a file; empty if there is none with this name.

        Raises:
            BadArchive: The file is locked or broken, or larger than the limits.
        """
        if name not in self._zip.NameToInfo:
            return b""
        most = min(LARGEST_ENTRY, self._left)
        try:
            with self._zip.open(name) as file:
                # The size in the directory may lie: what counts is what comes out.
                content = file.read(most + 1)
        except Exception as error:
            raise BadArchive("The file is a broken or locked archive.") from error
        if len(content) > most:
            raise BadArchive("The file unpacks to more than can be read.")
        self._left -= len(content)
        return content

    def xml(self, name: str) -> Node | None:
        """Return the root of an XML file; None if it is missing, broken or declares entities.

        Raises:
            BadArchive: See `read`.
        """
        return xml_of(self.read(name))


def xml_of(content: bytes) -> Node | None:
    """Parse XML; None if it is broken or has a document type, in which entities are declared."""
    if not content or b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        return None
    parser = _ETREE.XMLParser(recover=True, resolve_entities=False, no_network=True, remove_comments=True)
    try:
        return cast(Node | None, _ETREE.fromstring(content, parser))
    except (_ETREE.XMLSyntaxError, ValueError):
        return None


def archive_kind(body: bytes) -> ArchiveKind | None:
    """Return what an archive holds; None for one that is none of the known kinds."""
    try:
        archive = Archive(body)
        if archive.read("mimetype").strip() == b"application/epub+zip":
            return "epub"
    except BadArchive:
        return None
    if "[Content_Types].xml" not in archive.names:
        return None
    return next((kind for part, kind in _PARTS.items() if any(name.startswith(part) for name in archive.names)), None)


def local(node: Node) -> str:
    """Return the name of an element without its namespace; empty for anything else."""
    tag = cast(object, node.tag)
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(node: Node | None) -> Iterator[Node]:
    """Yield the elements in an element; none if there is no element."""
    yield from node if node is not None else ()


def attribute(node: Node, name: str) -> str:
    """Return an attribute by its name without namespace; empty if it is missing."""
    for key, value in cast(Any, node).attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return ""


def first(node: Node | None, name: str) -> Node | None:
    """Return the first element inside with this name."""
    return next((one for one in node.iter() if local(one) == name), None) if node is not None else None


def own(node: Node | None, name: str) -> Node | None:
    """Return the first child with this name."""
    return next((one for one in node if local(one) == name), None) if node is not None else None


class Facts:
    """What an office file says about itself."""

    def __init__(self, archive: Archive) -> None:
        core = archive.xml("docProps/core.xml")
        self.title = _text(first(core, "title"))
        self.author = _text(first(core, "creator"))
        self.created = _text(first(core, "created"))[:10]


def _text(node: Node | None) -> str:
    return " ".join("".join(node.itertext()).split())[:300] if node is not None else ""

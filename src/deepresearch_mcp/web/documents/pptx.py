"""Reads PowerPoint files: each visible slide as a page with its texts, tables and speaker notes."""

import posixpath
from collections.abc import Iterator
from datetime import date
from typing import Any, cast

from deepresearch_mcp.web.documents.archives import Archive, Facts, attribute, children, first, local, own
from deepresearch_mcp.web.documents.finished import finished
from deepresearch_mcp.web.documents.markdown_tables import markdown_table
from deepresearch_mcp.web.pages.tree import Node
from deepresearch_mcp.web.parsed import Parsed

_TITLES = frozenset({"title", "ctrTitle"})
_MOST_SLIDES = 2_000


def parse_pptx(archive: Archive, limit: int, today: date) -> Parsed:
    """Return each slide under its title; hidden slides are left out. The number of a slide counts as its page.

    Raises:
        BadArchive: The file is broken, or holds more than its limits allow.
    """
    slides: list[str] = []
    hidden = False
    for name in _slides(archive):
        root = archive.xml(name)
        shown = root is not None and attribute(root, "show") not in {"0", "false"}
        hidden = hidden or not shown
        slides.append("\n\n".join((*_blocks(root), *_notes(archive, name))) if root is not None and shown else "")
        if sum(map(len, slides)) > limit:
            break
    return finished("pptx", slides, limit, Facts(archive), today, hidden=hidden, pages=True)


def _slides(archive: Archive) -> list[str]:
    """Return the names of the slides' files, in the order in which they are shown."""
    links = archive.xml("ppt/_rels/presentation.xml.rels")
    targets = {attribute(one, "Id"): attribute(one, "Target") for one in children(links)}
    listed = own(archive.xml("ppt/presentation.xml"), "sldIdLst")
    names = [targets.get(_link(one), "") for one in children(listed)]
    return [posixpath.normpath(posixpath.join("/ppt", name)).lstrip("/") for name in names if name][:_MOST_SLIDES]


def _notes(archive: Archive, slide: str) -> Iterator[str]:
    """Yield what the speaker's notes of a slide say, if it has any."""
    folder, _, file = slide.rpartition("/")
    for link in children(archive.xml(f"{folder}/_rels/{file}.rels")):
        if not attribute(link, "Type").endswith("/notesSlide"):
            continue
        target = posixpath.normpath(posixpath.join("/", folder, attribute(link, "Target"))).lstrip("/")
        root = archive.xml(target)
        for shape in root.iter() if root is not None else ():
            place = first(own(shape, "nvSpPr"), "ph") if local(shape) == "sp" else None
            # The others hold the picture of the slide, its number and the date.
            if place is not None and attribute(place, "type") == "body":
                lines = [line for line in map(_line, _paragraphs(shape)) if line]
                if lines:
                    yield "\n".join(("Notes:", *lines))


def _link(node: Node) -> str:
    """Return the `r:id` of a slide, which has an `id` without namespace beside it."""
    return next((value for key, value in _attributes(node) if key.endswith("}id")), "")


def _attributes(node: Node) -> list[tuple[str, str]]:
    return list(cast(Any, node).attrib.items())


def _blocks(slide: Node) -> Iterator[str]:
    for shape in slide.iter():
        name = local(shape)
        if name == "sp":
            place = first(own(shape, "nvSpPr"), "ph")
            text = [line for line in map(_line, _paragraphs(shape)) if line]
            if not text:
                continue
            if place is not None and attribute(place, "type") in _TITLES:
                yield f"## {' '.join(text)}"
            else:
                yield "\n".join(text)
        elif name == "tbl":
            yield "\n".join(markdown_table(_rows(shape)))


def _rows(table: Node) -> Iterator[list[str]]:
    for row in table:
        if local(row) == "tr":
            yield [" ".join(map(_line, _paragraphs(cell))) for cell in row if local(cell) == "tc"]


def _paragraphs(node: Node) -> list[Node]:
    return [one for one in node.iter() if local(one) == "p"]


def _line(paragraph: Node) -> str:
    words = (" " if local(one) == "br" else one.text or "" for one in paragraph.iter() if local(one) in {"t", "br"})
    return " ".join("".join(words).split())

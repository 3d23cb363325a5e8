"""The parts of a Word document that python-docx has no words for: links, bookmarks, numbers of lists and of pages.

Text enters the XML through lxml, which escapes it. The only fields are those of the page numbers, which are constant.
"""

import unicodedata
from dataclasses import replace
from typing import Any, Final, cast

from docx import Document
from docx.document import Document as WordDocument
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement  # pyright: ignore[reportUnknownVariableType] - lxml is not typed
from docx.oxml.ns import qn
from docx.shared import Emu, Mm, Pt, RGBColor
from docx.text.paragraph import Paragraph
from docx.text.run import Run as WordRun

from deepresearch_mcp.viewer.report_tree import Grid, Line, Words, plain

_LINK: Final = RGBColor(0x0B, 0x5C, 0xAD)
_INK: Final = RGBColor(0x1A, 0x1A, 0x1A)
_MONO: Final = "Consolas"
_DEEPEST = 8
"""Levels of a list that Word knows."""
_LONGEST_LINK = 2_000
"""Characters of an address; Word reports a document with a longer one as damaged."""
_MOST_LINKS = 20_000
_SIZES: Final = {"Title": 20, "Heading 1": 14, "Heading 2": 12, "Heading 3": 11}


def blank_document(language: str, footer: str) -> WordDocument:
    """An empty document on A4, with our styles and a footer that numbers the pages."""
    document = Document()
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(22)
    section.top_margin, section.bottom_margin = Mm(20), Mm(20)
    normal: Any = document.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(10.5)
    normal.paragraph_format.space_after = Pt(6)
    for name, size in _SIZES.items():
        style: Any = document.styles[name]
        style.font.size, style.font.bold, style.font.color.rgb, style.font.name = Pt(size), True, _INK, "Calibri"
        for line in style.element.iter(qn("w:pBdr")):
            line.getparent().remove(line)
        style.element.rPr.rFonts.attrib.clear()
        style.element.rPr.rFonts.set(qn("w:ascii"), "Calibri")
        style.element.rPr.rFonts.set(qn("w:hAnsi"), "Calibri")
    told = _element("w:lang", **({"w:val": language, "w:bidi": language} if language else {}))
    normal.element.get_or_add_rPr().append(told)
    _number_pages(section.footer.paragraphs[0], footer)
    return document


def _number_pages(paragraph: Paragraph, footer: str) -> None:
    paragraph.add_run(f"{footer}    ")
    for part in ("PAGE", " / ", "NUMPAGES"):
        if part.isupper():
            field = _element("w:fldSimple", **{"w:instr": part})
            _xml(paragraph).append(field)
            run = paragraph.add_run("1")
            run.font.size = Pt(8)
            field.append(_xml(run))
        else:
            paragraph.add_run(part)
    for run in paragraph.runs:
        run.font.size = Pt(8)


class Writer:
    """Adds blocks to a document."""

    def __init__(self, document: WordDocument) -> None:
        self._document = document
        self._marks = 0
        self._numbers: Any = document.part.numbering_part.element
        self._bulleted = self._abstract(ordered=False)
        self._ordered = self._abstract(ordered=True)
        self.bullets = self._number(self._bulleted)
        """The number of lists with bullets."""

    def numbering(self, first: int) -> int:
        """The number of a new list that counts from `first`."""
        return self._number(self._ordered, first)

    def paragraph(
        self,
        line: Line,
        style: str | None = None,
        *,
        depth: int = 0,
        numbered: tuple[int, int] | None = None,
        reference: int = 0,
    ) -> None:
        """A paragraph, `depth` steps from the edge, or an item of a list: its number and level."""
        made = self._document.add_paragraph(style=style)
        if numbered:
            self._join(made, *numbered)
        elif depth:
            made.paragraph_format.left_indent = Mm(7 * min(depth, _DEEPEST))
        self._fill(made, line, reference)

    def code(self, text: str, depth: int) -> None:
        """Lines of code on a grey ground."""
        made = self._document.add_paragraph()
        made.paragraph_format.left_indent = Mm(7 * min(depth, _DEEPEST))
        made.paragraph_format.keep_together = True
        _set(made, _element("w:shd", **{"w:val": "clear", "w:fill": "F4F5F7"}))
        run = made.add_run(text)
        run.font.name, run.font.size = _MONO, Pt(9)

    def rule(self) -> None:
        """A line across the page."""
        made = self._document.add_paragraph()
        border = _element("w:pBdr")
        border.append(_element("w:bottom", **{"w:val": "single", "w:sz": "4", "w:space": "1", "w:color": "C9CED6"}))
        _set(made, border)

    def table(self, grid: Grid) -> None:
        """A table with the widths of its columns and a head that each page repeats."""
        section = self._document.sections[0]
        room = (section.page_width or 0) - (section.left_margin or 0) - (section.right_margin or 0)
        widths = [Emu(round(room * share)) for share in grid.shares()]
        made = self._document.add_table(rows=0, cols=len(widths), style="Table Grid")
        made.autofit, made.alignment = False, WD_TABLE_ALIGNMENT.LEFT
        if any(map(_is_rtl, map(plain, grid.head))):
            _xml(made).tblPr.insert_element_before(_element("w:bidiVisual"), "w:tblW", "w:jc")
        for column, width in zip(made.columns, widths, strict=True):
            column.width = width
        size = Pt(9 if len(widths) < 6 else 7.5)
        for number, cells in enumerate((grid.head, *grid.rows)):
            row = made.add_row()
            settings: Any = _xml(row).get_or_add_trPr()
            if not number:
                settings.append(_element("w:tblHeader"))
            for cell, line, width in zip(row.cells, cells, widths, strict=True):
                cell.width = width
                own = cell.paragraphs[0]
                own.paragraph_format.space_after = Pt(2)
                self._fill(own, line if number else _bold(line), size=size)
                if not number:
                    shade = _element("w:shd", **{"w:val": "clear", "w:fill": "F0F2F5"})
                    _xml(cell).get_or_add_tcPr().append(shade)
        self._document.add_paragraph().paragraph_format.space_after = Pt(2)

    def _fill(self, paragraph: Paragraph, line: Line, reference: int = 0, *, size: Pt | None = None) -> None:
        if _is_rtl(plain(line)):
            _set(paragraph, _element("w:bidi"))
        if reference:
            self._mark(paragraph, f"source-{reference}")
        for words in line:
            run = self._run(paragraph, words)
            if size:
                run.font.size = size

    def _run(self, paragraph: Paragraph, words: Words) -> WordRun:
        run = paragraph.add_run(words.text)
        run.bold, run.italic = words.bold or None, words.italic or None
        if words.code:
            run.font.name = _MONO
        if _is_rtl(words.text):
            run.font.rtl = True
        link = self._link(words)
        if link is not None:
            run.font.color.rgb = _LINK
            _xml(run).addprevious(link)
            link.append(_xml(run))
        return run

    def _link(self, words: Words) -> Any:  # noqa: ANN401 - elements of python-docx have no type
        if words.source:
            return _element("w:hyperlink", **{"w:anchor": f"source-{words.source}", "w:history": "1"})
        part = self._document.part
        if not words.link or len(words.link) > _LONGEST_LINK or len(part.rels) > _MOST_LINKS:
            return None
        return _element(
            "w:hyperlink", **{"r:id": part.relate_to(words.link, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)}
        )

    def _mark(self, paragraph: Paragraph, name: str) -> None:
        self._marks += 1
        number = str(self._marks)
        _xml(paragraph).append(_element("w:bookmarkStart", **{"w:id": number, "w:name": name}))
        _xml(paragraph).append(_element("w:bookmarkEnd", **{"w:id": number}))

    def _join(self, paragraph: Paragraph, number: int, depth: int) -> None:
        settings: Any = _xml(paragraph).get_or_add_pPr().get_or_add_numPr()
        settings.get_or_add_ilvl().val = min(depth, _DEEPEST)
        settings.get_or_add_numId().val = number
        paragraph.paragraph_format.space_after = Pt(3)

    def _abstract(self, *, ordered: bool) -> str:
        """Define a kind of list; all definitions stand before the numbers that use them."""
        known = self._numbers.findall(qn("w:abstractNum"))
        name = str(1 + max((int(one.get(qn("w:abstractNumId"))) for one in known), default=0))
        made = _element("w:abstractNum", **{"w:abstractNumId": name})
        made.append(_element("w:multiLevelType", **{"w:val": "hybridMultilevel"}))
        for depth in range(_DEEPEST + 1):
            level = _element("w:lvl", **{"w:ilvl": str(depth)})
            text = f"%{depth + 1}." if ordered else "•–▪"[depth % 3]
            for tag, value in (
                ("w:start", "1"),
                ("w:numFmt", "decimal" if ordered else "bullet"),
                ("w:lvlText", text),
                ("w:lvlJc", "left"),
            ):
                level.append(_element(tag, **{"w:val": value}))
            place = _element("w:pPr")
            place.append(_element("w:ind", **{"w:left": str(400 * (depth + 1)), "w:hanging": "320"}))
            level.append(place)
            made.append(level)
        self._numbers.insert(len(known), made)
        return name

    def _number(self, abstract: str, first: int = 0) -> int:
        made = self._numbers.add_num(int(abstract))
        if first:
            for depth in range(_DEEPEST + 1):
                made.add_lvlOverride(ilvl=depth).add_startOverride(first if not depth else 1)
        return int(made.numId)


def _bold(line: Line) -> Line:
    return tuple(replace(one, bold=True) for one in line)


def _is_rtl(text: str) -> bool:
    """Whether the first letter that has a direction runs from the right."""
    strong = (unicodedata.bidirectional(char) for char in text)
    return next((kind for kind in strong if kind in {"L", "R", "AL"}), "L") != "L"


def _xml(thing: Any) -> Any:  # noqa: ANN401 - elements of python-docx have no type
    return thing._element


def _element(tag: str, **attributes: str) -> Any:  # noqa: ANN401 - elements of python-docx have no type
    made = cast("Any", OxmlElement(tag))
    for name, value in attributes.items():
        made.set(qn(name), value)
    return made


_AFTER: Final = {"w:pBdr": ("w:shd", "w:bidi"), "w:shd": ("w:bidi",), "w:bidi": ()}
"""A setting of a paragraph → those of ours that stand behind it: Word wants them in one order."""


def _set(paragraph: Paragraph, element: Any) -> None:  # noqa: ANN401 - elements of python-docx have no type
    settings: Any = _xml(paragraph).get_or_add_pPr()
    later = next(one for name, one in _AFTER.items() if element.tag == qn(name))
    settings.insert_element_before(element, *later, "w:spacing", "w:ind", "w:jc", "w:rPr", "w:sectPr")

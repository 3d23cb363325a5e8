"""Small office files for tests: archives of XML, written by hand."""

import io
import zipfile
from collections.abc import Mapping

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
TYPES = {"[Content_Types].xml": "<Types/>"}
CORE = (
    '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>On ice</dc:title>'
    "<dc:creator>Ada</dc:creator><dcterms:created>2024-03-05T10:00:00Z</dcterms:created></cp:coreProperties>"
)


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def word_file(body: str, **more: str) -> bytes:
    """A Word file with this body; `more` are further files of its folder, such as `styles`."""
    document = f"<w:document {W}><w:body>{body}</w:body></w:document>"
    others = {f"word/{name}.xml": content for name, content in more.items()}
    return zipped({**TYPES, "word/document.xml": document, "docProps/core.xml": CORE, **others})


def workbook(rows: str, *, styles: str = "", strings: str = "", state: str = "visible") -> bytes:
    """An Excel file of a sheet "Sales" with these rows, and one more of this state."""
    return zipped(
        {
            **TYPES,
            "xl/workbook.xml": f'<workbook {R}><sheets><sheet name="Sales" r:id="r1"/>'
            f'<sheet name="More" r:id="r2" state="{state}"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/>'
            '<Relationship Id="r2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
            "xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{rows}</sheetData></worksheet>",
            "xl/worksheets/sheet2.xml": '<worksheet><sheetData><row><c r="A1" t="inlineStr"><is><t>more</t></is></c>'
            "</row></sheetData></worksheet>",
            "xl/sharedStrings.xml": f"<sst>{strings}</sst>",
            "xl/styles.xml": f"<styleSheet>{styles}</styleSheet>",
        }
    )


def slides(*bodies: str, hidden: int = -1, notes: Mapping[int, str] | None = None) -> bytes:
    """A PowerPoint file; the slide of the number `hidden` (from 0) is not shown. `notes`: slide → its shapes."""
    numbers = range(len(bodies))
    listed = "".join(f'<p:sldId id="{256 + at}" r:id="r{at}"/>' for at in numbers)
    links = "".join(f'<Relationship Id="r{at}" Target="slides/slide{at}.xml"/>' for at in numbers)
    shown = {at: ' show="0"' if at == hidden else "" for at in numbers}
    files = {
        f"ppt/slides/slide{at}.xml": f"<p:sld {P} {A}{shown[at]}><p:cSld><p:spTree>{body}</p:spTree></p:cSld></p:sld>"
        for at, body in enumerate(bodies)
    }
    for at, body in (notes or {}).items():
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/notesSlide"
        link = f'<Relationship Id="r1" Type="{kind}" Target="../notesSlides/notesSlide{at}.xml"/>'
        files[f"ppt/slides/_rels/slide{at}.xml.rels"] = f"<Relationships>{link}</Relationships>"
        files[f"ppt/notesSlides/notesSlide{at}.xml"] = f"<p:notes {P} {A}><p:cSld>{body}</p:cSld></p:notes>"
    presentation = f"<p:presentation {P} {R}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>"
    return zipped(
        {
            **TYPES,
            "ppt/presentation.xml": presentation,
            "ppt/_rels/presentation.xml.rels": f"<Relationships>{links}</Relationships>",
            **files,
        }
    )


def shape(text: str, kind: str = "") -> str:
    """A shape of a slide with one paragraph a line; `kind` is that of its placeholder."""
    place = f'<p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>' if kind else ""
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return f"<p:sp>{place}<p:txBody>{lines}</p:txBody></p:sp>"


def book(*chapters: str) -> bytes:
    """An EPUB book with these bodies of chapters."""
    items = "".join(
        f'<item id="c{at}" href="text/c%20{at}.xhtml" media-type="application/xhtml+xml"/>'
        for at in range(len(chapters))
    )
    order = "".join(f'<itemref idref="c{at}"/>' for at in range(len(chapters)))
    package = (
        '<package xmlns:dc="d"><metadata><dc:title>On ice</dc:title><dc:creator>Ada</dc:creator>'
        f"<dc:date>2024-03-05</dc:date></metadata><manifest>{items}</manifest><spine>{order}</spine></package>"
    )
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="OEBPS/book.opf"/></container>',
            "OEBPS/book.opf": package,
            **{
                f"OEBPS/text/c {at}.xhtml": f"<html><head><title>x</title></head><body>{body}</body></html>"
                for at, body in enumerate(chapters)
            },
        }
    )

"""A PDF as text, page by page; runs in a parser process."""

import io
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from types import ModuleType
from typing import Any, Protocol, cast

from deepresearch_mcp.web.markdown import tidy
from deepresearch_mcp.web.parsed import Parsed, unread

MOST_PAGES = 2_000
_HYPHEN = re.compile(r"(?<=[a-z])(?:\u00ad|-|\ufffe|\x02)\n(?=[a-z])")
_DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})")


class _Pages(Protocol):
    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> Any: ...  # noqa: ANN401 - a page of either library


def parse_pdf(body: bytes, limit: int, today: date) -> Parsed:
    """Extract the pages' texts, joined by blank lines, at most `limit` characters.

    pypdfium2 reads them where it is installed (fifteen times faster, and better at word
    boundaries), else pypdf.
    """
    try:
        import pypdfium2  # pyright: ignore[reportMissingImports] - an extra, and perhaps not installed
    except ImportError:
        return _by_pypdf(body, limit, today)
    return _by_pdfium(pypdfium2, body, limit, today)


def _by_pdfium(pdfium: ModuleType, body: bytes, limit: int, today: date) -> Parsed:
    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            return _encrypted()
        return unread("unparsable", "The file is not a PDF that can be read.")
    with closing(document):
        facts = document.get_metadata_dict()
        pages = _pdfium_pages(document, pdfium)
        return _parsed(
            pages,
            len(document),
            facts.get("Title", ""),
            facts.get("Author", ""),
            facts.get("CreationDate", ""),
            limit,
            today,
        )


def _pdfium_pages(document: _Pages, pdfium: ModuleType) -> Iterator[str]:
    for number in range(min(len(document), MOST_PAGES)):
        try:
            with closing(document[number]) as page, closing(page.get_textpage()) as text:
                yield text.get_text_range()
        except pdfium.PdfiumError:
            yield ""


def _by_pypdf(body: bytes, limit: int, today: date) -> Parsed:
    import pypdf
    from pypdf.errors import DependencyError, FileNotDecryptedError

    try:
        reader = pypdf.PdfReader(io.BytesIO(body), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            return _encrypted()
        count = len(reader.pages)
        facts = reader.metadata
        title, author = (facts.title, facts.author) if facts else ("", "")
        created = str(facts.get("/CreationDate", "")) if facts else ""
    except FileNotDecryptedError:
        return _encrypted()
    except DependencyError:
        return unread("encrypted", "The file is encrypted in a way that takes a further package to read.")
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - of a broken file pypdf lets out exceptions of a dozen classes
        return unread("unparsable", "The file is not a PDF that can be read.")
    return _parsed(_pypdf_pages(cast(_Pages, reader.pages)), count, title or "", author or "", created, limit, today)


def _pypdf_pages(pages: _Pages) -> Iterator[str]:
    for number in range(min(len(pages), MOST_PAGES)):
        try:
            yield pages[number].extract_text()
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - likewise; one broken page must not cost the others
            yield ""


def _parsed(
    pages: Iterator[str], count: int, title: object, author: object, created: str, limit: int, today: date
) -> Parsed:
    length = 0
    texts: list[str] = []
    for page in pages:
        text = tidy(_HYPHEN.sub("", page.replace("\r\n", "\n")))
        length += len(text) + 2
        texts.append(text)
        if length > limit:
            break
    text = "\n\n".join(text for text in texts if text)
    if not text:
        return unread("empty", "The PDF holds no text: perhaps it is scanned.")
    published = _published(created, today)
    return {
        "kind": "pdf",
        "text": text[:limit],
        "title": _plain(title) or _first_line(text),
        "author": _plain(author),
        "published": published.isoformat() if published else "",
        "flags": ["truncated"] if len(text) > limit or len(texts) < count else [],
    }


def _published(created: str, today: date) -> date | None:
    """The day the file was made: the nearest thing to a date that a PDF has."""
    match = _DATE.match(created)
    try:
        made = date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None
    return made if made and made.year >= 1990 and made <= today else None


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.split("\n") if len(line.strip()) > 3), "")[:200]


def _plain(value: object) -> str:
    return " ".join(tidy(str(value)).split())[:300]


def _encrypted() -> Parsed:
    return unread("encrypted", "The file is locked with a password.")

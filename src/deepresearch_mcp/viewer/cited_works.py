"""The sources of a run as entries of a bibliography: BibTeX, CSL-JSON and RIS, for Zotero, Word, LaTeX and Pandoc.

Names stand whole, as the page gives them: which part of one is the family name, nothing tells.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.records.report import SourceRow
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.text.identifiers import identifiers_in
from deepresearch_mcp.text.markdown import visible


@dataclass(frozen=True, slots=True)
class Work:
    """One entry. All texts are one line without invisible characters."""

    key: str
    """Unique in its run: `postgresql2026-1` is source 1 of the report."""
    number: int
    """That of its citation marks; 0: it was read and is not cited."""
    title: str
    authors: tuple[str, ...]
    container: str
    """The site or the journal."""
    url: str
    """An http or https address; empty for a file of a collection."""
    doi: str
    published: date | None
    read: date
    language: str
    reviewed: bool
    note: str
    """What leads to the very text that was read."""


def works_of(run: Run) -> tuple[Work, ...]:
    """Return the works that a report cites, in the order of their numbers; without citations, all that were read."""
    numbers = {one.source_id: one.number for one in reversed(run.citations)}
    rows = sorted(
        (row for row in run.sources if row.source_id in numbers), key=lambda row: numbers[row.source_id]
    ) or list(run.sources)
    return tuple(_work(row, numbers.get(row.source_id, 0), place) for place, row in enumerate(rows, 1))


async def as_bibtex(run: Run, documents: Documents) -> str:
    """Return the cited sources as BibTeX entries, in UTF-8."""
    del documents
    return "\n\n".join(map(_bibtex, works_of(run))) + "\n"


async def as_csl_json(run: Run, documents: Documents) -> str:
    """Return the cited sources as a list of CSL-JSON items."""
    del documents
    return json.dumps([_csl(one) for one in works_of(run)], ensure_ascii=False, indent=1) + "\n"


async def as_ris(run: Run, documents: Documents) -> str:
    """Return the cited sources as RIS records."""
    del documents
    return "".join("".join(f"{tag}  - {value}\r\n" for tag, value in _ris(one)) + "\r\n" for one in works_of(run))


def _work(row: SourceRow, number: int, place: int) -> Work:
    url = _one_line(row.url) if row.url.lower().startswith(("http://", "https://")) else ""
    named = _one_line(row.author)
    return Work(
        key=f"{_letters(row.site)}{row.published.year if row.published else 'nd'}-{number or place}",
        number=number,
        title=_one_line(row.title) or url or _one_line(row.url),
        authors=tuple(name for part in named.split(", ") if (name := part.strip())),
        container=_one_line(row.site),
        url=url,
        doi=next(iter(identifiers_in(url).all_dois), "") if url else "",
        published=row.published,
        read=row.read_at.date(),
        language=row.language if _LANGUAGE.fullmatch(row.language) else "",
        reviewed=bool(row.quality and row.quality.peer_reviewed),
        note=f"Text as read: SHA-256 {row.snapshot}" if url else f"{_one_line(row.url)}; SHA-256 {row.snapshot}",
    )


_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


def _one_line(text: str) -> str:
    return " ".join(visible(text).split())


def _letters(site: str) -> str:
    """The name of a site in plain letters, for a key."""
    name = site.rsplit(".", 1)[0].removeprefix("www.")
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "", plain.lower())[:24] or "source"


def _bibtex(work: Work) -> str:
    fields = {
        "title": f"{{{_tex(work.title)}}}",
        "author": " and ".join(f"{{{_tex(name)}}}" for name in work.authors),
        "journal" if work.reviewed else "organization": _tex(work.container),
        "year": str(work.published.year) if work.published else "",
        "month": str(work.published.month) if work.published else "",
        "date": work.published.isoformat() if work.published else "",
        "doi": _tex_address(work.doi),
        "url": _tex_address(work.url),
        "urldate": work.read.isoformat(),
        "langid": work.language,
        "note": _tex(work.note),
    }
    lines = (f"  {name} = {{{value}}}," for name, value in fields.items() if value)
    return "\n".join((f"@{'article' if work.reviewed else 'misc'}{{{work.key},", *lines, "}"))


_TEX: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        # A brace with a backslash would still count as one, and end the field.
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "$&#_%"},
    }
)


def _tex(text: str) -> str:
    """The text with every sign that LaTeX would act on written as a command that prints it."""
    return text.translate(_TEX)


def _tex_address(url: str) -> str:
    """An address as `url` fields take it: signs that would end the field or begin a command are percent-encoded."""
    return re.sub(r"[\\{}\"^`|<>]", lambda found: f"%{ord(found.group()):02X}", url)


def _csl(work: Work) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": work.key,
        "type": "article-journal" if work.reviewed else "webpage" if work.url else "document",
        "title": work.title,
        "author": [{"literal": name} for name in work.authors],
        "container-title": work.container,
        "issued": _parts(work.published) if work.published else None,
        "accessed": _parts(work.read),
        "URL": work.url,
        "DOI": work.doi,
        "language": work.language,
        "citation-label": str(work.number or ""),
        "note": work.note,
    }
    return {name: value for name, value in item.items() if value}


def _parts(day: date) -> dict[str, list[list[int]]]:
    return {"date-parts": [[day.year, day.month, day.day]]}


def _ris(work: Work) -> Iterator[tuple[str, str]]:
    """The lines of a record; each value is one line, so that none can begin another."""
    yield "TY", "JOUR" if work.reviewed else "ELEC" if work.url else "GEN"
    yield "ID", work.key
    yield "TI", work.title
    for name in work.authors:
        yield "AU", name
    if work.container:
        yield "JO" if work.reviewed else "PB", work.container
    if work.published:
        yield "PY", str(work.published.year)
        yield "DA", f"{work.published:%Y/%m/%d}/"
    if work.doi:
        yield "DO", work.doi
    if work.url:
        yield "UR", work.url
    if work.language:
        yield "LA", work.language
    yield "Y2", f"{work.read:%Y/%m/%d}/"
    yield "N1", work.note
    yield "ER", ""

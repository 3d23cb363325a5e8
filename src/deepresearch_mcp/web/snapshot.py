"""Turns a parsed page into a document, in which quotes are located."""

import hashlib
import re
from datetime import datetime
from urllib.parse import unquote, urlsplit

from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.ports.masking import Masker
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.library_urls import LIBRARY
from deepresearch_mcp.text.markdown import visible
from deepresearch_mcp.text.url_secrets import holds_secret, without_secrets
from deepresearch_mcp.text.urls import short_hash
from deepresearch_mcp.web.parsed_page import ParsedPage

LONGEST_TITLE = 300
"""Characters."""
_OWN = 100
"""Characters of a title that has a file's name behind it."""


def document_of(page: ParsedPage, *, url: str, requested_url: str, site: str, read_at: datetime) -> Document:
    """Build the document of a page, with its ids. Without a title that has a letter it is named after its address.

    A document is stored and cited, so secrets are removed from its addresses and links. Its id is the hash of the
    whole address, so that two pages whose addresses differ only in the removed part stay two sources. A page that names
    itself by another spelling of its address has the id of that spelling: its copies are one source.
    """
    canonical = "" if holds_secret(url) else page.canonical
    identity = source_id(canonical or url)
    also = tuple(without_secrets(one) for one in (canonical, *page.also) if one)
    url, requested_url = without_secrets(url), without_secrets(requested_url)
    undated = () if page.published else ("undated",)
    return Document(
        source_id=identity,
        url=url,
        requested_url=requested_url,
        also=also,
        # Titles are also shown where nothing is escaped, and a percent-encoded address may hold any character.
        title=" ".join(visible(_name(page.title, url)).split())[:LONGEST_TITLE] or "untitled",
        author=page.author,
        site=site,
        published=page.published,
        language=page.language,
        kind=page.kind,
        snapshot=hashlib.sha256(page.text.encode()).hexdigest(),
        length=len(page.text),
        read_at=read_at,
        links=tuple(link.model_copy(update={"url": without_secrets(link.url)}) for link in page.links),
        flags=(*undated, *page.flags),
        pages=page.pages,
        screening=page.screening,
        text=page.text,
    )


async def masked_document(document: Document, masker: Masker | None) -> Document:
    """Return the document with personal data masked in text, title, author and words of links.

    Masks are as long as what they hide: offsets, and a screening made before, stay valid. The snapshot's hash is
    that of the masked text.
    """
    if masker is None:
        return document
    words = [document.text, document.title, document.author, *(link.text for link in document.links)]
    text, title, author, *links = await masker.masked(words)
    return document.model_copy(
        update={
            "text": text,
            "snapshot": hashlib.sha256(text.encode()).hexdigest(),
            "title": title,
            "author": author,
            "links": tuple(
                link.model_copy(update={"text": shown}) for link, shown in zip(document.links, links, strict=True)
            ),
        }
    )


def source_id(url: str) -> str:
    """Return `s` and the first 12 hexadecimal digits of the hash of the normalised address."""
    return f"s{short_hash(url)}"


def _name(title: str, url: str) -> str:
    """What a document is called: its title, or the last part of its address, if that holds no planted words.

    A file of a library keeps its own name beside a title that does not hold its words: its owner called it after what
    it is about ("2023 Q1 INTC.pdf"), where the title may come from a program ("04.01.2023 10Q Document").
    """
    own = _title(title)
    if own and not url.startswith(LIBRARY):
        return own
    last = _last_part(url)
    words = _WORDS.findall(last.rpartition(".")[0].casefold())
    if (own and all(word in own.casefold() for word in words)) or is_screened(last):
        return own
    # Where a program made the title of a whole line, the name still has to be seen.
    own = own if len(own) <= _OWN else f"{own[: _OWN - 1].rstrip()}…"
    return f"{own} ({last})" if own else last


def _title(text: str) -> str:
    """A title that says something; "" for a number such as the one under which a paper was filed."""
    return text if _LETTERS.search(text) or not _DIGITS.search(text) else ""


_WORDS = re.compile(r"[^\W\d_]{2,}")
_LETTERS = re.compile(r"[^\W\d_]")
_DIGITS = re.compile(r"\d")


def _last_part(url: str) -> str:
    parts = urlsplit(url)
    return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.netloc

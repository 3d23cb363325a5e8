"""Opens the sources that a user names: folders, files, globs, addresses, sitemaps and Git repositories."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.text.url_secrets import holds_secret, without_secrets
from deepresearch_mcp.web.library.addresses import (
    FetchBytes,
    FetchPage,
    PageSource,
    SitemapSource,
    is_address,
    is_sitemap,
)
from deepresearch_mcp.web.library.files import MEDIA_TYPES, folder_source, globbed, is_glob, one_file
from deepresearch_mcp.web.library.repositories import RepositorySource, is_repository
from deepresearch_mcp.web.library.source import Source
from deepresearch_mcp.web.parsing import Parsers


@dataclass(frozen=True, slots=True)
class SourceParts:
    """What sources read with."""

    parsers: Parsers
    clock: Clock
    fetch: FetchPage
    fetch_bytes: FetchBytes
    copies: Path
    """Folder for copies of repositories."""


def open_sources(places: Sequence[str], parts: SourceParts) -> list[Source]:
    """Open each source by how it is written.

    Raises:
        InvalidRequest: No source is named, or a file has a suffix that is not read.
    """
    if not places:
        raise InvalidRequest("No source is named.", "Name a folder, a file, an address or a repository.")
    return [_opened(place, parts) for place in places]


def _opened(place: str, parts: SourceParts) -> Source:
    if "://" in place and (holds_secret(place) or "@" in urlsplit(place).netloc.removeprefix("git@")):
        raise InvalidRequest(
            f"The address {without_secrets(place)} holds a secret, and sources are stored.",
            "Leave the secret out; for a repository let Git's credential helper give it.",
        )
    if is_repository(place):
        return RepositorySource(place, parts.copies, parts.parsers, parts.clock)
    if is_address(place):
        return (
            SitemapSource(place, parts.fetch, parts.fetch_bytes)
            if is_sitemap(place)
            else PageSource(place, parts.fetch)
        )
    path = Path(place).expanduser()
    if is_glob(place) and not path.exists():
        return globbed(place, parts.parsers, parts.clock)
    if path.is_file():
        if path.suffix.lower() not in MEDIA_TYPES:
            raise InvalidRequest(
                f"The file {path} is of no kind that can be read.", f"Give one that ends in {', '.join(MEDIA_TYPES)}."
            )
        return one_file(path, parts.parsers, parts.clock)
    return folder_source(path, parts.parsers, parts.clock)

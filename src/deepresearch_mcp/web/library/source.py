"""What a collection is filled from: a folder, files, pages or a repository, seen as entries that can be read."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.records.sources import Document

PassedOver = Literal["kind", "empty", "too_large", "link", "odd", "too_many"]
"""Why an entry is skipped: its suffix, its size, a link (broken, or out of the folder), not a regular file, the cap."""


@dataclass(frozen=True, slots=True)
class Found:
    """The entries of a source."""

    stamps: tuple[FileStamp, ...]
    passed: Counter[PassedOver] = field(default_factory=Counter[PassedOver])
    """Number of skipped entries, by reason."""


@dataclass(frozen=True, slots=True)
class Read:
    """What reading an entry gave."""

    content: str
    """SHA-256 of its bytes or, for a page, of its text."""
    document: Document | None
    """None if the content is as it was."""
    facts: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the entry says of itself, such as the front matter of a Markdown file."""


class Source(Protocol):
    """One place that documents come from."""

    @property
    def place(self) -> str:
        """As it is recorded, so that the same source can be opened again: an absolute path, or an address."""
        ...

    @property
    def label(self) -> str:
        """A short name; it sets entries apart where a collection has several sources."""
        ...

    @property
    def is_local(self) -> bool:
        """Whether looking for changes costs no other machine anything."""
        ...

    async def look(self) -> Found:
        """List what can be read.

        Raises:
            InvalidRequest: The source does not exist or holds nothing to read.
        """
        ...

    async def read(self, stamp: FileStamp, url: str, site: str, known: str) -> Read:
        """Read one entry as the document `url` of a site; `known` is the hash of the content that is indexed.

        Raises:
            FetchFailed: The entry cannot be read or parsed.
        """
        ...

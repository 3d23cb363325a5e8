"""Readers of media types that other installed packages offer; they run in a parser process.

A package offers one by an entry point of the group `deepresearch_mcp.readers`: its name is the media type, and it leads
to a function that takes the file's bytes and returns its text as Markdown.
"""

from deepresearch_mcp.adapters import extension
from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.settings.extensions import offered, package_of
from deepresearch_mcp.web.parsed import Parsed, unread_page
from deepresearch_mcp.web.sniff import is_built_in


def read_by_extension(body: bytes, media_type: str, limit: int) -> Parsed | None:
    """Read a file of a media type that only another package reads; None for any other.

    `limit` caps the characters of text. A reader that fails makes the page unread, with one sentence that names its
    package.
    """
    if not media_type or is_built_in(media_type) or (point := offered("readers").get(media_type)) is None:
        return None
    package = package_of(point)
    try:
        text = extension("readers", media_type)(body)
    except SettingsError as error:
        return unread_page("unparsable", error.message)
    except Exception as error:  # noqa: BLE001 - other people's parsers on untrusted input
        return unread_page("unparsable", f"The reader of the package {package} failed ({type(error).__name__}).")
    if not isinstance(text, str):
        return unread_page("unparsable", f"The reader of the package {package} returned no text.")
    if not text.strip():
        return unread_page("empty", "The file holds no text.")
    page: Parsed = {"kind": "markdown", "text": text[:limit]}
    return page | {"flags": ["truncated"]} if len(text) > limit else page

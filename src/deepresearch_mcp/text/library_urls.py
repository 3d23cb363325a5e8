"""The `library://` addresses that cite files of local collections."""

from urllib.parse import quote, unquote

LIBRARY = "library://"


def library_url(collection: str, path: str) -> str:
    """Return the address of a file in a collection; `path` is relative, with forward slashes."""
    return f"{LIBRARY}{quote(collection, safe='')}/{quote(path, safe='/')}"


def split_library_url(url: str) -> tuple[str, str] | None:
    """Return the collection and the relative path of such an address; None for any other address."""
    collection, slash, path = url.removeprefix(LIBRARY).partition("/")
    return (unquote(collection), unquote(path)) if url.startswith(LIBRARY) and slash else None

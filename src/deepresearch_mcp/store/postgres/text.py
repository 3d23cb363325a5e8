"""Texts as PostgreSQL takes them: it holds every character but the one with the number 0."""

import re
from typing import Any

from psycopg import Connection
from psycopg.types.string import StrDumperUnknown, TextLoader

_MARK = "\ufffe"
"""No text has it: Unicode keeps it for programs. Where one has it all the same, it is written twice."""
_PAIR = re.compile(f"{_MARK}([0{_MARK}])")


class _Dumper(StrDumperUnknown):
    def dump(self, obj: str) -> Any:  # noqa: ANN401 - as psycopg has it
        return super().dump(escape_nul(obj) if "\0" in obj or _MARK in obj else obj)


class _Loader(TextLoader):
    def load(self, data: Any) -> str | bytes:  # noqa: ANN401 - as psycopg has it
        text = super().load(data)
        return unescape_nul(text) if isinstance(text, str) and _MARK in text else text


def configure(conn: Connection) -> None:
    """Let a connection take and give every text as it is."""
    conn.adapters.register_dumper(str, _Dumper)
    conn.adapters.register_loader("text", _Loader)


def escape_nul(text: str) -> str:
    """The text without the character 0."""
    return text.replace(_MARK, _MARK * 2).replace("\0", f"{_MARK}0")


def unescape_nul(text: str) -> str:
    """What `escape_nul` was given."""
    return _PAIR.sub(lambda found: "\0" if found[1] == "0" else _MARK, text)

"""Escapes texts for PostgreSQL, which can store every character except U+0000."""

import re
from typing import Any

from psycopg import Connection
from psycopg.types.string import StrDumperUnknown, TextLoader

_MARK = "\ufffe"
"""The escape character, a Unicode noncharacter that texts should not contain. If one does, it is doubled."""
_PAIR = re.compile(f"{_MARK}([0{_MARK}])")


class _Dumper(StrDumperUnknown):
    def dump(self, obj: str) -> Any:  # noqa: ANN401 - as psycopg has it
        return super().dump(escaped(obj) if "\0" in obj or _MARK in obj else obj)


class _Loader(TextLoader):
    def load(self, data: Any) -> str | bytes:  # noqa: ANN401 - as psycopg has it
        text = super().load(data)
        return unescaped(text) if isinstance(text, str) and _MARK in text else text


def configure(conn: Connection) -> None:
    """Make a connection store and return every text unchanged."""
    conn.adapters.register_dumper(str, _Dumper)
    conn.adapters.register_loader("text", _Loader)


def escaped(text: str) -> str:
    """Replace U+0000 by an escape sequence."""
    return text.replace(_MARK, _MARK * 2).replace("\0", f"{_MARK}0")


def unescaped(text: str) -> str:
    """Undo `escaped`."""
    return _PAIR.sub(lambda found: "\0" if found[1] == "0" else _MARK, text)

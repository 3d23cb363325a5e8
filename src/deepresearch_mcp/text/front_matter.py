"""Reads the front matter of a Markdown file: the plain `key: value` lines at its head."""

import re

_LINE = re.compile(r"([A-Za-z][\w.-]{0,39})\s{0,8}:\s{0,8}(\S.{0,499})")
_MOST = 40
"""Keys read."""
_HEAD = 20_000
"""Bytes in which front matter must end."""


def front_matter(body: bytes) -> dict[str, str]:
    """Return the keys, in lower case, and values of YAML front matter; {} if there is none.

    Only single lines are read. A list in brackets keeps its words, joined by commas; quotes are removed. Nested keys
    and multi-line values are left out.
    """
    lines = body[:_HEAD].decode("utf-8-sig", "replace").splitlines()
    if not lines or lines[0].strip() != "---":
        return {}
    end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() in {"---", "..."}), 0)
    found: dict[str, str] = {}
    for line in lines[1:end]:
        match = _LINE.fullmatch(line.rstrip()[:600])
        if match and len(found) < _MOST:
            found.setdefault(match[1].lower(), _plain(match[2]))
    return found


def _plain(value: str) -> str:
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return ", ".join(_plain(part) for part in value[1:-1].split(",") if part.strip())
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value

"""TOML as people keep it: one table put in or taken out, comments and every other byte kept."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from deepresearch_mcp.cli import lazy


def put_table(text: str, path: Sequence[str], value: Mapping[str, Any]) -> str:
    """The text with the table `value` at `path`; a table that is there is changed where it stands.

    Raises:
        ValueError: It is not TOML, or something on the way is not a table.
    """
    before = _read(text)
    expected = _with(before, path, value)
    if _at(before, path) is None:
        newline = "\r\n" if "\r\n" in text else "\n"
        gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
        lines = [f"[{'.'.join(_key(part) for part in path)}]", *(f"{_key(k)} = {_shown(v)}" for k, v in value.items())]
        appended = text + gap + newline.join(lines) + newline
        if _says(appended, expected):
            return appended
    return _sure(_by_tomlkit(text, path, value), expected)


def remove_table(text: str, path: Sequence[str]) -> str:
    """The text without the table at `path`; as it was where there is none.

    Raises:
        ValueError: It is not TOML.
    """
    before = _read(text)
    if _at(before, path) is None:
        return text
    expected = _without(before, path)
    for cut in _cuts(text, path):
        # An empty parent that a header alone had made goes with it.
        if _says(cut, expected) or _says(cut, _pruned(expected, path)):
            return cut
    return _sure(_by_tomlkit(text, path, None), expected)


def value_at(text: str, dotted: str) -> object:
    """What a dotted name stands for; None where it stands for nothing, or the text is not TOML."""
    try:
        return _at(tomllib.loads(text), dotted.split("."))
    except tomllib.TOMLDecodeError:
        return None


def set_values(text: str, values: Mapping[str, Any]) -> str:
    """The text with dotted names set (`search.timeout`), or taken out where the value is None.

    Raises:
        ValueError: It is not TOML, or a group on the way is not a table.
    """
    expected = _read(text)
    document = lazy.tomlkit.parse(text)
    for dotted, value in values.items():
        *groups, name = dotted.split(".")
        expected = _with(expected, (*groups, name), value) if value is not None else _without(expected, (*groups, name))
        table: Any = document
        for group in groups:
            if group not in table:
                if value is None:
                    break
                table[group] = lazy.tomlkit.table()
            table = table[group]
        else:
            if value is not None:
                table[name] = value
            elif name in table:
                del table[name]
    return _sure(lazy.tomlkit.dumps(document), expected)  # pyright: ignore[reportUnknownMemberType] - tomlkit leaves it open


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"it is not valid TOML ({error})") from None


def _says(text: str, expected: Mapping[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == expected
    except tomllib.TOMLDecodeError:
        return False


def _sure(text: str, expected: Mapping[str, Any]) -> str:
    """The edit, if it says what it should: a file that is not ours is never written on a guess."""
    if not _says(text, expected):
        raise ValueError("it is built in a way that cannot be edited safely")
    return text


def _by_tomlkit(text: str, path: Sequence[str], value: Mapping[str, Any] | None) -> str:

    document = lazy.tomlkit.parse(text)
    table: Any = document
    *way, name = path
    for part in way:
        if part not in table:
            table[part] = lazy.tomlkit.table(is_super_table=True)
        table = table[part]
    if value is None:
        del table[name]
    else:
        entry: Any = table.get(name)
        if entry is None:
            entry = table[name] = lazy.tomlkit.inline_table() if _inline(table) else lazy.tomlkit.table()
            entry = table[name]
        for gone in [key for key in entry if key not in value]:
            del entry[gone]
        for key, item in value.items():
            if entry.get(key) != item:
                entry[key] = item
    return lazy.tomlkit.dumps(document)  # pyright: ignore[reportUnknownMemberType] - tomlkit leaves it open


def _inline(table: object) -> bool:

    return isinstance(table, lazy.tomlkit_items.InlineTable)


def _cuts(text: str, path: Sequence[str]) -> Iterator[str]:
    """Without the lines from what looks like its header to the next other one; notes above that one stay."""
    parts = [rf"(?:{re.escape(part)}|\"{re.escape(part)}\"|'{re.escape(part)}')" for part in path]
    dotted = r"\s*\.\s*".join(parts)
    ours = re.compile(rf"\s*\[\s*{dotted}\s*[\].]")
    lines = text.splitlines(keepends=True)
    for start in (number for number, line in enumerate(lines) if ours.match(line)):
        others = (number for number in range(start, len(lines)) if _is_header(lines[number], ours))
        end = next(others, len(lines))
        while end > start and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
            end -= 1
        # The blank line that set it off goes as well.
        first = start - 1 if start and not lines[start - 1].strip() else start
        yield "".join(lines[:first] + lines[end:])


def _is_header(line: str, ours: re.Pattern[str]) -> bool:
    return line.lstrip().startswith("[") and not ours.match(line)


def _at(tree: Mapping[str, Any], path: Sequence[str]) -> object:
    node: Any = tree
    for part in path:
        if not isinstance(node, dict) or part not in node:
            return None
        node = node[part]  # pyright: ignore[reportUnknownVariableType] - TOML can hold anything
    return node  # pyright: ignore[reportUnknownVariableType] - TOML can hold anything


def _with(tree: Any, path: Sequence[str], value: object) -> dict[str, Any]:  # noqa: ANN401 - TOML can hold anything
    if not isinstance(tree, dict):
        raise ValueError(f"a table is expected where {path[0]!r} belongs")
    name, *rest = path
    return {**tree, name: _with(tree.get(name, {}), rest, value) if rest else value}  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] - TOML can hold anything


def _without(tree: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    name, *rest = path
    if name not in tree:
        return tree
    if rest:
        return {**tree, name: _without(tree[name], rest)}
    return {key: value for key, value in tree.items() if key != name}


def _pruned(tree: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Without the parents on the way that are empty."""
    for depth in range(len(path) - 1, 0, -1):
        if _at(tree, path[:depth]) == {}:
            tree = _without(tree, path[:depth])
    return tree


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _shown(name)


def _shown(value: object) -> str:
    match value:
        case str():
            # JSON's escapes are TOML's, but for the two halves of a surrogate pair.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(_shown(item) for item in cast('list[object]', value))}]"
        case _:
            return str(value)

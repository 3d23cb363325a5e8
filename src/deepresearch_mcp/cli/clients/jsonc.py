"""Adds or removes one entry of a JSON file with comments and trailing commas; keeps every other byte."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_SPACE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_REST_OF_LINE = re.compile(r"(?:[ \t]*/\*[^\r\n]*?\*/)*(?:[ \t]*//[^\r\n]*)?")


@dataclass(frozen=True, slots=True)
class _Node:
    """A value with its position in the text."""

    start: int
    end: int
    value: Any
    members: tuple["_Member", ...] | None = None
    """The members of an object; None for any other value."""


@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    start: int
    """Where its name starts."""
    node: _Node
    comma: int | None
    """The position after the comma that follows it; None if there is none."""


def parse_jsonc(text: str, *, comments: bool = True) -> Any:  # noqa: ANN401 - JSON can be anything
    """Return the value of the text; white space alone is an empty object.

    Raises:
        ValueError: The text is not JSON; the message names the line.
    """
    return _Reader(text, comments=comments).whole().value if text.strip() else {}


def put_member(text: str, path: Sequence[str], value: Mapping[str, Any], *, comments: bool = True) -> str:
    """Return the text with `value` at `path`, in the style of its surroundings; missing objects are created.

    Raises:
        ValueError: The text is not JSON, or a value on the path is not an object.
    """
    before = parse_jsonc(text, comments=comments)
    expected = _with(before, path, value)
    text = text if text.strip() else "{}\n"
    after = _put(text, _Reader(text, comments=comments).whole(), path, value)
    return _sure(after, expected, comments=comments)


def remove_member(text: str, path: Sequence[str], *, comments: bool = True) -> str:
    """Return the text without the value at `path`; unchanged if there is none.

    Raises:
        ValueError: The text is not JSON.
    """
    *way, name = path
    if not text.strip():
        return text
    node = _Reader(text, comments=comments).whole()
    for part in way:
        node = next((member.node for member in reversed(node.members or ()) if member.name == part), node)
        if node.members is None:
            return text
    at = next((index for index, member in enumerate(node.members or ()) if member.name == name), None)
    if at is None or not _leads(node, text, way, comments=comments):
        return text
    expected = _without(parse_jsonc(text, comments=comments), path)
    return _sure(_cut(text, node, at), expected, comments=comments)


def _leads(node: _Node, text: str, way: Sequence[str], *, comments: bool) -> bool:
    value: Any = parse_jsonc(text, comments=comments)
    for part in way:
        if not isinstance(value, dict) or part not in value:
            return False
        value = cast("Any", value[part])
    return value == node.value


def _sure(text: str, expected: object, *, comments: bool) -> str:
    """Return the edited text if it has the expected value; another program's file is never written on a guess."""
    if parse_jsonc(text, comments=comments) != expected:
        raise ValueError("it is built in a way that cannot be edited safely (a name stands twice in it)")
    return text


def _with(tree: Any, path: Sequence[str], value: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ANN401 - JSON can be anything
    if not isinstance(tree, dict):
        raise ValueError(f"an object is expected where {path[0]!r} belongs")
    name, *rest = path
    below = _with(tree.get(name, {}), rest, value) if rest else dict(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType] - JSON can be anything
    return {**tree, name: below}


def _without(tree: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    name, *rest = path
    if rest:
        return {**tree, name: _without(tree[name], rest)}
    return {key: value for key, value in tree.items() if key != name}


def _put(text: str, node: _Node, path: Sequence[str], value: Mapping[str, Any]) -> str:
    name, *rest = path
    there = next((member for member in reversed(node.members or ()) if member.name == name), None)
    if there is not None and rest:
        return _put(text, there.node, rest, value)
    whole: Mapping[str, Any] = value
    for part in reversed(rest):
        whole = {part: whole}
    newline = "\r\n" if "\r\n" in text else "\n"
    if there is not None:
        several = "\n" in text[there.node.start : there.node.end]
        shown = _shown(text, whole, _indent_at(text, there.start), newline) if several else json.dumps(whole)
        return text[: there.node.start] + shown + text[there.node.end :]
    key = json.dumps(name, ensure_ascii=False)
    if not node.members:
        indent = _indent_at(text, node.start)
        inner = indent + _unit(text)
        # Comments inside the object stay before the entry.
        inside = text[node.start + 1 : node.end - 1].rstrip(" \t\r\n")
        entry = f"{newline}{inner}{key}: {_shown(text, whole, inner, newline)}{newline}{indent}"
        return f"{text[: node.start + 1]}{inside}{entry}{text[node.end - 1 :]}"
    last = node.members[-1]
    if "\n" not in text[node.start : node.members[0].start]:
        tail = f", {key}: {json.dumps(whole, ensure_ascii=False)}"
        at = last.node.end
        return f"{text[:at]}{tail}{text[at:]}"
    indent = _indent_at(text, last.start)
    entry = f"{newline}{indent}{key}: {_shown(text, whole, indent, newline)}"
    end = last.comma or last.node.end
    line = _REST_OF_LINE.match(text, end)
    at = line.end() if line else end
    if last.comma:
        return f"{text[:at]}{entry},{text[at:]}"
    return f"{text[:end]},{text[end:at]}{entry}{text[at:]}"


def _cut(text: str, node: _Node, at: int) -> str:
    members = node.members or ()
    member = members[at]
    start = member.start - len(text[: member.start]) + len(text[: member.start].rstrip(" \t\r\n"))
    if member.comma is not None:
        if at == 0 and "\n" not in text[node.start : member.start]:
            return text[: member.start] + text[member.comma :].lstrip(" \t")
        return text[:start] + text[member.comma :]
    if at == 0:
        inside = text[node.start + 1 : start] + text[member.node.end : node.end - 1]
        return text[: node.start + 1] + (inside if inside.strip() else "") + text[node.end - 1 :]
    comma = members[at - 1].comma
    comma = comma if comma is not None else start  # a member with a successor always has a comma
    return text[: comma - 1] + text[comma:start] + text[member.node.end :]


def _shown(text: str, value: Mapping[str, Any], indent: str, newline: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    # Write a list of strings on one line, as people do.
    shown = re.sub(r"\[\s*((?:\"(?:[^\"\\]|\\.)*\",?\s*)+)\]", _in_one_line, "\n".join(lines))
    return shown.replace("\n", newline + indent)


def _in_one_line(found: re.Match[str]) -> str:
    return json.dumps(json.loads(found[0]), ensure_ascii=False)


def _indent_at(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = re.search(r"\n([ \t]+)[\"}]", text)
    return found[1] if found else "  "


class _Reader:
    """Parses from left to right and records the position of every value."""

    def __init__(self, text: str, *, comments: bool) -> None:
        self._text = text
        self._comments = comments

    def whole(self) -> _Node:
        try:
            node = self._node(self._skip(0))
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        end = self._skip(node.end)
        if end != len(self._text):
            raise self._wrong(end)
        return node

    def _node(self, at: int) -> _Node:
        text = self._text
        if text.startswith("{", at):
            return self._object(at)
        if text.startswith("[", at):
            return self._list(at)
        found = _STRING.match(text, at) or _SCALAR.match(text, at)
        if not found:
            raise self._wrong(at)
        try:
            return _Node(at, found.end(), json.loads(found[0]))
        except ValueError:
            raise self._wrong(at) from None

    def _object(self, start: int) -> _Node:
        members: list[_Member] = []
        at = self._skip(start + 1)
        while not self._text.startswith("}", at):
            if members and members[-1].comma is None:
                raise self._wrong(at)
            name = _STRING.match(self._text, at)
            colon = self._skip(name.end()) if name else at
            if not name or not self._text.startswith(":", colon):
                raise self._wrong(colon)
            node = self._node(self._skip(colon + 1))
            comma, next_ = self._comma(node.end)
            members.append(_Member(json.loads(name[0]), at, node, comma))
            at = next_
        self._trailing(members[-1].comma if members else None)
        value = {member.name: member.node.value for member in members}
        return _Node(start, at + 1, value, tuple(members))

    def _list(self, start: int) -> _Node:
        values: list[Any] = []
        comma: int | None = None
        at = self._skip(start + 1)
        while not self._text.startswith("]", at):
            if values and comma is None:
                raise self._wrong(at)
            node = self._node(at)
            values.append(node.value)
            comma, at = self._comma(node.end)
        self._trailing(comma)
        return _Node(start, at + 1, values)

    def _comma(self, end: int) -> tuple[int | None, int]:
        at = self._skip(end)
        return (at + 1, self._skip(at + 1)) if self._text.startswith(",", at) else (None, at)

    def _trailing(self, comma: int | None) -> None:
        if comma is not None and not self._comments:
            raise self._wrong(comma - 1)

    def _skip(self, at: int) -> int:
        while True:
            found = _SPACE.match(self._text, at)
            at = found.end() if found else at
            comment = _COMMENT.match(self._text, at) if self._comments else None
            if not comment:
                return at
            at = comment.end()

    def _wrong(self, at: int) -> ValueError:
        return ValueError(f"it is not valid JSON in line {self._text.count(chr(10), 0, at) + 1}")

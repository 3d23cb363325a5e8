"""Loads the scale from its data files and merges a user's own file into it."""

import difflib
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.quality.scale import Scale, problem_in

_FILES = ("scale.toml", "sites.toml", "signs.toml")
_FLAGGED = "flagged.toml"
_LARGEST = 1_000_000
"""The largest user file, in bytes: a larger file was named by mistake."""

Table = dict[str, Any]


@cache
def own_scale() -> Scale:
    """Return the package's own scale; it is read once per process."""
    return _checked(_own(), "of this package")


def open_scale(file: str) -> Scale:
    """Return the scale with a user's TOML file merged into it; an empty name gives the package's own scale.

    Raises:
        SettingsError: The file cannot be read or used; the error names the wrong key and what to do.
    """
    if not file.strip():
        return own_scale()
    path = os.path.expanduser(file.strip())
    return _checked(lay_over(_own(), _read(path)), path)


def lay_over(base: Mapping[str, Any], over: Mapping[str, Any]) -> Table:
    """Merge `over` into `base`: values replace, list entries are added, and `!` removes an entry.

    A domain that `over` puts under one kind is removed from the other kinds.
    """
    merged = _merged(base, over)
    kinds, given = merged.get("kinds"), over.get("kinds")
    if isinstance(kinds, dict) and isinstance(given, Mapping):
        _move(cast("dict[str, object]", kinds), cast("Mapping[str, object]", given))
    return merged


def _own() -> Table:
    whole: Table = {}
    where = files("deepresearch_mcp.quality")
    for name in _FILES:
        whole |= tomllib.loads((where / name).read_text(encoding="utf-8"))
    for kind, lists in tomllib.loads((where / _FLAGGED).read_text(encoding="utf-8")).items():
        # The origin of a list is only for readers of the file.
        whole["kinds"][kind]["domains"] = [domain for one in lists for domain in one["domains"]]
    return whole


def _read(path: str) -> Table:
    try:
        with open(path, "rb") as opened:
            raw = opened.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "its name is not a path"
        raise _wrong(path, f"cannot be read: {why}", "Name a TOML file, or remove the setting.") from None
    if len(raw) > _LARGEST:
        raise _wrong(path, "has more than 1,000,000 bytes", "Name a TOML file with grades of sources.")
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        raise _wrong(path, f"is not valid TOML: {error}", "Correct it there.") from None
    except (UnicodeError, RecursionError):
        raise _wrong(path, "is not valid TOML: it is not UTF-8 text with tables", "Correct it there.") from None


def _wrong(path: str, what: str, action: str) -> SettingsError:
    return SettingsError(f"The file {path!r} of research.quality_file {what}.", action)


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> Table:
    merged: Table = dict(base)
    for name, value in over.items():
        mine: object = merged.get(name)
        if isinstance(value, Mapping):
            under = cast("Mapping[str, Any]", mine if isinstance(mine, Mapping) else {})
            merged[name] = _merged(under, cast("Mapping[str, Any]", value))
        elif isinstance(value, list):
            before = cast("list[object]", mine) if isinstance(mine, list) else []
            merged[name] = _joined(before, cast("list[object]", value))
        else:
            merged[name] = value
    return merged


def _joined(mine: list[object], more: list[object]) -> list[object]:
    out = {one[1:].strip() for one in more if isinstance(one, str) and one.startswith("!")}
    new = [one for one in more if not (isinstance(one, str) and (one.startswith("!") or one in out))]
    return [*(one for one in mine if one not in out and one not in new), *new]


def _move(kinds: dict[str, object], given: Mapping[str, object]) -> None:
    """Remove the domains that the user assigns from the kinds that they were in before."""
    placed = {
        domain: name
        for name, kind in given.items()
        if isinstance(kind, Mapping)
        for domain in _domains(cast("Mapping[str, object]", kind))
        if isinstance(domain, str) and not domain.startswith("!")
    }
    for name, kind in kinds.items():
        if isinstance(kind, Mapping):
            table = dict(cast("Mapping[str, object]", kind))
            domains = _domains(table)
            if left := [one for one in domains if not (isinstance(one, str) and placed.get(one, name) != name)]:
                table["domains"] = left
            elif domains:
                table.pop("domains")
            kinds[name] = table


def _domains(kind: Mapping[str, object]) -> list[object]:
    found = kind.get("domains")
    return cast("list[object]", found) if isinstance(found, list) else []


def _checked(table: Table, path: str) -> Scale:
    try:
        scale = TypeAdapter(Scale).validate_python(table)
    except ValidationError as error:
        key, wanted = _first(error)
    else:
        key, wanted = problem_in(scale)
        if not key:
            return scale
    raise _wrong(path, f"is wrong at {key}: {wanted}", "Correct it there, or remove it.")


def _first(error: ValidationError) -> tuple[str, str]:
    """Return the key of the first error, and its remedy; an unknown key comes first."""
    found = error.errors(include_url=False, include_context=False)
    first = next((one for one in found if one["type"] == _NO_SUCH_KEY), found[0])
    # pydantic appends "[key]" if the name itself is wrong.
    path = [str(part) for part in first["loc"] if part != "[key]"]
    if first["type"] == _NO_SUCH_KEY:
        return ".".join(path), f"there is no such key{_suggestion(path)}"
    wanted = first["msg"].removeprefix("Value error, ").replace("Input should", "it should")
    wanted = wanted.replace("Field required", "it is required")
    if path[-1].isdigit():
        # The index is left out, because it would count the package's entries too.
        return ".".join(path[:-1]), f"{str(first['input'])[:60]!r} in it: {wanted}"
    return ".".join(path), wanted


_NO_SUCH_KEY = "unexpected_keyword_argument"


def _suggestion(path: list[str]) -> str:
    there: object = _own()
    for name in path[:-1]:
        there = cast("Mapping[str, object]", there).get(name) if isinstance(there, Mapping) else None
    names = sorted(cast("Mapping[str, object]", there)) if isinstance(there, Mapping) else []
    close = difflib.get_close_matches(path[-1], names, n=1)
    return f"; did you mean {close[0]}?" if close else ""

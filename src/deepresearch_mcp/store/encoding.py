"""Encodes values as JSON, and hashes requests."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any, cast

from pydantic import BaseModel, TypeAdapter
from pydantic_core import PydanticSerializationError, to_jsonable_python


def to_json(value: object) -> str:
    """JSON of plain data, dataclasses and pydantic models; a lone surrogate becomes "?"."""
    text = json.dumps(to_jsonable_python(value), ensure_ascii=False, separators=(",", ":"))
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def request_hash(request: object) -> str:
    """Hash a request to 32 hexadecimal digits, equal in every process because keys and sets are sorted first."""
    canonical = json.dumps(to_jsonable_python(_plain(request)), sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()


def adapter(kind: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - any type there is
    """The JSON reader and writer for a type, cached if the type is hashable."""
    try:
        return _remembered(kind)
    except TypeError:
        return TypeAdapter(kind)


def dump(kind: TypeAdapter[Any], value: object) -> str:
    """Encode a value as JSON that `kind` can read back.

    Raises:
        PydanticSerializationError: The value does not have that type.
    """
    try:
        return kind.dump_json(value, by_alias=True, round_trip=True, warnings="error").decode()
    except PydanticSerializationError:
        # A lone surrogate must not lose a text that was paid for.
        return to_json(kind.dump_python(value, mode="json", by_alias=True, round_trip=True, warnings="error"))


@lru_cache(maxsize=256)
def _remembered(kind: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - any type there is
    return TypeAdapter(kind)


def _plain(value: object) -> object:
    """The value as plain data, with sets as sorted lists, because the order of a set differs between processes."""
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, BaseModel):
        return _plain(dict(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in cast("Mapping[Any, object]", value).items()}
    if isinstance(value, AbstractSet):
        items = [to_jsonable_python(_plain(item)) for item in cast("AbstractSet[object]", value)]
        return sorted(items, key=lambda item: json.dumps(item, sort_keys=True))
    if isinstance(value, list | tuple):
        return [_plain(item) for item in cast("list[object]", value)]
    return value

"""Converts a model's answer to the requested shape, as far as that takes no guess at its meaning."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

T = TypeVar("T", bound=BaseModel)

_IDS = re.compile(r"[a-z]_ids?$")
_NUMBER = re.compile(r"\s*([-+]?\d+(?:\.\d+)?)")


def fit(value: object, schema: Mapping[str, Any]) -> object:
    """Convert a JSON value towards a JSON Schema.

    A list becomes the object that holds one, a single value becomes a list, numbers are read from strings, enumeration
    values get their exact spelling, unknown fields are dropped and lists are cut at `maxItems`. Anything else stays as
    it is, so that validation reports it.
    """
    return _Fitter(schema.get("$defs", {})).value(value, schema)


def fit_and_validate(shape: type[T], value: object, schema: Mapping[str, Any], *, drop: bool = False) -> T:
    """Fit and validate a value; with `drop`, list items that stay invalid are dropped.

    Raises:
        ValueError: The value is nested too deeply for Python, or (ValidationError) not of this shape.
    """
    try:
        fitted = fit(value, schema)
    except RecursionError as error:
        raise ValueError("the answer is nested too deeply") from error
    while True:
        try:
            return shape.model_validate(fitted)
        except ValidationError as error:
            if not drop or not _dropped(fitted, error):
                raise


def faults(error: ValidationError, limit: int = 6) -> str:
    """Describe at most `limit` wrong fields in one line, for the model that wrote them."""
    lines = [f"{'.'.join(str(part) for part in row['loc']) or 'answer'}: {row['msg']}" for row in error.errors()]
    more = f"; and {len(lines) - limit} more" if len(lines) > limit else ""
    return "; ".join(lines[:limit]) + more


def _dropped(value: object, error: ValidationError) -> bool:
    """Remove the list items that the error names; return False if a fault is outside every list."""
    items: dict[tuple[Any, ...], Any] = {}
    for row in error.errors():
        place = row["loc"]
        index = next((at for at, part in enumerate(place) if isinstance(part, int)), None)
        if index is None:
            return False
        items[place[: index + 1]] = None
    for place in sorted(items, key=lambda parts: parts[-1], reverse=True):
        holder: Any = value
        try:
            for part in place[:-1]:
                holder = holder[part]
            del holder[place[-1]]
        except (LookupError, TypeError):  # validation names the place differently from the JSON
            return False
    return True


class _Fitter:
    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions

    def value(self, value: object, schema: Mapping[str, Any]) -> object:
        schema = self._resolved(schema)
        if variants := schema.get("anyOf") or schema.get("oneOf"):
            return self._any(value, [self._resolved(part) for part in variants])
        if words := schema.get("enum"):
            return _word(value, words)
        match schema.get("type"):
            case "object":
                return self._object(_parsed(value), schema)
            case "array":
                return self._array(_parsed(value), schema)
            case "integer" | "number" as kind:
                return _number(value, whole=kind == "integer")
            case "string":
                return _text(value)
            case _:
                return value

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        seen = 0
        while "$ref" in schema and seen < 20:
            schema = self._definitions.get(str(schema["$ref"]).rsplit("/", 1)[-1], {})
            seen += 1
        return schema

    def _any(self, value: object, variants: list[Mapping[str, Any]]) -> object:
        if value is None and any(part.get("type") == "null" for part in variants):
            return None
        real = [part for part in variants if part.get("type") != "null"]
        chosen = next((part for part in real if _is(value, part.get("type"))), None)
        if chosen is None and len(real) == 1:
            chosen = real[0]
        return value if chosen is None else self.value(value, chosen)

    def _object(self, value: object, schema: Mapping[str, Any]) -> object:
        properties = cast("Mapping[str, Any]", schema.get("properties", {}))
        if not properties:
            return value
        if not isinstance(value, dict):
            value = self._made_object(value, schema)
            if not isinstance(value, dict):
                return value
        given = cast("dict[str, object]", value)
        names = {**_without_ids(properties), **{_plain(name): name for name in properties}}
        known = {names[_plain(name)]: part for name, part in given.items() if _plain(name) in names}
        if not known:
            return self._unwrapped(given, schema)
        required = schema.get("required", ())
        fitted: dict[str, object] = {}
        for name, part in known.items():
            made = self.value(part, properties[name])
            nullable = _takes_null(self._resolved(properties[name]))
            if made is not None or name in required or nullable:
                fitted[name] = made
        return fitted

    def _made_object(self, value: object, schema: Mapping[str, Any]) -> object:
        """Wrap a bare list in the object whose only list it is; take the one fitting object out of a list."""
        if not isinstance(value, list):
            return value
        items = cast("list[object]", value)
        objects = [cast("dict[str, object]", item) for item in items if isinstance(item, dict)]
        names = {_plain(name) for name in schema["properties"]}
        own = [item for item in objects if names & {_plain(key) for key in item}]
        if len(own) == 1:
            return own[0]
        field = self._only_list(schema)
        return {field: items} if field else items

    def _unwrapped(self, given: dict[str, object], schema: Mapping[str, Any]) -> object:
        """Unwrap an envelope such as `{"answer": {…}}`, or wrap a single item in the object's only list."""
        if len(given) == 1:
            inner = next(iter(given.values()))
            if isinstance(inner, dict | list) and inner:
                return self._object(cast("object", inner), schema)
        if field := self._only_list(schema):
            items = self._resolved(self._resolved(schema["properties"][field]).get("items", {}))
            names = {_plain(name) for name in items.get("properties", {})}
            if names & {_plain(name) for name in given}:
                return {field: self.value([given], schema["properties"][field])}
        return {}

    def _only_list(self, schema: Mapping[str, Any]) -> str:
        properties, required = schema["properties"], set(schema.get("required", ()))
        lists = [name for name, part in properties.items() if self._resolved(part).get("type") == "array"]
        if len(lists) > 1:
            lists = [name for name in lists if name in required]
        return lists[0] if len(lists) == 1 and required <= {lists[0]} else ""

    def _array(self, value: object, schema: Mapping[str, Any]) -> object:
        if isinstance(value, dict):
            given = cast("dict[str, object]", value)
            inner = next(iter(given.values())) if len(given) == 1 else None
            value = cast("object", inner) if isinstance(inner, list) else [given]
        elif value is None:
            value = []
        elif not isinstance(value, list):
            value = [value]
        items = cast("Mapping[str, Any]", schema.get("items", {}))
        fitted = [self.value(item, items) for item in cast("list[object]", value)]
        limit = schema.get("maxItems")
        return fitted[:limit] if isinstance(limit, int) else fitted


def _is(value: object, kind: str | None) -> bool:
    match value:
        case bool():
            return kind == "boolean"
        case int():
            return kind in {"integer", "number"}
        case float():
            return kind == "number"
        case str():
            return kind == "string"
        case list():
            return kind == "array"
        case _:
            return isinstance(value, dict) and kind == "object"


def _takes_null(schema: Mapping[str, Any]) -> bool:
    return any(part.get("type") == "null" for part in schema.get("anyOf", ()))


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)).strip("_").lower()


def _without_ids(properties: Iterable[str]) -> dict[str, str]:
    """What some models call `fact_ids`: `facts` or `fact`."""
    ids = {name: name.removesuffix("s").removesuffix("_id") for name in properties if _IDS.search(name)}
    return {said: name for name, stem in ids.items() for said in (stem, f"{stem}s")}


def _parsed(value: object) -> object:
    # Some models put JSON into a JSON string.
    if isinstance(value, str) and value.lstrip()[:1] in {"{", "["}:
        try:
            return cast("object", json.loads(value, strict=False))
        except (ValueError, RecursionError):
            return value
    return value


def _word(value: object, words: list[Any]) -> object:
    if not isinstance(value, str) or value in words:
        return value
    spelled = {_plain(word): word for word in words if isinstance(word, str)}
    return spelled.get(_plain(value.strip(" .!\"'*`\n\t")), value)


def _number(value: object, *, whole: bool) -> object:
    if isinstance(value, str) and (found := _NUMBER.match(value.replace(",", ""))):
        value = float(found.group(1)) if "." in found.group(1) else int(found.group(1)[:300])
    if whole and isinstance(value, float) and abs(value) < 1e15:
        return round(value)
    return value


def _text(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and any(char == "\0" or "\ud800" <= char <= "\udfff" for char in value):
        # Lone surrogates and null characters cannot be stored.
        return re.sub("[\0\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", value)
    return value

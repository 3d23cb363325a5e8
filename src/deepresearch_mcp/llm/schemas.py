"""Converts JSON Schemas to the forms that services accept, without modifying the arguments."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

# Keywords that OpenAI's strict mode refuses, or that matter only to Python.
_DROPPED = frozenset({"default", "title", "examples", "minLength", "maxLength", "uniqueItems", "discriminator"})


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema in the form of strict modes: every property required, no others allowed.

    A `$ref` loses the keywords next to it, which strict mode refuses; `oneOf` becomes `anyOf`; an `allOf` of one
    schema becomes that schema. Free maps (`dict[str, X]`) have no strict form: do not use them in a shape.
    """
    made = _strict(schema)
    if title := schema.get("title"):
        made["title"] = title
    return made


def _strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    rest = dict(schema)
    if len(rest.get("allOf", ())) == 1:
        rest = {**rest.pop("allOf")[0], **rest}
        return _strict(rest)
    if "oneOf" in rest:
        rest["anyOf"] = rest.pop("oneOf")
    made: dict[str, Any] = {word: _strict_value(word, value) for word, value in rest.items() if word not in _DROPPED}
    if made.get("type") == "object" or "properties" in made:
        made["properties"] = made.get("properties", {})
        made["required"] = list(made["properties"])
        made["additionalProperties"] = False
    return made


def _strict_value(word: str, value: object) -> object:
    if word in {"properties", "$defs"}:
        return {name: _strict(part) for name, part in cast("Mapping[str, Mapping[str, Any]]", value).items()}
    if word in {"anyOf", "allOf", "prefixItems"}:
        return [_strict(part) for part in cast("list[Mapping[str, Any]]", value)]
    if word == "items" and isinstance(value, Mapping):
        return _strict(cast("Mapping[str, Any]", value))
    return value


def in_words(system: str, schema: Mapping[str, Any]) -> str:
    """Return the system text followed by the schema, for models without a schema mode."""
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    ask = f"Answer with one JSON object and nothing else. It fits this JSON Schema:\n{text}"
    return f"{system}\n\n{ask}".strip()


def schema_name(text: str) -> str:
    """Return the name in the form that services accept: letters, digits, `_` and `-`, at most 64 characters."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", text)[:64] or "answer"

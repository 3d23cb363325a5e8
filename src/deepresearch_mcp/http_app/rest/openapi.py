"""OpenAPI 3.1 from the operations and their pydantic models."""

import json
import re
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any, cast

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, JsonSchemaValue, models_json_schema

from deepresearch_mcp.http_app.problems import MEDIA_TYPE, Problem
from deepresearch_mcp.http_app.rest.operations import Answer, Operation
from deepresearch_mcp.records.principal import SCOPES
from deepresearch_mcp.version import __version__

_REF = "#/components/schemas/{model}"
_PART = re.compile(r"\{(\w+)\}")

_PARTS = {
    "share_id": "Of a link, as the list of links shows it.",
    "run_id": "Of a run: 26 letters and digits.",
    "session_id": "Of a session.",
    "claim_id": "Of a claim of the run.",
    "source_id": "Of a source of the run.",
    "name": "Of a collection.",
    "path": "Of a document in the collection.",
}

_ALWAYS = (401, 403, 500, 503)
"""Errors of every operation: no token, not enough scope, a fault of the server, a store that is down."""

TAGS = {
    "sessions": "Sessions, named as in the engine design; docs/rest.md maps its words to ours.",
    "runs": "Runs: researches and checks of citations.",
    "evidence": "What a run holds.",
    "library": "Local collections.",
    "lookups": "One search, one page, without a run.",
}


def text_of(operations: Sequence[Operation]) -> str:
    """The document as JSON."""
    return json.dumps(document_of(operations), ensure_ascii=False, indent=1)


def document_of(operations: Sequence[Operation]) -> dict[str, Any]:
    """The document: paths, schemas, security, problems."""
    schemas = _Schemas(operations)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, schemas)
    used = {operation.tag for operation in operations}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Deep research",
            "version": __version__,
            "summary": "Research in which every sentence can be checked against words really on the page.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items() if name in used],
        "security": [{"token": []}, {"oauth": []}],
        "paths": paths,
        "components": {
            "schemas": schemas.all,
            "responses": {_component(status): _problem(status) for status in sorted(_statuses(operations))},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of `deepresearch-server token create`, or an access token of the issuer.",
                },
                "oauth": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "JWT",
                    "description": f"Of the issuer in the protected-resource metadata. Scopes: {', '.join(SCOPES)}.",
                },
            },
        },
    }


class _Schemas:
    """All models of the operations as JSON Schema, under one name each."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        asked: dict[tuple[type[BaseModel], JsonSchemaMode], None] = {(Problem, "serialization"): None}
        for operation in operations:
            for model in filter(None, (operation.query, operation.body)):
                asked[model, "validation"] = None
            for answer in operation.answers.values():
                if answer.model:
                    asked[answer.model, "serialization"] = None
        self._refs, definitions = models_json_schema(list(asked), ref_template=_REF)
        self.all: dict[str, Any] = definitions.get("$defs", {})
        for operation in operations:
            if operation.query:
                self.all.pop(self._refs[operation.query, "validation"]["$ref"].rpartition("/")[2], None)

    def of(self, model: type[BaseModel], mode: JsonSchemaMode) -> JsonSchemaValue:
        return self._refs[model, mode]


def _statuses(operations: Iterable[Operation]) -> set[int]:
    return {status for operation in operations for status in _problems(operation)}


def _problems(operation: Operation) -> list[int]:
    found = {*operation.problems, *_ALWAYS, 422}
    if operation.body:
        found |= {400, 413, 415}
    if operation.conflicts:
        found.add(409)
    return sorted(found)


def _component(status: int) -> str:
    return HTTPStatus(status).phrase.title().replace(" ", "").replace("-", "")


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": _REF.format(model="Problem")}
    found: dict[str, Any] = {
        "description": HTTPStatus(status).description or HTTPStatus(status).phrase,
        "content": {MEDIA_TYPE: {"schema": schema}},
    }
    if status == HTTPStatus.UNAUTHORIZED:
        found["headers"] = {"WWW-Authenticate": {"schema": {"type": "string"}}}
    if status in {429, 503}:
        found["headers"] = {"Retry-After": {"schema": {"type": "string"}}}
    return found


def _operation(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "path", "required": True, "description": _PARTS[name], "schema": {"type": "string"}}
        for name in _PART.findall(operation.path)
    ]
    if operation.query:
        parameters += _query(operation.query)
    found: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": " ".join(filter(None, (operation.about, f"Scope: `{operation.scope}`."))),
        "tags": [operation.tag],
    }
    if parameters:
        found["parameters"] = parameters
    if operation.body:
        content: dict[str, Any] = {"schema": schemas.of(operation.body, "validation")}
        if operation.example is not None:
            content["example"] = dict(operation.example)
        found["requestBody"] = {"required": True, "content": {"application/json": content}}
    found["responses"] = {
        **{str(status): _answer(answer, schemas) for status, answer in operation.answers.items()},
        **{str(status): {"$ref": f"#/components/responses/{_component(status)}"} for status in _problems(operation)},
    }
    return found


def _query(model: type[BaseModel]) -> list[dict[str, Any]]:
    schema = model.model_json_schema(ref_template=_REF)
    assert "$defs" not in schema
    properties = cast("dict[str, dict[str, Any]]", schema["properties"])
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", []),
            **({"description": about} if (about := one.pop("description", "")) else {}),
            "schema": _without_null(one),
        }
        for name, one in properties.items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter is left out, never null."""
    kinds = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
    if len(kinds) != 1:
        return schema
    rest = {name: value for name, value in schema.items() if name not in {"anyOf", "default"} or value is None}
    rest.pop("default", None)
    return {**rest, **kinds[0]}


def _answer(answer: Answer, schemas: _Schemas) -> dict[str, Any]:
    found: dict[str, Any] = {"description": answer.about}
    if answer.headers:
        found["headers"] = {
            name: {"description": about, "schema": {"type": "string"}} for name, about in answer.headers.items()
        }
    if answer.model is not None:
        schema = schemas.of(answer.model, "serialization")
        schema = {"type": "array", "items": schema} if answer.many else schema
        found["content"] = {media: {"schema": schema} for media in answer.media}
    elif answer.media != ("application/json",):
        found["content"] = {media: _free(media) for media in answer.media}
    return found


def _free(media: str) -> dict[str, Any]:
    """A body without a schema of its own: text, or what its description says."""
    return {"schema": {"type": "string"}} if media in {"text/markdown", "text/html"} else {}

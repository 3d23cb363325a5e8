"""One operation of the REST surface: what it takes and answers, as data from which routes and OpenAPI are made."""

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypeVar, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun
from deepresearch_mcp.http_app.context import HttpContext, principal_of
from deepresearch_mcp.http_app.problems import Endpoint, answering, fields_of, http_response, problem_response
from deepresearch_mcp.jobs.asking import wrong_argument
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.records.principal import Scope

T = TypeVar("T", bound=BaseModel)

LONGEST_BODY = 2_000_000
"""Bytes of a request's body: several times the longest text that is taken."""


class Strict(BaseModel):
    """What a caller sends: an unknown name is an error that names it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _clean(text: str) -> str:
    if any(ord(char) < 32 and char not in "\n\r\t" for char in text):
        raise ValueError("it holds control characters: remove them")
    return text


Clean = Annotated[str, AfterValidator(_clean)]
"""Text without control characters: a database cannot keep some of them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of an operation."""

    about: str
    model: type[BaseModel] | None = None
    """What its JSON is; None for an empty or textual body."""
    media: tuple[str, ...] = ("application/json",)
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Name → what it holds."""
    many: bool = False
    """A list of these."""


class Call:
    """One request to an operation, its parts read and checked."""

    def __init__(
        self, context: HttpContext, request: Request, caller: str, query: BaseModel | None, body: BaseModel | None
    ) -> None:
        self.context = context
        self.request = request
        self.caller = caller
        """To whom everything belongs that this request sees or makes."""
        self._query = query
        self._body = body

    async def jobs(self) -> Jobs:
        """The jobs of this process, opened on first use."""
        return await self.context.server.jobs()

    def query(self, kind: type[T]) -> T:
        """The parameters behind the `?`, as the operation declares them."""
        assert isinstance(self._query, kind)
        return self._query

    def body(self, kind: type[T]) -> T:
        """The body, as the operation declares it."""
        assert isinstance(self._body, kind)
        return self._body

    def named(self, name: str) -> str:
        """A part of the path, decoded."""
        return str(self.request.path_params[name])

    def run_id(self) -> str:
        """The id of the run in the path.

        Raises:
            UnknownRun: It has not the form of one.
        """
        run_id = self.named("run_id")
        if not _RUN_ID.fullmatch(run_id):
            raise UnknownRun(run_id)
        return run_id


_RUN_ID = re.compile(r"[0-9a-z]{1,40}")

Handler = Callable[[Call], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a path."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    handler: Handler
    summary: str
    answers: Mapping[int, Answer]
    scope: Scope | None = "runs:read"
    """What a token must be granted; None: nothing, as no caller's data is shown."""
    about: str = ""
    tag: str = "runs"
    query: type[BaseModel] | None = None
    body: type[BaseModel] | None = None
    example: Mapping[str, Any] | None = None
    """Of the body."""
    problems: Sequence[int] = ()
    """Statuses of errors beside those that every operation has."""
    conflicts: bool = False
    """A refusal for the state of a run is answered 409, not 422: nothing in the request is malformed."""

    @property
    def name(self) -> str:
        """Its `operationId`: the handler's name in camel case, for generated clients."""
        first, *rest = self.handler.__name__.strip("_").split("_")
        return first + "".join(one.capitalize() for one in rest)


def routes_of(operations: Sequence[Operation], context: HttpContext) -> list[Route]:
    """Serve operations, each path with all its methods; whatever goes wrong is a problem."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method] = _endpoint_of(operation, context)
    return [Route(path, answering(_by_method(methods)), methods=list(methods)) for path, methods in paths.items()]


def _by_method(methods: Mapping[str, Endpoint]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return await methods["GET" if request.method == "HEAD" else request.method](request)

    return endpoint


def _endpoint_of(operation: Operation, context: HttpContext) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        caller = principal_of(request, operation.scope).caller if operation.scope else ""
        try:
            query = _query_of(request, operation.query)
            body = await _body_of(request, operation.body) if operation.body else None
        except _Refused as refused:
            return refused.answer
        except ValidationError as error:
            return problem_response(wrong_argument(error), errors=fields_of(error))
        call = Call(context, request, caller, query, body)
        if not operation.conflicts:
            return await operation.handler(call)
        try:
            return await operation.handler(call)
        except InvalidRequest as error:
            return problem_response(error, status=HTTPStatus.CONFLICT)

    return endpoint


class _Refused(Exception):
    def __init__(self, answer: Response) -> None:
        self.answer = answer


def _query_of(request: Request, model: type[BaseModel] | None) -> BaseModel | None:
    given: dict[str, Any] = {}
    for name in request.query_params:
        values = request.query_params.getlist(name)
        field_info = model.model_fields.get(name) if model else None
        many = field_info is not None and get_origin(field_info.annotation) in {tuple, list}
        given[name] = values if many or len(values) > 1 else values[0]
    if model is None:
        _Nothing.model_validate(given)
        return None
    return model.model_validate(given)


class _Nothing(Strict):
    """A query of an operation that takes none."""


async def _body_of(request: Request, model: type[BaseModel]) -> BaseModel:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise _Refused(http_response(415, "The body must be JSON: send it with Content-Type: application/json."))
    whole = bytearray()
    async for piece in request.stream():
        whole += piece
        if len(whole) > LONGEST_BODY:
            raise _Refused(
                http_response(413, f"The body has more than {LONGEST_BODY:,} bytes.", {"connection": "close"})
            )
    try:
        # Strictly: a number is no date, a text no number.
        return model.model_validate_json(bytes(whole), strict=True)
    except ValidationError as error:
        if error.errors(include_input=False, include_url=False)[0]["type"] == "json_invalid":
            raise _Refused(http_response(400, "The body is no JSON that can be read.")) from error
        raise


_AS_NAMED = {"X-Content-Type-Options": "nosniff"}
"""A browser that is signed in opens these addresses too: the words of a page are never run as one of ours."""


def json_answer(
    value: BaseModel | Mapping[str, Any] | Sequence[Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Answer with JSON. Lone surrogates, which UTF-8 cannot hold, become question marks."""
    text = value.model_dump_json() if isinstance(value, BaseModel) else json.dumps(value, ensure_ascii=False)
    given = {"Cache-Control": "no-store", **_AS_NAMED, **(headers or {})}
    return Response(text.encode("utf-8", "replace"), status, given, "application/json")


def unless_known(request: Request, body: str | bytes, media: str) -> Response:
    """Answer with a text or a file and its ETag, or with 304 where the caller has it already."""
    raw = body if isinstance(body, bytes) else body.encode("utf-8", "replace")
    tag = f'"{hashlib.sha256(raw).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie", **_AS_NAMED}
    known = {one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")}
    if tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(raw, headers=headers, media_type=media)

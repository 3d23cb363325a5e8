import datetime
import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from deepresearch_mcp import exceptions as e
from deepresearch_mcp.http_app.problems import (
    answering,
    exception_handlers,
    http_response,
    problem_of,
    problem_response,
    status_of,
)

SECRET = "sk-planted-0123456789"


class Body(BaseModel):
    number: int


def wrong_body() -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        Body.model_validate({"number": SECRET})
    return caught.value


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (e.InvalidRequest("It is empty.", "Say something."), 422),
        (e.UnknownRun("abc"), 404),
        (e.UnknownCollection("There is none."), 404),
        (e.NotAuthenticated(), 401),
        (e.NotAuthorized("admin"), 403),
        (e.RateLimited("brave", "busy", retry_after=2.2), 503),
        (e.UnreadableAnswer("brave", "no JSON"), 502),
        (e.FetchRefused("https://one.example", "robots", "Its robots.txt forbids it."), 422),
        (e.FetchFailed("https://one.example", "timed_out", "It did not answer."), 424),
        (e.BudgetExceeded("max_usd", 1, 1), 409),
        (e.TooManyWaiting(100), 429),
        (e.StoreError("The disk is full."), 503),
        (e.OwnershipLost("Another server has it."), 409),
    ],
)
def test_each_kind_of_error_has_its_status_and_says_what_to_do(error: e.DeepResearchError, status: int) -> None:
    answer = problem_response(error)
    body = json.loads(bytes(answer.body))

    assert (answer.status_code, answer.media_type) == (status, "application/problem+json")
    assert body["status"] == status
    assert (body["code"], body["name"], body["detail"]) == (error.code, error.name, error.message)
    assert body["action"] == error.action.replace("list_runs", "`GET /research/runs`")
    assert body["type"] == f"/problems/{error.code}"


def test_every_error_of_the_package_has_a_status() -> None:
    def below(kind: type[e.DeepResearchError]) -> list[type[e.DeepResearchError]]:
        return [kind, *(one for child in kind.__subclasses__() for one in below(child))]

    assert all(400 <= status_of(kind.__new__(kind)) < 600 for kind in below(e.DeepResearchError))


def test_when_to_ask_again_and_how_to_show_who_one_is_stand_in_the_headers() -> None:
    free = datetime.datetime(2026, 3, 4, 5, 6, 7, tzinfo=datetime.UTC)
    day = e.DayCeilingMet("max_usd_per_day", "All runs", 2.0, 2.0, free)

    assert problem_response(e.RateLimited("x", "busy", retry_after=2.2)).headers["retry-after"] == "3"
    assert problem_response(day).headers["retry-after"] == "Wed, 04 Mar 2026 05:06:07 GMT"
    assert problem_response(e.NotAuthenticated()).headers["www-authenticate"] == "Bearer"


def _app(error: BaseException, *, wrapped: bool) -> TestClient:
    async def fails(_: Request) -> Response:
        raise error

    async def plain(_: Request) -> Response:
        return Response("fine")

    routes = [Route("/fails/{name}", answering(fails) if wrapped else fails), Route("/plain", plain)]
    app = Starlette(routes=routes, exception_handlers=exception_handlers())
    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (e.UnknownRun("abc"), 404, "E1103"),
        (wrong_body(), 422, "E1101"),
        (KeyError(SECRET), 500, "E1000"),
        (ExceptionGroup("some", [e.UnknownRun("abc")]), 404, "E1103"),
    ],
)
def test_whatever_a_route_raises_is_a_problem_without_trace_or_secret(
    error: Exception, status: int, code: str, wrapped: bool, caplog: Any
) -> None:
    answer = _app(error, wrapped=wrapped).get("/fails/one")

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert SECRET not in answer.json()["detail"] or isinstance(error, ValidationError)
    assert "Traceback" not in answer.text
    assert "one" not in caplog.messages


@pytest.mark.parametrize("status", [400, 404, 405, 413, 415, 429])
def test_an_error_that_is_http_s_alone_says_what_to_do(status: int) -> None:
    assert json.loads(bytes(http_response(status).body))["action"]


def test_a_remedy_names_operations_of_this_surface_and_no_tool() -> None:
    assert problem_of(e.UnknownRun("x")).action == "List the existing runs with `GET /research/runs`."


def test_wrong_fields_are_named_one_by_one_without_their_values() -> None:
    answer = _app(wrong_body(), wrapped=True).get("/fails/one")

    assert [one["field"] for one in answer.json()["errors"]] == ["number"]
    assert SECRET not in json.dumps(answer.json()["errors"])


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nowhere", 404), ("DELETE", "/plain", 405)])
def test_paths_and_methods_that_do_not_exist_are_problems_too(method: str, path: str, status: int) -> None:
    answer = _app(KeyError(), wrapped=True).request(method, path)

    assert (answer.status_code, answer.json()["status"], answer.json()["type"]) == (status, status, "about:blank")
    assert "openapi" in answer.json()["action"]

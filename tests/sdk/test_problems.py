"""Errors of a server become those of this package."""

import httpx2
import pytest

from deepresearch_mcp import exceptions as e
from deepresearch_mcp.http_app.problems import KINDS, problem_response
from deepresearch_mcp.sdk.problems import error_of

REQUEST = httpx2.Request("GET", "https://server.example/research/runs/r1")


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_kind_comes_back_as_itself(kind: type[e.DeepResearchError]):
    sent = kind.__new__(kind)
    e.DeepResearchError.__init__(sent, "It failed.", "Try again.")
    answer = problem_response(e.DeepResearchError("It failed.", "Try again."), status=500)
    body = {"code": kind.code, "detail": "It failed.", "action": "Try again."}

    error = error_of(httpx2.Response(answer.status_code, json=body, request=REQUEST), "/research/runs/r1")

    assert type(error) is kind
    assert (str(error), error.action) == ("It failed. Try again.", "Try again.")


@pytest.mark.parametrize("body", ["<html>", "[]", "{}", '{"code": 1}'])
def test_an_answer_of_something_else_is_told_by_its_status(body: str):
    error = error_of(httpx2.Response(502, text=body, request=REQUEST), "/research/runs")

    assert isinstance(error, e.ProviderError)
    assert (error.retryable, "HTTP 502" in error.message) == (True, True)


def test_a_code_of_a_newer_server_is_the_root_of_all():
    answer = httpx2.Response(400, json={"code": "E9999", "detail": "New."}, request=REQUEST)

    assert type(error_of(answer, "/x")) is e.DeepResearchError

from pathlib import Path

import pytest

from deepresearch_mcp.http_app.rest.operations import LONGEST_BODY
from rest_world import served_rest


@pytest.mark.parametrize(
    ("content", "media", "status"),
    [
        (b"{", "application/json", 400),
        (b'{"question": "\\ud800"}', "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"[]", "application/json", 422),
        (b"null", "application/json", 422),
        (b'{"question": "Why?"}', "text/plain", 415),
        (b'"' + b"x" * LONGEST_BODY + b'"', "application/json", 413),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused_with_the_reason(
    tmp_path: Path, content: bytes, media: str, status: int
) -> None:
    async with served_rest(tmp_path) as world:
        headers = {"authorization": "Bearer token:1", "content-type": media}
        answer = await world.http.post("/research/runs", content=content, headers=headers)

    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "unknown=1", "status=lost", "query=%00", "limit=1&limit=2"])
async def test_a_wrong_parameter_is_named(tmp_path: Path, query: str) -> None:
    async with served_rest(tmp_path) as world:
        answer = await world.call("GET", f"/research/runs?{query}")

    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, query.partition("=")[0])

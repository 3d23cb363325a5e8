from typing import Any

from pydantic import BaseModel
from starlette.responses import Response

from deepresearch_mcp.http_app.rest.openapi import document_of
from deepresearch_mcp.http_app.rest.operations import Answer, Call, Operation, Strict


class Wish(Strict):
    """What is wished for."""

    colour: str


class Granted(BaseModel):
    """What is granted."""

    number: int


async def grant_a_wish(_: Call) -> Response:
    return Response()


def test_an_operation_is_described_with_its_scope_body_answers_and_problems() -> None:
    operation = Operation(
        "POST",
        "/wishes/{name}",
        grant_a_wish,
        "Grant a wish",
        {200: Answer("Granted.", Granted, many=True)},
        "runs:write",
        body=Wish,
        example={"colour": "red"},
        problems=(404,),
    )

    document: dict[str, Any] = document_of([operation])
    found = document["paths"]["/wishes/{name}"]["post"]

    assert found["operationId"] == "grantAWish"
    assert "runs:write" in found["description"]
    assert found["parameters"][0] | {"description": ""} == {
        "name": "name",
        "in": "path",
        "required": True,
        "description": "",
        "schema": {"type": "string"},
    }
    assert found["requestBody"]["content"]["application/json"]["example"] == {"colour": "red"}
    answers = found["responses"]["200"]["content"]["application/json"]["schema"]
    assert answers == {"type": "array", "items": {"$ref": "#/components/schemas/Granted"}}
    assert {"401", "403", "404", "415", "422", "500"} <= found["responses"].keys()
    assert document["components"]["responses"]["NotFound"]["content"].keys() == {"application/problem+json"}

from pathlib import Path

from jsonschema import Draft202012Validator

from deepresearch_mcp.http_app.rest.service import OPERATIONS
from rest_world import served_rest


async def test_the_document_names_every_operation_once_and_each_error_can_be_looked_up(tmp_path: Path) -> None:
    async with served_rest(tmp_path) as world:
        document = (await world.http.get("/openapi.json")).json()
        about = (await world.http.get("/problems/E1103")).json()
        unknown = await world.http.get("/problems/E9999")

    names = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len(set(names)) == len(names) == len(OPERATIONS)
    assert about["name"] == "UNKNOWN_RUN"
    assert unknown.status_code == 404
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)

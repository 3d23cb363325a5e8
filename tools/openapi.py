"""Print the OpenAPI document of the REST surface, as `/openapi.json` serves it."""

from deepresearch_mcp.http_app.rest.service import document

if __name__ == "__main__":
    print(document())

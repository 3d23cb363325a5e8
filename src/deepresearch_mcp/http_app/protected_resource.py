"""Tells clients which identity server to ask for a token (RFC 9728)."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from deepresearch_mcp.http_app.address import PATH
from deepresearch_mcp.http_app.context import HttpContext
from deepresearch_mcp.records.principal import SCOPES

WELL_KNOWN = "/.well-known/oauth-protected-resource"
OPEN_PATHS = (WELL_KNOWN, WELL_KNOWN + PATH)
"""Who has no token yet reads them to get one."""


def routes(context: HttpContext) -> list[BaseRoute]:
    """The metadata, where an identity server is set."""
    oauth, public = context.settings.http.oauth, context.settings.http.public_url
    if not oauth.issuer:
        return []

    async def metadata(request: Request) -> Response:
        scopes = dict.fromkeys((*oauth.required_scopes, *oauth.scope_map, *SCOPES))
        told = {
            "resource": (public or str(request.base_url).rstrip("/")) + PATH,
            "authorization_servers": [oauth.issuer],
            "scopes_supported": list(scopes),
            "bearer_methods_supported": ["header"],
            "resource_name": "Deep research",
        }
        return JSONResponse(told, headers={"Cache-Control": "max-age=3600", "Access-Control-Allow-Origin": "*"})

    return [Route(path, metadata, methods=["GET"]) for path in OPEN_PATHS]

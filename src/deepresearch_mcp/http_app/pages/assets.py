"""Scripts and styles of the pages. They hold no user's data, so they are served without a token."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from deepresearch_mcp.http_app.problems import http_response
from deepresearch_mcp.viewer.html_report import report_script, report_style

PATH = "/assets/"

_CSS, _JS = "text/css; charset=utf-8", "text/javascript; charset=utf-8"


@cache
def _all() -> Mapping[str, tuple[str, str]]:
    """Name → media type and text."""
    return {
        "report.css": (_CSS, report_style()),
        "report.js": (_JS, report_script()),
        "pages.css": (_CSS, _own("pages.css")),
        "pages.js": (_JS, _own("pages.js")),
    }


def _own(name: str) -> str:
    return files("deepresearch_mcp.http_app.pages").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def asset_path(name: str) -> str:
    """The path of an asset, with its digest, so that browsers keep it until it changes."""
    _, text = _all()[name]
    return f"{PATH}{name}?v={hashlib.sha256(text.encode()).hexdigest()[:12]}"


async def serve_asset(request: Request) -> Response:
    """Answer with an asset; 404 for another name."""
    found = _all().get(str(request.path_params["name"]))
    if found is None:
        return http_response(404)
    media, text = found
    kept = "public, max-age=31536000, immutable" if "v" in request.query_params else "no-cache"
    headers = {"Cache-Control": kept, "X-Content-Type-Options": "nosniff"}
    return Response(text, headers=headers, media_type=media)

"""The web page at `/`: all its pages as routes."""

from collections.abc import Sequence
from itertools import groupby

from starlette.routing import BaseRoute, Route

from deepresearch_mcp.http_app.context import HttpContext
from deepresearch_mcp.http_app.pages import (
    asking,
    assets,
    budgets,
    checking,
    comparing,
    library,
    runs,
    settings_page,
    signing_in,
)
from deepresearch_mcp.http_app.pages.visit import Page, route_of

PAGES: Sequence[Page] = (
    *asking.PAGES,
    *runs.PAGES,
    *checking.PAGES,
    *comparing.PAGES,
    *library.PAGES,
    *budgets.PAGES,
    *settings_page.PAGES,
)

SIGN_IN = signing_in.SIGN_IN
OPEN_PATHS = (*signing_in.OPEN_PATHS, assets.PATH)


def routes(context: HttpContext) -> list[BaseRoute]:
    """The pages, and what signs in and out."""
    by_path = groupby(sorted(PAGES, key=lambda page: page.path), key=lambda page: page.path)
    return [
        *(route_of(list(pages), context) for _, pages in by_path),
        *signing_in.routes(context),
        Route(f"{assets.PATH}{{name}}", assets.serve_asset, methods=["GET"]),
    ]

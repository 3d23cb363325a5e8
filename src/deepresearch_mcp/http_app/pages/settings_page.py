"""`/settings`: every setting as it is, without secrets, to read and not to change."""

from collections.abc import Mapping
from itertools import groupby

from starlette.responses import Response

from deepresearch_mcp.http_app.pages.visit import Page, Visit
from deepresearch_mcp.settings.reading import Loaded, describe, variable
from deepresearch_mcp.settings.schema import Settings


def changed(settings: Settings) -> Mapping[str, str]:
    """Settings that differ from their default, by name."""
    usual = {row.setting: row.value for row in describe(Loaded(Settings(), {}))}
    return {row.setting: "set" for row in describe(Loaded(settings, {})) if row.value != usual[row.setting]}


async def settings(visit: Visit) -> Response:
    """All settings, by group; `query` limits them to those whose name or description has its words."""
    words, differing = visit.asked("query").casefold().split(), changed(visit.context.settings)
    rows = [
        (row.setting, row.value, row.description, variable(row.setting), row.setting in differing)
        for row in describe(Loaded(visit.context.settings, differing))
        if all(word in f"{row.setting} {row.description}".casefold() for word in words)
    ]
    if visit.asked("changed"):
        rows = [row for row in rows if row[-1]]
    groups = [(name, list(own)) for name, own in groupby(rows, key=lambda row: row[0].partition(".")[0])]
    return await visit.show(
        "settings.html", groups=groups, query=visit.asked("query"), only_changed=bool(visit.asked("changed"))
    )


PAGES = (Page("GET", "/settings", settings, "admin"),)

"""Python packages, from the JSON API of the Python Package Index."""

from typing import ClassVar, Final
from urllib.parse import quote

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.package_names import package_names
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine
from deepresearch_mcp.search.rows import Words, hit

HOME: Final = "https://pypi.org"
_WANTED = ("documentation", "docs", "changelog", "changes", "release notes", "homepage", "home", "repository", "source")
"""Labels of a project's links that lead to pages worth reading, in this order."""


class _Info(BaseModel):
    name: str
    version: Words = ""
    summary: Words = ""
    requires_python: Words = ""
    license_expression: Words = ""
    home_page: Words = ""
    project_urls: dict[str, Words] | None = None


class _File(BaseModel):
    upload_time_iso_8601: Words = ""


class _Answer(BaseModel):
    info: _Info
    urls: list[_File] = []


class PyPI(HttpEngine):
    """The Python Package Index. It has no search: only packages that the query names are found."""

    home: ClassVar = HOME

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return for each named package its page and the pages that it links to; none if the query names no package."""
        del needs
        found: list[Hit] = []
        for name in package_names(query.text):
            # Every name would be an address of its own: one with a slash would be another page of the index.
            if "/" in name:
                continue
            body = await self._record(ApiRequest(f"/pypi/{quote(name)}/json", "GET"))
            if body is not None:
                with provider_errors(self.name):
                    found.extend(self._hits(_Answer.model_validate_json(body)))
        start = (query.page - 1) * query.limit
        return found[start : start + query.limit]

    def _hits(self, answer: _Answer) -> list[Hit]:
        info = answer.info
        released = answer.urls[0].upload_time_iso_8601 if answer.urls else ""
        facts = [
            f"Latest version {info.version}" if info.version else "",
            f"released {released[:10]}" if released else "",
            f"requires Python {info.requires_python}" if info.requires_python else "",
            info.license_expression,
        ]
        snippet = f"{info.summary} {', '.join(fact for fact in facts if fact)}"
        page = hit(self.name, f"{self._base}/project/{quote(info.name)}/", f"{info.name} on PyPI", snippet, released)
        return [page, *(hit(self.name, url, f"{info.name}: {label}", info.summary) for label, url in _links(info))]


def _links(info: _Info) -> list[tuple[str, str]]:
    """Return at most three links of a project, each address once, the most useful first."""
    labelled = {label.casefold(): (label, url) for label, url in (info.project_urls or {}).items()}
    chosen = [labelled[label] for label in _WANTED if label in labelled]
    if info.home_page:
        chosen.append(("home page", info.home_page))
    by_url = {
        url.rstrip("/"): (label, url) for label, url in reversed(chosen) if url.startswith(("https://", "http://"))
    }
    return [pair for pair in chosen if by_url.get(pair[1].rstrip("/")) == pair][:3]

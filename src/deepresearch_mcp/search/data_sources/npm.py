"""JavaScript packages, from the search of the npm registry."""

from typing import ClassVar, Final
from urllib.parse import quote

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.data_sources.lookups import few_words
from deepresearch_mcp.search.data_sources.package_names import package_names
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.rows import Words, hit, read_rows

HOME: Final = "https://registry.npmjs.org"


class _Links(BaseModel):
    homepage: Words = ""
    repository: Words = ""


class _Package(BaseModel):
    name: str = Field(min_length=1)
    version: Words = ""
    description: Words = ""
    date: Words = ""
    links: _Links = _Links()


class _Row(BaseModel):
    package: _Package


class _Answer(BaseModel):
    objects: list[object]


class Npm(ApiEngine):
    """The npm registry. Its own pages refuse programs, so hits lead to repositories, home pages or registry records.

    A package that the query names comes also with the registry's record of its version.
    """

    home: ClassVar = HOME

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        named = package_names(query.text)
        size = max(1, min(250, query.limit))
        # The search ranks by popularity among what holds the words: a name alone finds its package.
        params: dict[str, str | int] = {
            "text": named[0] if named else few_words(query.text, 6),
            "size": size,
            "from": (query.page - 1) * size,
        }
        return ApiRequest("/-/v1/search", "GET", params=params)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).objects)
        wanted = {name.casefold() for name in package_names(query.text)}
        return [one for row in rows for one in self._pages(row.package, exact=row.package.name.casefold() in wanted)]

    def _pages(self, package: _Package, *, exact: bool) -> list[Hit]:
        about = f"{package.description} Version {package.version}, published {package.date[:10]}."
        record = f"{self._base}/{quote(package.name, safe='@')}/latest"
        page = _readable(package.links.repository) or _readable(package.links.homepage)
        found = [hit(self.name, page, f"{package.name} ({package.version}), npm", about, package.date)] if page else []
        if exact or not found:
            found.append(
                hit(self.name, record, f"{package.name}: npm record of the latest version", about, package.date)
            )
        return found


def _readable(url: str) -> str:
    """Return the web address of a link such as `git+https://….git`; "" if it has none."""
    url = url.removeprefix("git+").removesuffix(".git").replace("git://", "https://", 1)
    return url if url.startswith(("https://", "http://")) else ""

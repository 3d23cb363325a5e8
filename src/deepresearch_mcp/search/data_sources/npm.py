"""JavaScript packages, from the search of the npm registry."""

from typing import Final, Self
from urllib.parse import quote

import httpx2
from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.lookups import few_words
from deepresearch_mcp.search.data_sources.package_names import package_names
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Words, hit, read_rows
from deepresearch_mcp.search.wire import ask

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


class Npm(SearchEngine):
    """The npm registry. Its own pages refuse programs, so hits lead to repositories, home pages or registry records."""

    def __init__(self, http: httpx2.AsyncClient, *, base_url: str = HOME) -> None:
        self._http = http
        self._base = (base_url or HOME).rstrip("/")

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(parts.http, base_url=parts.base_url)

    @property
    @override
    def name(self) -> str:
        return "npm"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 250 hits; a package that the query names also with the registry's record of its version."""
        del needs
        named = package_names(query.text)
        size = max(1, min(250, query.limit))
        # The search ranks by popularity among what holds the words: a name alone finds its package.
        params = {
            "text": named[0] if named else few_words(query.text, 6),
            "size": size,
            "from": (query.page - 1) * size,
        }
        body = await ask(self._http, self.name, "GET", f"{self._base}/-/v1/search", params=params)
        with provider_errors(self.name):
            rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).objects)
        wanted = {name.casefold() for name in named}
        found = [one for row in rows for one in self._hits(row.package, exact=row.package.name.casefold() in wanted)]
        return found[: query.limit]

    def _hits(self, package: _Package, *, exact: bool) -> list[Hit]:
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

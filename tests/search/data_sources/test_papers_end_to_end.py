"""The tools ask every source of papers and answers, at a loopback service of its documented shape."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import pytest
from anyio.abc import SocketAttribute
from mcp import Client
from typing_extensions import override

from deepresearch_mcp import DeepResearch
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from deepresearch_mcp.records.data_source_specs import PAPERS
from deepresearch_mcp.settings.schema import Settings
from small_web import QUESTION, SmallWeb

ASKED = tuple(spec.name for spec in PAPERS if spec.address)
"""All but Wikipedia, whose address depends on the language and cannot be set."""
WITH_OPEN_COPIES = ("semantic_scholar", "openalex", "crossref")
"""What they find can be anywhere, so also on loopback."""

FEED = """<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2401.00001v1</id>
<published>2024-01-02T00:00:00Z</published><title>Ice</title><summary>Why ice floats.</summary></entry></feed>"""
ARTICLES = """<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD" "https://dtd.invalid/x.dtd"><PubmedArticleSet><PubmedArticle>
<MedlineCitation><PMID>77</PMID><Article><ArticleTitle>Ice</ArticleTitle></Article></MedlineCitation></PubmedArticle>
</PubmedArticleSet>"""
LEADS_TO = {
    "wikidata": "https://www.wikidata.org/wiki/Q23392",
    "semantic_scholar": "/density",
    "arxiv": "https://arxiv.org/pdf/2401.00001",
    "openalex": "/bonds",
    "crossref": "/lakes",
    "pubmed": "https://pubmed.ncbi.nlm.nih.gov/77",
    "europe_pmc": "https://pmc.ncbi.nlm.nih.gov/articles/PMC88",
    "hacker_news": "https://news.ycombinator.com/item?id=99",
    "stack_exchange": "https://stackoverflow.com/questions/1/ice",
}


class PaperServices(SmallWeb):
    """The small web, with the services of papers beside its pages."""

    @override
    async def reply(self, target: str) -> tuple[int, str, str]:
        parts = urlsplit(target)
        if parts.path in {"/api/query", "/entrez/eutils/efetch.fcgi"}:
            return 200, "application/xml", FEED if parts.path == "/api/query" else ARTICLES
        answer = self._answer(parts.path, parse_qs(parts.query))
        return (200, "application/json", json.dumps(answer)) if answer else await super().reply(target)

    def _answer(self, path: str, params: dict[str, list[str]]) -> dict[str, Any]:
        item = {"link": "https://stackoverflow.com/questions/1/ice", "title": "Ice", "creation_date": 1_700_000_000}
        paper = {"paperId": "a", "title": "Ice", "openAccessPdf": {"url": f"{self.base}/density"}}
        work = {"id": "https://openalex.org/W1", "title": "Ice", "best_oa_location": {"pdf_url": f"{self.base}/bonds"}}
        record = {"DOI": "10.1/a", "title": ["Ice"], "resource": {"primary": {"URL": f"{self.base}/lakes"}}}
        if path == "/works":
            # OpenAlex and Crossref answer at one path; their parameters tell them apart.
            return {"results": [work]} if "search" in params else {"message": {"items": [record]}}
        return {
            "/w/api.php": {"search": [{"id": "Q23392", "label": "ice"}]},
            "/graph/v1/paper/search": {"total": 1, "data": [paper]},
            "/entrez/eutils/esearch.fcgi": {"esearchresult": {"idlist": ["77"]}},
            "/europepmc/webservices/rest/search": {
                "resultList": {"result": [{"id": "1", "pmcid": "PMC88", "title": "Ice"}]}
            },
            "/api/v1/search": {"hits": [{"objectID": "99", "title": "Ice"}]},
            "/2.3/search/advanced": {"items": [item]},
        }.get(path, {})


@pytest.fixture
async def web() -> AsyncGenerator[PaperServices]:
    async with services() as one:
        yield one


@asynccontextmanager
async def services() -> AsyncGenerator[PaperServices]:
    web = PaperServices()
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    web.base = f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}"
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, web.handle)
        yield web
        tasks.cancel_scope.cancel()


def settings_for(home: Path, web: PaperServices, engines: tuple[str, ...]) -> Settings:
    return Settings.model_validate(
        {
            "home": home,
            "model": {"use": "extractive"},
            "search": {"engines": engines, "timeout": 60} | {f"{name}_base_url": web.base for name in ASKED},
            "web": {"allow_private": [urlsplit(web.base).netloc], "workers": 1, "retries": 0},
            "research": {"first_wait": 0, "patience": 5, "min_domains": 1, "stop_score": 1},
        }
    )


async def test_web_search_asks_each_source_by_name(tmp_path: Path, web: PaperServices) -> None:
    server: ResearchServer = build_server(settings_for(tmp_path, web, ASKED))
    found: dict[str, str] = {}
    async with Client(server) as client:
        for name in ASKED:
            result = await client.call_tool("web_search", {"query": "Why does Ice float?", "engines": [name]})
            assert result.structured_content, name
            [hit] = result.structured_content["hits"]
            assert (hit["engines"], hit["title"].casefold()) == ([name], "ice")
            found[name] = hit["url"].removeprefix(web.base).rstrip("/")

    assert found == LEADS_TO


async def test_a_run_reads_and_cites_what_sources_of_papers_find(tmp_path: Path, web: PaperServices) -> None:
    async with DeepResearch(settings_for(tmp_path, web, WITH_OPEN_COPIES)) as research:
        run = await research.research(QUESTION, effort="quick")

    assert run.status == "completed"
    assert run.quotes.located == run.quotes.total > 0
    assert {source.url for source in run.sources} <= {f"{web.base}/{page}" for page in ("density", "bonds", "lakes")}
    assert run.citations

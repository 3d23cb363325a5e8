"""The registers as users reach them: through `web_search`, and in a whole run that reads what they find."""

from pathlib import Path

import pytest
from mcp import Client

from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.records.data_source_specs import REGISTERS
from deepresearch_mcp.runtime import open_runtime
from registers_service import registers_service
from whole_runs import checked, researched

QUERIES = {
    "github": "structured concurrency",
    "pypi": "anyio",
    "npm": "anyio",
    "fred": "gross domestic product",
    "worldbank": "GDP of Germany",
    "edgar": "Apple revenue",
    "courtlistener": "A v. B",
    "congress": "infrastructure",
    "gdelt": "anyio news",
}


async def test_web_search_reaches_every_register(tmp_path: Path) -> None:
    found: dict[str, list[str]] = {}
    async with registers_service() as service, Client(build_server(service.settings(tmp_path))) as client:
        for spec in REGISTERS:
            asked = {"query": QUERIES[spec.name], "engines": [spec.name]}
            answer = (await client.call_tool("web_search", asked)).structured_content
            assert answer is not None
            found[spec.name] = [hit["url"] for hit in answer["hits"]]

    assert {name for name, urls in found.items() if urls} == {spec.name for spec in REGISTERS}
    assert found["edgar"][0].endswith("/us-gaap/Revenues.json")


@pytest.mark.parametrize(
    ("question", "engine", "figure"),
    [
        ("What was Apple's revenue in fiscal year 2023?", "edgar", "383,285,000,000 USD"),
        ("What was the GDP of Germany in 2024?", "worldbank", "4,659,929,334,991"),
    ],
)
async def test_a_run_quotes_a_figure_from_the_row_of_its_period(
    tmp_path: Path, question: str, engine: str, figure: str
) -> None:
    async with registers_service() as service:
        table = service.settings(tmp_path).model_dump()
        table["search"]["engines"] = [engine]
        settings = type(service.settings(tmp_path)).model_validate(table)
        async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs:
            run = await researched(jobs, question)
            await checked(jobs, run)

    assert any(figure in citation.quote for citation in run.citations), run.report

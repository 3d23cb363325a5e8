"""A service that refuses programs without a contact, with settings that give one and with settings that do not."""

from pathlib import Path

import pytest

from deepresearch_mcp.exceptions import KeyRefused
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.records.specs import ENGINES
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.search.errors import was_sent
from deepresearch_mcp.settings.schema import Settings
from registers_service import RegistersService, registers_service
from whole_runs import researched

NAMED = [spec.name for spec in ENGINES if spec.contact]
QUESTION = "What was Apple's revenue in fiscal year 2023?"


def settings_of(service: RegistersService, home: Path, **web: str) -> Settings:
    table = service.settings(home).model_dump()
    table["web"] |= web
    table["search"]["engines"] = ["edgar", "wikipedia"]
    return Settings.model_validate(table)


def test_the_sec_is_the_service_that_asks_for_a_contact() -> None:
    assert NAMED == ["edgar"]


@pytest.mark.parametrize(
    ("web", "asked"),
    [
        ({"contact": ""}, False),
        ({"contact": "me@example.org"}, True),
        ({"contact": "https://example.org/bot"}, True),
        ({"contact": "", "user_agent": "mine/2 (me@example.org)"}, True),
    ],
)
async def test_it_is_asked_only_if_requests_name_a_contact(tmp_path: Path, web: dict[str, str], asked: bool) -> None:
    async with registers_service() as service, open_runtime(settings_of(service, tmp_path, **web)) as runtime:
        [engine] = runtime.engines.open(("edgar",))
        if asked:
            assert await engine.search(Query("Apple revenue"))
        else:
            with pytest.raises(KeyRefused, match="it was not asked") as caught:
                await engine.search(Query("Apple revenue"))
            assert "web.contact" in caught.value.action
            assert not was_sent(caught.value)
        assert bool(service.asked) is asked


async def test_a_run_says_what_to_set_where_it_would_have_asked(tmp_path: Path) -> None:
    async with registers_service() as service:
        async with open_runtime(settings_of(service, tmp_path, contact="")) as runtime, open_jobs(runtime) as jobs:
            run = await researched(jobs, QUESTION)

        assert not [target for target in service.asked if "companyconcept" in target]
    told = "\n".join([*run.warnings, run.report])
    assert "it was not asked, because it refuses programs that name no contact" in told
    assert "web.contact" in told

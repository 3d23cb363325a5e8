import subprocess
import sys

import pytest

from deepresearch_mcp.cli.opening import opened_jobs, opened_runtime
from deepresearch_mcp.exceptions import UnknownRun
from deepresearch_mcp.records.principal import LOCAL_CALLER
from small_web import settings_for


async def test_the_engine_is_opened_with_and_without_its_runs(tmp_path):
    async with opened_runtime(settings_for(tmp_path)) as runtime:
        assert await runtime.store.collections.of(LOCAL_CALLER).all() == []
    async with opened_jobs(settings_for(tmp_path)) as jobs:
        with pytest.raises(UnknownRun):
            await jobs.get("nothing")


def test_the_engine_is_not_imported_before_it_is_opened():
    code = "import sys, deepresearch_mcp.cli.opening; print([one for one in sys.modules if one.endswith('.runtime')])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"

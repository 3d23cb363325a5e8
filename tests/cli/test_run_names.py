from types import SimpleNamespace
from typing import Any

import pytest

from deepresearch_mcp.cli.run_names import whole_id
from deepresearch_mcp.exceptions import InvalidRequest, UnknownRun

ONE, TWO = "7k2m9qd4x0w5hn8r3tcjvz1b6a", "7k2mzzzzzzzzzzzzzzzzzzzzzz"


class Runs:
    """A store's runs, newest first."""

    def __init__(self, *ids: str) -> None:
        self._ids = ids

    async def beginning(self, prefix: str, caller: str, limit: int) -> list[str]:
        assert caller == "local"
        return [one for one in self._ids if one.startswith(prefix)][:limit]

    async def find(self, *, limit: int) -> list[Any]:
        return [SimpleNamespace(run_id=one) for one in self._ids][:limit]


def jobs(*ids: str) -> Any:
    runs = Runs(*ids)
    return SimpleNamespace(find=runs.find, runtime=SimpleNamespace(store=SimpleNamespace(runs=runs)))


@pytest.mark.parametrize("name", [ONE, "7k2m9", f" {ONE[:10].upper()} ", "last"])
async def test_a_run_is_named_by_its_id_the_beginning_of_it_or_as_the_last(name: str) -> None:
    assert await whole_id(jobs(ONE, TWO), name) == ONE


async def test_a_beginning_that_several_runs_share_is_refused_with_their_ids() -> None:
    with pytest.raises(InvalidRequest, match=f"Several runs begin with '7k2m': {ONE}, {TWO}"):
        await whole_id(jobs(ONE, TWO), "7k2m")


@pytest.mark.parametrize("name", ["zzz", "7k", "", "é7k2m", "%", f"{ONE}x"])
async def test_what_names_no_run_is_refused(name: str) -> None:
    with pytest.raises(UnknownRun):
        await whole_id(jobs(ONE), name)


async def test_without_a_run_there_is_no_last_one() -> None:
    with pytest.raises(InvalidRequest, match="There is no run yet"):
        await whole_id(jobs(), "last")

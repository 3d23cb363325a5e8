import json
from pathlib import Path

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.evals.registry import missed
from deepresearch_mcp.evals.urls import measure
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
LAB = Lab(Extractive(), HandClock())


def expected(given: str, host: str, base: str | None = None) -> dict[str, object]:
    return {"input": given, "base": base, "protocol": "http:", "hostname": host, "port": ""}


async def test_hosts_that_we_read_otherwise_are_counted_and_refusals_are_not(tmp_path):
    where = tmp_path / "url_ssrf"
    where.mkdir()
    cases = [
        "a comment",
        expected("http://a.example/", "a.example"),
        expected("http://a.example/", "b.example"),
        expected(r"\\c.example\d", "c.example", "http://a.example/"),
        expected("http://u@a.example/", "a.example"),
        {"input": "http://a b/", "base": None, "failure": True},
        {"input": "http://d.example/", "base": "http://[", "failure": True},
    ]
    (where / "wpt_urltestdata.json").write_text(json.dumps(cases))
    for name in ("wpt_ada_extra_urltestdata", "wpt_IdnaTestV2"):
        (where / f"{name}.json").write_text("[]")
    (where / "wpt_toascii.json").write_text(json.dumps([{"input": "\u1680x.example", "output": None}]))

    result = await measure(tmp_path, LAB)

    assert result.n == 6
    assert dict(result.figures) == {"differing": 1, "renamed": 0, "agreed": 0.5, "crashes": 0}
    assert result.notes == ["differing: 'http://a.example/', expected ('http:', 'b.example', '')"]


@pytest.mark.skipif(not DATA.exists(), reason="the public sets lie beside the repository, not in it")
async def test_no_host_of_the_web_platform_tests_is_read_otherwise():
    assert missed(await measure(DATA, LAB)) == []

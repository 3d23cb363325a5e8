import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.mcp_server import prepared
from deepresearch_mcp.settings.schema import Settings

PREPARE = Path(__file__).parents[2] / "bundle" / "prepare.py"
AGAIN = "Run `make prepared`: the answers to a client's first requests were made of other sources."


def generator() -> Any:
    spec = spec_from_file_location("prepare", PREPARE)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def test_what_is_prepared_is_what_the_server_says(tmp_path: Path) -> None:
    known = prepared.answers()
    assert known, AGAIN

    table = await generator().described(Settings.model_validate({"home": tmp_path}))

    kept = {
        version: {method: json.loads(known.result(version, method) or "null") for method in methods}
        for version, methods in table.items()
    }
    assert kept == table, AGAIN


def test_it_is_about_the_tools_that_are_offered_by_default() -> None:
    assert Settings().server.toolsets == prepared.TOOLSETS


def test_an_unknown_version_or_method_has_no_answer() -> None:
    known = prepared.answers()

    assert known
    assert known.knows("2025-11-25")
    assert not known.knows("2031-01-01")
    assert not known.knows(["2025-11-25"])
    assert known.result("2025-11-25", "tools/call") is None
    assert known.result("2031-01-01", "tools/list") is None


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "{}",
        '{"made_of": "", "libraries": {"mcp": "2.3.0"}}',
        '{"made_of": "0", "libraries": {"mcp": "0.0.0", "pydantic": "0.0.0"}, "results": [], "places": {}}',
    ],
)
def test_a_file_of_other_sources_or_libraries_is_not_used(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "prepared.json"
    if text is not None:
        file.write_text(text)
    monkeypatch.setattr(prepared, "FILE", str(file))

    assert prepared.answers() is None

"""The documents that are made from the specs say what the specs say."""

import importlib.util
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from deepresearch_mcp.records.eval_specs import EVALS
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.specs import ENGINES, FORMATS, PROVIDERS
from deepresearch_mcp.settings.reading import all_settings
from deepresearch_mcp.settings.services import VENDOR_NAMES

ROOT = Path(__file__).parents[1]


@cache
def tool() -> ModuleType:
    found = importlib.util.spec_from_file_location("texts", ROOT / "tools" / "texts.py")
    assert found is not None
    assert found.loader is not None
    # As `python tools/texts.py` finds the module beside it.
    sys.path.append(str(ROOT / "tools"))
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_every_made_document_is_up_to_date() -> None:
    stale = [file.name for file, text in tool().renewed().items() if file.read_text(encoding="utf-8") != text]

    assert stale == [], "run `make prepared`"


def test_the_reference_names_everything_that_can_be_chosen_and_set() -> None:
    page = tool().reference()

    for spec in (*ENGINES, *PROVIDERS, *FORMATS, *EVALS):
        assert f"| `{spec.name}`" in page
    assert set(re.findall(r"`((?:model|search)\.\w+)`", page)) <= all_settings().keys()
    assert {name for names in VENDOR_NAMES.values() for name in names} <= set(re.findall(r"`([A-Z0-9_]+)`", page))


def test_a_table_replaces_what_stood_between_its_markers_and_nothing_else() -> None:
    marked = tool().between_markers
    text = marked(
        "before\n<!-- engines: `make prepared` writes this table from records/specs.py -->\nold\n"
        "<!-- end of engines -->\nafter\n",
        "engines",
        "| new |",
    )

    assert text.splitlines()[0] == "before"
    assert text.splitlines()[2:] == ["| new |", "<!-- end of engines -->", "after"]
    assert marked(text, "engines", "| new |") == text


def test_a_document_without_its_markers_is_refused_with_the_lines_it_lacks() -> None:
    with pytest.raises(ValueError, match="<!-- end of models -->"):
        tool().between_markers("no table here", "models", "| new |")


def test_the_page_about_the_run_object_names_every_field_and_what_its_docstring_says() -> None:
    page = tool().run_object()

    assert all(f"| `{name}` |" in page for name in Run.model_fields)
    assert "| `why` | `str` | Why the run is partial: the ceiling that was met, `nothing_found` or `by_rule`." in page
    assert "| `status` | `queued`, `running`," in page

import subprocess
import sys

import pytest

from deepresearch_mcp.adapters import adapter_at
from deepresearch_mcp.search.engines.brave import Brave


def test_a_place_leads_to_what_stands_there() -> None:
    assert adapter_at("search.engines.brave:Brave") is Brave


@pytest.mark.parametrize("place", ["search.nothing:Nothing", "search.engines.brave:Nothing"])
def test_a_place_where_nothing_stands_is_an_error(place: str) -> None:
    with pytest.raises((ImportError, AttributeError)):
        adapter_at(place)


def test_a_registry_loads_no_adapter_that_is_not_asked_for() -> None:
    code = (
        "import sys; import deepresearch_mcp.search.registry, deepresearch_mcp.llm.registry\n"
        "kinds = ('search.brave', 'search.duckduckgo', 'llm.openai', 'llm.anthropic')\n"
        "print([kind for kind in kinds if f'deepresearch_mcp.{kind}' in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.strip() == "[]"

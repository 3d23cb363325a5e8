"""The public names."""

import subprocess
import sys

import pytest

import deepresearch_mcp


def test_every_public_name_is_there():
    for name in deepresearch_mcp.__all__:
        assert getattr(deepresearch_mcp, name) is not None


def test_the_names_are_what_they_say():
    from deepresearch_mcp.exceptions import BudgetExceeded
    from deepresearch_mcp.sdk.deep_research import DeepResearch

    assert deepresearch_mcp.BudgetExceeded is BudgetExceeded
    assert deepresearch_mcp.DeepResearch is DeepResearch
    assert {name for name in deepresearch_mcp.__all__ if name != "__version__"} == set(deepresearch_mcp._HOMES)


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="'deepresearch_mcp' has no attribute 'nothing'"):
        _ = deepresearch_mcp.nothing


def test_ctrl_c_while_the_command_line_is_imported_shows_no_trace(child_env: dict[str, str]):
    code = (
        "import sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'deepresearch_mcp.cli.app': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "sys.argv = ['deepresearch-server', 'runs', 'list']\n"
        "from deepresearch_mcp.__main__ import main\n"
        "main()\n"
    )

    done = subprocess.run([sys.executable, "-c", code], env=child_env, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (130, "Stopped.\n")


def test_importing_the_package_imports_nothing_heavy(child_env: dict[str, str]):
    code = (
        "import sys, deepresearch_mcp; print([n for n in ('pydantic', 'anyio', 'httpx2', 'mcp') if n in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], env=child_env, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"

import subprocess
import sys
import tomllib

import pytest

from deepresearch_mcp.settings.late import library


def test_a_library_is_imported_when_it_is_first_used() -> None:
    assert library("tomllib") is tomllib


def test_a_library_that_is_not_installed_raises_what_an_import_would() -> None:
    with pytest.raises(ImportError):
        library("no_such_library_of_ours")


def test_reading_the_settings_without_files_loads_no_library_that_only_files_need(child_env: dict[str, str]) -> None:
    code = (
        # What measures coverage may have loaded some of them before.
        "import sys; before = set(sys.modules); from deepresearch_mcp.settings import reading; reading.read_settings();"
        "late = {'difflib', 'dotenv', 'idna', 'subprocess', 'tomllib'};"
        "print(sorted(late & (set(sys.modules) - before)))"
    )

    done = subprocess.run([sys.executable, "-c", code], env=child_env, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"

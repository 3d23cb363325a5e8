"""Which servers may resume each other's runs."""

from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.setup_id import setup_id


def tree(**settings: object) -> dict[str, Any]:
    """Groups of settings from dotted names written with two underscores."""
    groups: dict[str, Any] = {}
    for dotted, value in settings.items():
        group, name = dotted.split("__")
        groups.setdefault(group, {})[name] = value
    return groups


def setup_with(home: Path, **settings: object) -> str:
    return setup_id(Settings.model_validate({"home": home} | tree(**settings)))


@pytest.mark.parametrize(
    "changed",
    [
        {"web__user_agent": "deepresearch-server/99.0"},
        {"web__contact": "me@example.org"},
        {"web__workers": 4, "web__timeout": 30.0, "model__concurrency": 3, "search__timeout": 3.0},
        {"search__engines": ("auto",)},
        {"web__browser_seconds": 20.0, "web__cache_document_seconds": 60.0, "library__embeddings_batch": 8},
        {"research__leads": 2},
        {"server__runs_at_once": 3},
    ],
)
def test_settings_that_change_no_result_keep_the_setup_so_open_runs_are_adopted(
    tmp_path: Path, changed: dict[str, object]
):
    assert setup_with(tmp_path, **changed) == setup_with(tmp_path)


@pytest.mark.parametrize(
    "changed",
    [
        {"model__openai_key": "k"},
        {"model__use": "extractive"},
        {"search__engines": ("wikipedia",)},
        {"search__brave_key": "k"},
        {"search__github_key": "k"},
        {"library__embeddings_url": "http://localhost:11434/v1"},
        {"web__robots": False},
        {"web__proxy": "http://proxy.example:3128"},
        {"research__leads": 3},
    ],
)
def test_settings_that_change_results_or_credentials_change_the_setup(tmp_path: Path, changed: dict[str, object]):
    assert setup_with(tmp_path, **changed) != setup_with(tmp_path)


def test_a_key_of_an_engine_that_is_not_asked_keeps_the_setup_and_one_that_is_asked_changes_it(tmp_path: Path):
    wikipedia = {"search__engines": ("wikipedia",)}
    brave = {"search__engines": ("brave",)}

    assert setup_with(tmp_path, **wikipedia, search__brave_key="k") == setup_with(tmp_path, **wikipedia)
    assert setup_with(tmp_path, **brave, search__brave_key="one") != setup_with(
        tmp_path, **brave, search__brave_key="other"
    )
    assert setup_with(tmp_path, **wikipedia, search__github_key="k") == setup_with(tmp_path, **wikipedia)
    unknown = {"search__engines": ("altavista",)}
    assert setup_with(tmp_path, **unknown) != setup_with(tmp_path)

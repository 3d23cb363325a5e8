from typing import Any

import pytest
from pydantic import SecretStr

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.records.specs import ENGINES
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.settings.schema import SearchSettings

SPECS = {spec.name: spec for spec in ENGINES}


def parts(name: str, service: Any, clock: Any, **given: Any) -> EngineParts:
    return EngineParts(SPECS[name], SearchSettings.model_validate(given), service.http, service, clock)


def test_what_the_user_gave_reaches_the_engine(service: Any, clock: Any) -> None:
    brave = parts("brave", service, clock, brave_key="sesame", brave_base_url=" http://127.0.0.1:9 ")
    searxng = parts("searxng", service, clock, searxng_url="http://127.0.0.1:8")

    assert brave.key == brave.required_key() == SecretStr("sesame")
    assert brave.base_url == "http://127.0.0.1:9"
    assert parts("google", service, clock, google_engine_id=" cx ").required_engine_id() == "cx"
    assert searxng.required_address() == "http://127.0.0.1:8"


def test_without_settings_the_vendors_address_holds(service: Any, clock: Any) -> None:
    assert parts("tavily", service, clock).base_url == "https://api.tavily.com"
    assert parts("tavily", service, clock).key is None


def test_a_missing_key_or_address_is_told_with_what_mends_it(service: Any, clock: Any) -> None:
    with pytest.raises(SettingsError, match=r"Brave needs a key\. Set BRAVE_API_KEY, or leave brave out"):
        parts("brave", service, clock).required_key()
    with pytest.raises(SettingsError, match=r"SearXNG needs the address of an instance\. Set SEARXNG_URL, or leave"):
        parts("searxng", service, clock, searxng_url=" ").required_address()
    with pytest.raises(SettingsError, match=r"Google Programmable Search needs the id of an engine\. Set GOOGLE_CSE"):
        parts("google", service, clock, google_key="k", google_engine_id=" ").required_engine_id()

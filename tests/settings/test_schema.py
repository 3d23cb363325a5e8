"""The tables of settings: what each accepts, whatever read it."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.specs import ENGINE_NAMES
from deepresearch_mcp.settings.reading import all_settings
from deepresearch_mcp.settings.schema import ModelSettings, SearchSettings, Settings


def test_every_setting_says_what_it_does_in_a_sentence() -> None:
    silent = [name for name, field in all_settings().items() if not (field.description or "").endswith(".")]

    assert silent == []


@pytest.mark.parametrize(
    ("name", "said"),
    [("braev", "Did you mean brave?"), ("x", f"There are: {', '.join(ENGINE_NAMES)}.")],
)
def test_a_price_of_an_engine_that_does_not_exist_is_refused(name: str, said: str) -> None:
    with pytest.raises(ValidationError, match="there is no search engine") as caught:
        SearchSettings(prices={name: 1.0})

    assert said in str(caught.value)
    assert SearchSettings(prices={"brave": 1.0}).prices == {"brave": 1.0}


def test_a_role_of_an_older_version_is_dropped() -> None:
    assert ModelSettings(roles={"scope": "smart", "reader": "fast"}).roles == {"reader": "fast"}


def test_the_data_directory_is_an_absolute_path() -> None:
    assert Settings(home=Path("here")).home == Path.cwd() / "here"


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("web", "allow_private", ["notahost/99"]),
        ("web", "allow_private", ["10.0.0.0/99"]),
    ],
)
def test_what_is_no_network_is_refused_when_it_is_set(group: str, name: str, value: object) -> None:
    with pytest.raises(ValidationError, match=r"write it like 10|http://host:port"):
        Settings.model_validate({group: {name: value}})


def test_hosts_and_networks_with_and_without_a_port_are_taken() -> None:
    entries = (
        "wiki.corp",
        "wiki.corp:8443",
        "10.0.0.0/8",
        "127.0.0.0/8:8900",
        "[::1]:8080",
        "fd00::/8",
        "[fd00::/8]:8080",
    )

    assert Settings.model_validate({"web": {"allow_private": entries}}).web.allow_private == entries

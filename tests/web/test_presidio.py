"""The finder with the real package, where it is installed, and what holds without it."""

import socket
from typing import Any

import pytest

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.settings.project import is_installed
from deepresearch_mcp.text.redaction import MASK
from deepresearch_mcp.web.masking import masking_of
from deepresearch_mcp.web.presidio import Presidio, installed_models, open_presidio

needs_presidio = pytest.mark.skipif(not is_installed("presidio"), reason="the extra presidio is not installed")
"""It is in no group of development: it brings spaCy."""


class Found:
    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end


class Analyzer:
    """Stands in for Presidio's own: it knows two entities, and finds each "Ann" and each "2024"."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    def get_supported_entities(self, language: str) -> list[str]:
        return ["PERSON", "DATE_TIME", "LOCATION"]

    def analyze(self, text: str, language: str, entities: list[str], score_threshold: float) -> list[Found]:
        self.asked.append((language, entities))
        words = {"PERSON": "Ann", "DATE_TIME": "2024"}
        return [
            Found(at, at + len(words[one]))
            for one in entities
            for at in range(len(text))
            if text.startswith(words[one], at)
        ]


def over(analyzer: Any, *entities: str) -> Presidio:
    presidio = Presidio(entities, {})
    presidio._loaded = analyzer
    return presidio


def test_long_texts_are_searched_in_pieces_and_places_and_days_stay() -> None:
    text = "Ann was here in 2024.\n" * 1_000
    analyzer = Analyzer()

    found = list(over(analyzer).find(text))

    assert [text[start:end] for start, end in found] == ["Ann"] * 1_000
    assert set(map(repr, analyzer.asked)) == {repr(("en", ["PERSON"]))}
    assert len(analyzer.asked) > 1


def test_an_entity_that_is_named_is_the_only_one_found() -> None:
    assert list(over(Analyzer(), "DATE_TIME").find("Ann in 2024")) == [(7, 11)]


@needs_presidio
async def test_what_has_a_form_is_found_without_a_model_and_without_the_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("Presidio must not ask the network.")

    masker = masking_of(["presidio"])
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)
    text = "Ask ann@lee.example, 4111 1111 1111 1111 or 192.168.7.44, in Paris on 2 March 2024."
    personal = ("ann@lee.example", "4111 1111 1111 1111", "192.168.7.44")

    assert masker
    [masked] = await masker.masked([text])

    for one in personal:
        text = text.replace(one, MASK * len(one))
    assert masked == text
    assert await masker.masked([masked]) == [masked]


@needs_presidio
@pytest.mark.skipif(bool(installed_models()), reason="a model is installed")
def test_names_without_a_model_are_refused_instead_of_left_standing() -> None:
    with pytest.raises(SettingsError, match="no spaCy model is installed that could find it"):
        open_presidio(["PERSON"])


@needs_presidio
def test_an_entity_that_presidio_does_not_know_is_refused_by_name() -> None:
    with pytest.raises(SettingsError, match="presidio:SHOE_SIZE, which Presidio does not know"):
        list(open_presidio(["SHOE_SIZE"]).find("Ann"))

"""Who thinks; that the models are asked through all their concerns is shown by whole runs."""

from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import Event
from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.llm.registry import ROLES
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.settings.schema import ModelSettings, ResearchSettings
from deepresearch_mcp.thinking import Thinkers, depth_in_rounds, in_rounds
from pipeline_fakes import MemoryJournal

EACH: dict[str, str] = dict.fromkeys(ROLES, "gemini:y")
KEYED = {"openai_key": "k"}


def asked(**given: Any) -> ResearchRequest:
    return ResearchRequest.model_validate({"question": "Why does ice float?"} | given)


def thinkers(**model: Any) -> Thinkers:
    nobody: Any = None  # Neither store nor network is needed to say who would think.
    clock = HandClock()
    return Thinkers(ModelSettings.model_validate(model), clock, nobody, nobody, CircuitBreaker(clock))


@pytest.mark.parametrize(
    ("model", "given", "roles"),
    [
        ({}, {}, set()),
        ({"use": "extractive"} | KEYED, {}, set()),
        ({"use": "openai:x"}, {"model": "extractive"}, set()),
        ({"use": "openai:x"}, {}, {"openai:x"}),
        (KEYED, {}, {"openai:gpt-6-luna", "openai:gpt-6.1-terra"}),
        (KEYED, {"model": "gemini:y"}, {"gemini:y"}),
        (KEYED, {"model": "client"}, {"client"}),
        ({"use": "client"} | KEYED, {}, {"client"}),
        ({"use": "client"}, {"model": "extractive"}, set()),
        ({"use": "openai:x"}, {"roles": {"writer": "gemini:y"}}, {"openai:x", "gemini:y"}),
        ({}, {"roles": EACH}, {"gemini:y"}),
    ],
)
def test_auto_is_the_first_configured_provider_else_extractive(
    model: dict[str, Any], given: dict[str, Any], roles: set[str]
):
    assert set(thinkers(**model).models_of(asked(**given)).values()) == roles


def test_a_model_named_for_a_role_plays_that_role_alone() -> None:
    found = thinkers(**KEYED).models_of(asked(model="openai:x", roles={"writer": "gemini:y"}))

    assert found["writer"] == "gemini:y"
    assert {name for role, name in found.items() if role != "writer"} == {"openai:x"}


@pytest.mark.parametrize(
    ("model", "given", "said"),
    [
        ({}, {"roles": {"writer": "gemini:y"}}, "no model is configured for the others"),
        (KEYED, {"model": "extractive", "roles": {"writer": "gemini:y"}}, "none of them is asked"),
        (KEYED, {"model": "client", "roles": {"writer": "gemini:y"}}, "none of them is asked"),
        (KEYED, {"roles": {"writer": "nobody:y"}}, "names no model provider"),
    ],
)
def test_models_of_roles_that_could_not_be_asked_are_refused(
    model: dict[str, Any], given: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidRequest, match=said):
        thinkers(**model).models_of(asked(**given))


async def test_the_client_s_model_cannot_be_asked_where_no_one_hands_its_work_over() -> None:
    request, heard = asked(model="client"), list[Event]()
    ledger = Ledger(request.shape, HandClock())

    with pytest.raises(InvalidRequest, match="needs an MCP client"):
        await thinkers().thinker(request, MemoryJournal(), ledger, heard.append)


async def test_a_model_whose_settings_are_wrong_says_so_each_time_it_is_asked_for() -> None:
    request, heard, both = asked(model="openai:x"), list[Event](), thinkers()
    ledger = Ledger(request.shape, HandClock())

    for _ in range(2):
        with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
            await both.thinker(request, MemoryJournal(), ledger, heard.append)


@pytest.mark.parametrize(
    ("given", "depth"),
    [
        ({"effort": "quick"}, 1),
        ({"effort": "standard"}, 2),
        ({"effort": "deep"}, 3),
        ({"effort": "exhaustive"}, 4),
        ({"effort": "quick", "depth": 5}, 5),
        ({"effort": "deep", "depth": 0}, 0),
    ],
)
def test_a_client_is_asked_in_few_rounds_unless_more_are_asked_for(given: dict[str, Any], depth: int) -> None:
    assert depth_in_rounds(asked(**given)) == depth


def test_a_research_in_rounds_is_read_at_once_and_follows_nothing_up_within_a_round() -> None:
    usual = ResearchSettings()
    changed = in_rounds(usual)

    assert (changed.passage_tokens, changed.leads, changed.critique, changed.first_pages) == (500, 0, False, 1.0)
    assert in_rounds(usual.model_copy(update={"passage_tokens": 200})).passage_tokens == 200
    assert changed.stop_score == usual.stop_score

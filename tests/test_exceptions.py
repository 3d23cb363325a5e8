import inspect
import re
from pathlib import Path
from typing import get_args

import pytest

from deepresearch_mcp import exceptions
from deepresearch_mcp.exceptions import (
    AnswerCut,
    BudgetExceeded,
    DeepResearchError,
    DuplicateStep,
    EnginesDead,
    FetchFailed,
    FetchRefused,
    InvalidRequest,
    JournalError,
    KeyRefused,
    OwnershipLost,
    ProviderError,
    RateLimited,
    UnknownRun,
    UnreadReason,
)

TREE = [kind for _, kind in inspect.getmembers(exceptions, inspect.isclass)]


def test_every_error_hangs_from_one_root_with_a_code_and_a_name_of_its_own() -> None:
    assert all(issubclass(kind, DeepResearchError) for kind in TREE)
    assert len({kind.code for kind in TREE}) == len(TREE)
    assert len({kind.name for kind in TREE}) == len(TREE)
    assert all(re.fullmatch(r"E1\d\d\d", kind.code) for kind in TREE)


def test_an_errors_name_is_its_classs_name_in_capitals() -> None:
    named = {kind.__name__: re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).upper() for kind in TREE}
    named["SettingsError"] = "INVALID_SETTINGS"

    assert {kind.__name__: kind.name for kind in TREE} == named


CODES = (Path(__file__).parents[1] / "docs" / "error-codes.md").read_text()


def test_the_table_of_codes_lists_every_error_and_no_other() -> None:
    ours = CODES.partition("## Beside")[0]

    assert dict(re.findall(r"^\| (E\d{4}) \| (\w+) \|", ours, re.MULTILINE)) == {one.code: one.name for one in TREE}


def test_a_code_of_the_engine_design_never_means_something_else_with_us() -> None:
    theirs = dict(re.findall(r"^\| (E\d{4}) \| (\w+) \|", CODES.partition("## Beside")[2], re.MULTILINE))

    assert len(theirs) == 14
    assert {one.code: one.name for one in TREE if theirs.get(one.code, one.name) != one.name} == {}


def test_what_the_table_names_as_our_counterpart_is_a_code_of_ours() -> None:
    rows = re.findall(r"^\| E\d{4} \| \w+ \| (.+) \|$", CODES.partition("## Beside")[2], re.MULTILINE)

    assert {code for row in rows for code in re.findall(r"E\d{4}", row)} <= {one.code for one in TREE}


def test_the_tree_drawn_at_the_top_is_the_whole_tree() -> None:
    drawn = re.findall(r"\b[A-Z][A-Za-z]+(?= {2,}| *$)", exceptions.__doc__ or "", re.MULTILINE)

    assert set(drawn) >= {kind.__name__ for kind in TREE}


def test_a_message_and_its_action_are_read_together() -> None:
    error = InvalidRequest("The question is empty.", "Ask something.")

    assert str(error) == "The question is empty. Ask something."
    assert (error.message, error.action) == ("The question is empty.", "Ask something.")
    assert str(EnginesDead("Nobody answered.")) == "Nobody answered."


def test_an_unknown_run_says_where_to_look() -> None:
    error = UnknownRun("7k2m")

    assert error.run_id == "7k2m"
    assert "'7k2m'" in str(error)
    assert "list_runs" in error.action


def test_a_provider_says_who_refused_and_whether_asking_again_can_help() -> None:
    refused = KeyRefused("brave", "HTTP 401", action="Set BRAVE_API_KEY.")
    busy = RateLimited("brave", "HTTP 429", retry_after=3)

    assert str(refused) == "brave: HTTP 401 Set BRAVE_API_KEY."
    assert (refused.provider, refused.reason, refused.retryable, refused.retry_after) == (
        "brave",
        "HTTP 401",
        False,
        None,
    )
    assert (busy.retryable, busy.retry_after) == (True, 3)
    assert isinstance(AnswerCut("openai:x", "cut"), ProviderError)


@pytest.mark.parametrize("reason", get_args(UnreadReason))
def test_a_page_that_was_not_read_keeps_its_address_and_reason(reason: UnreadReason) -> None:
    error = FetchRefused("https://a.example/", reason, "It was not read.")

    assert isinstance(error, FetchFailed)
    assert (error.url, error.reason, str(error)) == ("https://a.example/", reason, "It was not read.")


def test_a_ceiling_names_itself_and_what_to_raise() -> None:
    error = BudgetExceeded("max_usd", 0.25, 0.5)

    assert (error.kind, error.spent, error.ceiling) == ("max_usd", 0.25, 0.5)
    assert "max_usd = 0.5" in error.message
    assert error.action == "Raise max_usd, or narrow the question."


@pytest.mark.parametrize("kind", [DuplicateStep, OwnershipLost])
def test_a_fault_of_the_record_can_be_caught_as_one(kind: type[JournalError]) -> None:
    with pytest.raises(JournalError, match="twice"):
        raise kind("The step read/q1 was asked for twice.")


def test_the_beginning_of_an_id_that_texts_show_is_answered_with_where_the_whole_stands():
    assert "whole id" in str(UnknownRun("4w64fa3w"))
    assert "whole id" not in str(UnknownRun("4w64fa3w" * 3))

"""Clauses that were cut off, made whole again."""

import pytest

from deepresearch_mcp.thinkers.extractive.completing import completed


@pytest.mark.parametrize(
    ("clauses", "whole"),
    [
        (
            ["Which isolation levels does Orasql offer?", "which is the default?"],
            ["Which isolation levels does Orasql offer?", "Orasql: which of the isolation levels is the default?"],
        ),
        (
            ["Compare lib.wait_for and lib.timeout", "which a library for Ora 3.8 can use"],
            [
                "Compare lib.wait_for and lib.timeout",
                "lib.wait_for and lib.timeout: which a library for Ora 3.8 can use",
            ],
        ),
        (["What is Varnium?", "who discovered it?"], ["What is Varnium?", "who discovered Varnium?"]),
        (["Why is the sky blue?"], ["Why is the sky blue?"]),
    ],
)
def test_a_clause_says_itself_what_it_is_about(clauses: list[str], whole: list[str]) -> None:
    assert completed(clauses) == whole


def test_what_a_question_says_before_it_asks_goes_before_each_clause() -> None:
    assert completed(["when should each be used?"], "rebase versus merge") == [
        "Rebase versus merge: when should each be used?"
    ]

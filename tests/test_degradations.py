import pytest

from deepresearch_mcp.degradations import DegradationLog
from deepresearch_mcp.events import Degraded, degraded


def test_what_one_could_not_do_is_one_sentence_with_how_often_and_why():
    lapses = DegradationLog(["As before."])
    for why in ("HTTP 503", "HTTP 503", "left alone after 5 failures in a row."):
        lapses.add(degraded("a:b", "read passages", why, "extractive did it instead"))
    lapses.add(degraded("a:b", "plan the research", "HTTP 503", "extractive did it instead"))
    for _ in range(2):
        lapses.add(degraded("a:b", "answer", "HTTP 503", "c:d was asked instead"))

    assert lapses.warnings == [
        "As before.",
        "a:b could not read passages (3 times) and plan the research; extractive did it instead. "
        "Why: HTTP 503 (3 times); left alone after 5 failures in a row.",
        "a:b could not answer (twice); c:d was asked instead. Why: HTTP 503 (twice).",
    ]


def test_what_was_lost_is_named_and_many_are_counted():
    lapses = DegradationLog([])
    for number in range(7):
        lapses.add(degraded("a:b", "read passages", "it declined", "they were skipped", f"“Page {number}”"))

    assert lapses.warnings == [
        "a:b could not read passages (7 times); they were skipped. Why: it declined (7 times). "
        "Left out: “Page 0”; “Page 1”; “Page 2”; “Page 3”; “Page 4”; 2 more."
    ]


def test_only_what_is_new_is_told_while_the_run_goes_on():
    lapses = DegradationLog([])
    again = degraded("a:b", "read passages", "HTTP 503", "extractive did it instead")

    heard = [lapses.add(event) for event in (again, again, Degraded("Once."), Degraded("Once."))]

    assert heard == [True, False, True, False]
    assert lapses.warnings[1:] == ["Once."]


def test_a_sentence_without_a_reason_has_none():
    lapses = DegradationLog([])
    event = degraded("a:b", "take all the material at once to write a paragraph", "", "it was asked in parts")
    lapses.add(event)

    assert lapses.warnings == [event.what]


def test_what_rules_did_for_a_model_is_one_sentence_for_the_top_of_a_report():
    lapses = DegradationLog([])
    assert (lapses.without_model, lapses.partial) == ("", False)
    lapses.add(degraded("a:b", "weigh the evidence", "HTTP 503", "extractive did it instead", by_rule="assess"))
    assert not lapses.partial
    for why in ("HTTP 503", "no answer in time"):
        lapses.add(degraded("a:b", "read passages", why, "extractive did it instead", by_rule="read"))

    assert lapses.partial
    assert lapses.by_rule == {"assess": 1, "read": 2}
    assert lapses.without_model == (
        "a:b could not weigh the evidence and read passages (twice), so it was done by rules instead"
        " (HTTP 503, twice; no answer in time)."
    )


@pytest.mark.parametrize(
    ("why", "end"),
    [
        ("", "instead."),
        ("HTTP 503.", "instead (HTTP 503)."),
        ("max_usd was met ($0.50 of $0.50)", "instead: max_usd was met ($0.50 of $0.50)."),
    ],
)
def test_reasons_stand_in_brackets_that_are_neither_empty_nor_nested(why: str, end: str):
    lapses = DegradationLog([])
    lapses.add(degraded("a:b", "read passages", why, "extractive did it instead", by_rule="read"))

    assert lapses.without_model == f"a:b could not read passages, so it was done by rules {end}"

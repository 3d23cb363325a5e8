import inspect
import json
from dataclasses import fields
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp import events
from deepresearch_mcp.events import (
    Answered,
    CeilingNear,
    Claimed,
    Degraded,
    Ended,
    EngineFailed,
    Event,
    Inquired,
    PageAdmitted,
    PageRead,
    PageUnread,
    Planned,
    Replied,
    RoundEnded,
    SectionWritten,
    Spent,
    StageEntered,
    Started,
    Verified,
)
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.plan import ChecklistItem
from deepresearch_mcp.records.run import Stage

KINDS = [
    kind for _, kind in inspect.getmembers(events, inspect.isclass) if issubclass(kind, Event) and kind is not Event
]

COUNT = st.integers(0, 50)
ANY_EVENT = st.one_of(
    st.builds(Started, st.text(), st.text(), st.just(("brave",))),
    st.builds(StageEntered, st.sampled_from(get_args(Stage))),
    st.builds(Planned, st.text(), st.lists(st.text(), max_size=7).map(tuple)),
    st.builds(Answered, st.text(), st.text(), COUNT, st.text()),
    st.builds(EngineFailed, st.text(), st.text(), st.text()),
    st.builds(PageAdmitted, st.text(), st.text()),
    st.builds(PageRead, st.text(), st.text(), st.text()),
    st.builds(PageUnread, st.text(), st.text(), st.text()),
    st.builds(Claimed, st.text(), COUNT, COUNT),
    st.builds(Verified, st.text(), COUNT, COUNT),
    st.builds(RoundEnded, COUNT, COUNT, st.booleans(), st.text()),
    st.builds(SectionWritten, st.text()),
    st.builds(Inquired, st.text(), st.just("approval")),
    st.builds(Replied, st.text(), st.just("approve")),
    st.builds(Degraded, st.text()),
    st.builds(Spent, st.floats(0, 9), COUNT, COUNT, COUNT),
    st.builds(CeilingNear, st.text(), st.just("warned")),
    st.builds(Ended, st.just("completed")),
)


def told(*happened: Event) -> Progress:
    progress = Progress("r1", max_usd=0.5)
    for second, event in enumerate(happened):
        progress = progress.after(event, float(second))
    return progress


def test_an_events_kind_is_its_name_in_snake_case() -> None:
    assert PageUnread("u", "robots", "").kind == "page_unread"
    assert Ended("completed").kind == "ended"
    assert len({kind.__name__ for kind in KINDS}) == len(KINDS) >= 16


def test_an_event_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Degraded("x").what = "y"  # pyright: ignore[reportAttributeAccessIssue] - the point of the test


@given(ANY_EVENT)
def test_an_events_fields_go_through_json(event: Event) -> None:
    data = json.loads(json.dumps(event.data()))

    assert list(data) == [field.name for field in fields(event)]


@given(st.lists(ANY_EVENT, max_size=30))
def test_progress_rises_with_every_event_and_nothing_ever_counts_down(happened: list[Event]) -> None:
    progress = Progress("r1")
    for second, event in enumerate(happened):
        after = progress.after(event, float(second))
        assert after.events == progress.events + 1
        for name in ("admitted", "read", "unread", "searches", "engine_failures", "claims", "verified", "sections"):
            assert getattr(after, name) >= getattr(progress, name)
        assert "\n" not in after.line()
        progress = after


def test_progress_counts_what_happened() -> None:
    progress = told(
        Started("q", "extractive", ("duckduckgo",)),
        StageEntered("planning"),
        Planned("extractive", ("a", "b")),
        StageEntered("researching"),
        Answered("duckduckgo", "a", 7, "q1"),
        EngineFailed("brave", "a", "key refused"),
        PageAdmitted("u1", "q1"),
        PageAdmitted("u2", "q1"),
        PageRead("u1", "One", "s1"),
        PageUnread("u2", "robots", "refused"),
        Claimed("q1", 5, 1),
        Verified("q1", 4, 1),
        Spent(0.04, 1200, 1, 1),
        CeilingNear("max_usd", "warned"),
        Degraded("the planner's answer could not be used"),
    )

    assert progress == Progress(
        "r1",
        stage="researching",
        sub_questions=2,
        checklist=(ChecklistItem("q1", "a"), ChecklistItem("q2", "b")),
        admitted=2,
        read=1,
        unread=1,
        searches=1,
        engine_failures=1,
        claims=5,
        verified=4,
        usd=0.04,
        max_usd=0.5,
        tokens=1200,
        seconds=14.0,
        events=15,
        near="max_usd is 80 % used",
        site="",
    )
    assert progress.line() == (
        "reading 1 of 2 pages · 5 claims, 4 verified · $0.04 of $0.50 · max_usd is 80 % used · 14 s"
    )


@pytest.mark.parametrize(("enough", "number"), [(True, 1), (False, 2)])
def test_a_round_that_is_not_enough_leads_to_the_next(enough: bool, number: int) -> None:
    assert told(RoundEnded(1, 6, enough, "gaps")).round == number


@pytest.mark.parametrize(
    ("happened", "line"),
    [
        ((), "starting · 0 s"),
        ((StageEntered("planning"),), "planning · 0 s"),
        ((Claimed("q1", 3, 0), StageEntered("reflecting")), "weighing 3 claims · 3 claims, 0 verified · 1 s"),
        ((StageEntered("synthesizing"), SectionWritten("One")), "writing, 1 sections done · 1 s"),
        ((StageEntered("planning"), CeilingNear("max_usd", "warned")), "planning · max_usd is 80 % used · 1 s"),
        ((CeilingNear("max_usd", "warned"), CeilingNear("max_usd", "spent")), "starting · max_usd is 100 % used · 1 s"),
        ((CeilingNear("max_usd", "narrow"), Ended("partial")), "partial · 1 s"),
        ((StageEntered("planning"), Inquired("plan/approve/1", "approval")), "waiting for an answer · 1 s"),
        ((StageEntered("planning"), Inquired("1", "approval"), Replied("1", "approve")), "planning · 2 s"),
        ((Ended("partial", "a ceiling was met"),), "partial · 0 s"),
        # The report counts claims once that were read twice: its figure is the one that counts.
        ((Claimed("q1", 3, 0), Verified("q1", 3, 0), Ended("completed")), "completed · 2 s"),
    ],
)
def test_the_line_says_what_is_being_done(happened: tuple[Event, ...], line: str) -> None:
    assert told(*happened).line() == line


def test_a_message_names_the_site_and_the_round_and_what_was_spent() -> None:
    read = (StageEntered("researching"), PageAdmitted("https://me:pw@www.sqlite.org/wal.html", "q1"))
    progress = told(*read, Spent(0.0, 900, 1, 0), RoundEnded(1, 6, enough=False, why="gaps"))

    assert progress.line() == "round 2: reading 0 of 1 pages · $0.00 of $0.50 · 3 s"
    assert progress.message() == "round 2: reading 0 of 1 pages · sqlite.org · $0.00 of $0.50 · 3 s"
    assert told(*read, StageEntered("synthesizing")).message() == "writing, 0 sections done · 2 s"
    assert told(PageAdmitted("http://[::1", "q1")).site == ""


def test_a_run_that_comes_on_rises_in_percent() -> None:
    stages = [
        Progress("r", status="queued"),
        Progress("r"),
        Progress("r", stage="planning"),
        Progress("r", stage="researching", admitted=4),
        Progress("r", stage="researching", admitted=4, read=3, unread=1),
        Progress("r", stage="reflecting"),
        Progress("r", stage="researching", round=2, admitted=4),
        Progress("r", stage="reflecting", round=5),
        Progress("r", stage="synthesizing"),
        Progress("r", stage="synthesizing", sections=9),
        Progress("r", stage="ended", status="partial"),
    ]
    values = [one.percent for one in stages]

    assert values == sorted(set(values))
    assert (values[0], values[-1]) == (0, 100)


def test_a_run_that_ended_says_how() -> None:
    progress = told(Ended("cancelled"))

    assert (progress.status, progress.stage) == ("cancelled", "ended")


@pytest.mark.parametrize(
    ("place", "waiting", "at_work", "line"),
    [
        (3, 5, 4, "queued: 3rd of 5; 4 runs are at work"),
        (1, 1, 1, "queued: 1st of 1; 1 run is at work"),
        (12, 22, 0, "queued: 12th of 22; no run is at work"),
        (0, 4, 8, "queued"),
    ],
)
def test_a_queued_run_says_its_place(place: int, waiting: int, at_work: int, line: str) -> None:
    progress = Progress("r", status="queued", seconds=9.0, place=place, waiting=waiting, at_work=at_work)

    assert progress.line() == line

from typing import Any

import anyio
import anyio.lowlevel

from deepresearch_mcp.http_app.pages.live_state import TRAIL, LiveStates, meters, state_of
from deepresearch_mcp.ports.store import EventRow
from deepresearch_mcp.records.request import EFFORTS


def rows(*events: tuple[str, dict[str, Any]]) -> list[EventRow]:
    return [EventRow(number, "r", float(number), kind, data) for number, (kind, data) in enumerate(events, 1)]


PLANNED = ("planned", {"sub_questions": ["One?", "Two?"], "deliverables": ["A table"]})


def test_the_checklist_follows_pages_claims_and_stages() -> None:
    state = state_of(
        rows(
            PLANNED,
            ("page_admitted", {"url": "https://a.example/", "sub_question": "q1"}),
            ("claimed", {"sub_question": "q1", "claims": 3, "unlocated": 0}),
            ("verified", {"sub_question": "q1", "kept": 2, "refused": 1}),
        )
    )
    written = state_of(
        [*rows(PLANNED, ("claimed", {"sub_question": "q1", "claims": 1}), ("stage_entered", {"stage": "synthesizing"}))]
    )

    one, two = state.parts["q1"], state.parts["q2"]
    assert (one.state, one.pages, one.claims, one.verified) == ("in_progress", 1, 3, 2)
    assert two.state == "todo"
    assert state.deliverables == ["A table"]
    assert written.parts["q1"].state == "done"


def test_events_that_tell_of_a_sub_question_mark_it_whatever_else_they_hold() -> None:
    state = state_of(
        rows(
            PLANNED,
            ("sub_question_started", {"sub_question": "q1"}),
            ("sub_question_ended", {"sub_question": "q2", "status": "failed", "failure": "no engine answered"}),
            ("sub_question_ended", {"sub_question": "q9", "status": "done"}),
            ("unheard_of", {"x": 1}),
        )
    )

    assert state.parts["q1"].state == "in_progress"
    assert (state.parts["q2"].state, state.parts["q2"].why) == ("failed", "no engine answered")


def test_the_plan_takes_in_what_a_round_adds_and_an_attempt_that_tells_all_again_counts_once() -> None:
    claimed = ("claimed", {"sub_question": "q1", "claims": 3})
    state = state_of(
        rows(
            PLANNED,
            claimed,
            ("plan_marked", {"sub_question": "q3", "text": "Three?", "status": "todo"}),
            ("plan_marked", {"sub_question": "q0", "text": "All of it?", "status": "done"}),
            ("plan_marked", {"sub_question": "q2", "text": "Two?", "status": "retired"}),
            ("started", {"question": "Why?", "thinker": "extractive"}),
            claimed,
        )
    )

    assert [(one.text, one.state, one.claims) for one in state.parts.values()] == [
        ("One?", "in_progress", 3),
        ("Two?", "retired", 0),
        ("Three?", "todo", 0),
    ]


def test_sources_are_there_as_soon_as_they_are_chosen_and_those_read_last_come_first() -> None:
    urls = [f"https://{name}.example/" for name in "abc"]
    state = state_of(
        rows(
            *(("page_admitted", {"url": url, "sub_question": "q0"}) for url in urls),
            ("page_read", {"url": urls[1], "title": "B", "source_id": "s1"}),
            ("page_read", {"url": urls[0], "title": "A", "source_id": "s2"}),
            ("page_unread", {"url": urls[2], "reason": "robots", "detail": ""}),
        )
    )

    assert [(one.title, one.state) for one in state.latest] == [("A", "read"), ("B", "read"), ("", "unread")]
    assert state.latest[-1].why == "robots"


def test_a_section_is_shown_with_its_text_where_the_event_has_it() -> None:
    state = state_of(
        rows(
            ("section_written", {"heading": "In short", "claims": ["c1", "c2"]}),
            ("section_written", {"heading": "More", "claims": ["c1"], "text": "It floats."}),
        )
    )

    assert [(one.heading, one.text, one.claims) for one in state.sections.values()] == [
        ("In short", "", 2),
        ("More", "It floats.", 1),
    ]


def test_the_trail_holds_the_last_events_newest_first() -> None:
    state = state_of(rows(*(("section_written", {"heading": f"H{number}"}) for number in range(TRAIL + 5))))

    assert len(state.trail) == TRAIL
    assert state.trail[0][1] == f"Wrote: H{TRAIL + 4}"


def test_a_meter_is_never_over_full() -> None:
    found = meters({"usd": 9.0, "seconds": 60}, EFFORTS["quick"])

    assert (found[0].used, found[0].most, found[0].text) == (0.2, 0.2, "$9.00 of $0.20")
    assert found[-1].text == "1.0 of 4.0"


class Stored:
    """A trail that answers after others had their turn."""

    def __init__(self, *events: tuple[str, dict[str, Any]]) -> None:
        self.events = list(events)
        self.asked: list[int] = []

    async def of(self, run_id: str, after: int = 0, limit: int = 1000) -> list[EventRow]:
        assert run_id == "r"
        self.asked.append(after)
        found = [row for row in rows(*self.events) if row.number > after][:limit]
        await anyio.lowlevel.checkpoint()
        return found


async def test_each_event_is_read_and_counted_once_also_by_requests_at_the_same_time() -> None:
    states, trail = LiveStates(), Stored(PLANNED, ("claimed", {"sub_question": "q1", "claims": 3}))
    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(states.of, trail, "r")
    trail.events.append(("claimed", {"sub_question": "q1", "claims": 4}))

    state = await states.of(trail, "r")

    assert state.parts["q1"].claims == 7
    assert trail.asked == [0, 0, 0, 2]

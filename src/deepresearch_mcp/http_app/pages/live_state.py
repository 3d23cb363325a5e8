"""What a running run shows: its plan, its sources and its sections, folded from the events that it has told so far."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION
from deepresearch_mcp.ports.store import EventRow
from deepresearch_mcp.records.request import Shape
from deepresearch_mcp.text.markdown import visible

TRAIL = 15
"""Recent events that are shown."""


@dataclass(slots=True)
class Part:
    """One sub-question."""

    text: str
    state: str = "todo"
    """`todo`, `in_progress`, `done`, or what an event says, such as `retired` or `ceiling`."""
    pages: int = 0
    claims: int = 0
    verified: int = 0
    why: str = ""
    """What went wrong."""


@dataclass(slots=True)
class Source:
    """One page."""

    url: str
    title: str = ""
    state: str = "chosen"
    """`chosen`, `read` or `unread`."""
    why: str = ""


@dataclass(slots=True)
class Written:
    """One section."""

    heading: str
    text: str = ""
    """Markdown; empty where the event does not carry it."""
    claims: int = 0


@dataclass(slots=True)
class LiveState:
    """What is known of a run so far; each event is applied in its order by `take`."""

    deliverables: list[str] = field(default_factory=list[str])
    parts: dict[str, Part] = field(default_factory=dict[str, Part])
    """By sub-question id."""
    sources: dict[str, Source] = field(default_factory=dict[str, Source])
    """By address."""
    sections: dict[str, Written] = field(default_factory=dict[str, Written])
    """By heading."""
    trail: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])
    """When, and what; newest first."""

    def take(self, row: EventRow) -> None:
        """Apply one event. A kind that is not known here changes nothing, so that there can be new ones."""
        if fold := _FOLDS.get(row.kind):
            fold(self, row.data)
        elif row.kind.startswith("sub_question") or row.kind.startswith("plan_"):
            self._marked(row)
        if told := _TOLD.get(row.kind):
            self.trail = [(row.at, visible(told(row.data))), *self.trail[: TRAIL - 1]]

    def part(self, data: Mapping[str, Any]) -> Part | None:
        """The sub-question that an event is about; None for the question as a whole, or if it names none."""
        name = str(data.get("sub_question") or data.get("id") or "")
        return self.parts.get(name)

    def planned(self, data: Mapping[str, Any]) -> None:
        """Take the plan; what is known of a sub-question stays."""
        self.deliverables = [str(one) for one in data.get("deliverables", ())]
        for number, text in enumerate(data.get("sub_questions", ()), 1):
            self.parts.setdefault(f"q{number}", Part(str(text))).text = str(text)

    def _marked(self, row: EventRow) -> None:
        """A sub-question began, ended, or was marked in the plan, perhaps as one that a round has added."""
        part, name, text = self.part(row.data), str(row.data.get("sub_question", "")), str(row.data.get("text", ""))
        if part is None and row.kind.startswith("plan_") and name not in {"", WHOLE_QUESTION} and text:
            part = self.parts[name] = Part(text)
        if part is None:
            return
        usual = "in_progress" if row.kind.endswith("started") else "done"
        status = str(row.data.get("status") or usual)
        part.state = {"found": "done", "completed": "done", "running": "in_progress"}.get(status, status)
        part.why = str(row.data.get("failure") or "")

    def begun_anew(self, data: Mapping[str, Any]) -> None:
        """An attempt begins: it tells again what earlier ones have done, so counts begin anew."""
        del data
        for part in self.parts.values():
            part.pages = part.claims = part.verified = 0

    @property
    def latest(self) -> list[Source]:
        """Sources, those that were read last first."""
        order = {"read": 0, "chosen": 1, "unread": 2}
        newest_first = list(self.sources.values())[::-1]
        return sorted(newest_first, key=lambda one: order[one.state])


def state_of(rows: Sequence[EventRow]) -> LiveState:
    """Fold all events of a run."""
    state = LiveState()
    for row in rows:
        state.take(row)
    return state


class Trail(Protocol):
    """The audit trail, to read."""

    async def of(self, run_id: str, after: int = 0, limit: int = 1000) -> Sequence[EventRow]:
        """Return events with numbers above `after`, oldest first."""
        ...


class LiveStates:
    """States of the runs that are watched now, so that a page reads only the events since it was last shown."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[int, LiveState]] = {}
        """Run → the number of the last event that was applied, and the state after it."""

    async def of(self, events: Trail, run_id: str) -> LiveState:
        """The state of a run after all events that are stored."""
        while True:
            rows = await events.of(run_id, self._kept.get(run_id, (0, None))[0], _AT_ONCE)
            # Another request may have applied some of them meanwhile; from here on nothing is awaited.
            last, state = self._kept.pop(run_id, (0, LiveState()))
            for row in rows:
                if row.number > last:
                    state.take(row)
                    last = row.number
            self._kept[run_id] = last, state
            while len(self._kept) > _MOST:
                del self._kept[next(iter(self._kept))]
            if len(rows) < _AT_ONCE:
                return state

    def forget(self, run_id: str) -> None:
        """Drop the state of a run that has ended."""
        self._kept.pop(run_id, None)


_AT_ONCE = 1_000
_MOST = 200
"""Runs: who was watched longest ago is read anew."""


def _admitted(state: LiveState, data: Mapping[str, Any]) -> None:
    url = str(data["url"])
    state.sources.setdefault(url, Source(url))
    if part := state.part(data):
        part.pages += 1
        part.state = "in_progress" if part.state == "todo" else part.state


def _read(state: LiveState, data: Mapping[str, Any]) -> None:
    # Read last stands last, and so is shown first.
    url = str(data["url"])
    source = state.sources.pop(url, None) or Source(url)
    source.title, source.state = str(data.get("title", "")), "read"
    state.sources[url] = source


def _unread(state: LiveState, data: Mapping[str, Any]) -> None:
    source = state.sources.setdefault(str(data["url"]), Source(str(data["url"])))
    source.state, source.why = "unread", str(data.get("detail") or data.get("reason", ""))


def _counted(state: LiveState, data: Mapping[str, Any]) -> None:
    if part := state.part(data):
        part.claims += int(data.get("claims", 0))
        part.verified += int(data.get("kept", 0))
        part.state = "in_progress" if part.state == "todo" else part.state


def _stage(state: LiveState, data: Mapping[str, Any]) -> None:
    if data.get("stage") == "synthesizing":
        for part in state.parts.values():
            part.state = "done" if part.state == "in_progress" else part.state


def _section(state: LiveState, data: Mapping[str, Any]) -> None:
    heading = str(data["heading"])
    written = state.sections.setdefault(heading, Written(heading))
    written.text = str(data.get("text") or data.get("markdown") or written.text)
    written.claims = len(data.get("claims", ()))


_FOLDS: Mapping[str, Callable[[LiveState, Mapping[str, Any]], None]] = {
    "started": LiveState.begun_anew,
    "planned": LiveState.planned,
    "page_admitted": _admitted,
    "page_read": _read,
    "page_unread": _unread,
    "claimed": _counted,
    "verified": _counted,
    "stage_entered": _stage,
    "section_written": _section,
}

_TOLD: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "started": lambda data: f"Started: {data.get('thinker', '')}",
    "planned": lambda data: f"Planned {len(data.get('sub_questions', ()))} sub-questions",
    "answered": lambda data: f"{data['engine']} found {data['hits']}: {data['query']}",
    "engine_failed": lambda data: f"{data['engine']} did not answer: {data['reason']}",
    "page_read": lambda data: f"Read: {data.get('title') or data['url']}",
    "page_unread": lambda data: f"Not read: {data['url']} ({data.get('detail') or data['reason']})",
    "round_ended": lambda data: f"Round {data['round']}: {data['why']}",
    "section_written": lambda data: f"Wrote: {data['heading']}",
    "degraded": lambda data: str(data["what"]),
    "cautioned": lambda data: str(data["what"]),
    "ceiling_near": lambda data: f"{data['ceiling']} is nearly used: {data['level']}",
}


@dataclass(frozen=True, slots=True)
class Meter:
    """How much of one ceiling is used."""

    name: str
    used: float
    most: float
    text: str


def meters(progress: Mapping[str, Any], shape: Shape) -> list[Meter]:
    """The five ceilings of a run; one of 0 is left out."""
    minutes = float(progress.get("seconds", 0)) / 60
    rows = (
        ("Money", float(progress.get("usd", 0)), shape.max_usd, "${:.2f}"),
        ("Tokens", float(progress.get("tokens", 0)), shape.max_tokens, "{:,.0f}"),
        ("Searches", float(progress.get("searches", 0)), shape.max_searches, "{:.0f}"),
        ("Pages", float(progress.get("read", 0)), shape.max_pages, "{:.0f}"),
        ("Minutes", minutes, shape.max_minutes, "{:.1f}"),
    )
    return [
        Meter(name, min(used, most), most, f"{form.format(used)} of {form.format(most)}")
        for name, used, most, form in rows
        if most
    ]

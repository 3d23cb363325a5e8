"""Draws the live view of a run in a terminal, always on the same few lines, so that nothing jumps."""

import textwrap
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text
from typing_extensions import override

from deepresearch_mcp.cli.console import WIDEST
from deepresearch_mcp.cli.watching import TRAIL, Part, RunView, View
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.records.run import Stage

if TYPE_CHECKING:
    from rich.console import Console

_STAGES: tuple[tuple[Stage, str], ...] = (
    ("planning", "plan"),
    ("researching", "research"),
    ("reflecting", "weigh"),
    ("synthesizing", "write"),
)
_MARKS = {
    "todo": ("·", "bright_black"),
    "in_progress": ("▸", "cyan"),
    "done": ("✓", "green"),
    "blocked": ("!", "yellow"),
    "retired": ("–", "bright_black"),
}
"""Status of a sub-question → its mark and colour."""
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_PER_SECOND = 8
_MARGIN = "  "


class LiveView(View):
    """Redraws a run's state `_PER_SECOND` times a second on a terminal, and erases it at the end."""

    def __init__(self, console: "Console", clock: Clock) -> None:
        self._clock = clock
        self._state: RunView | None = None
        self._heard = clock.monotonic()
        self._seconds = -1.0
        self._live = Live(get_renderable=self._picture, console=console, refresh_per_second=_PER_SECOND, transient=True)
        self._width = min(console.width, WIDEST)
        self._live.start()

    @override
    def update(self, state: RunView) -> None:
        if state.progress.seconds != self._seconds:
            self._heard, self._seconds = self._clock.monotonic(), state.progress.seconds
        self._state = state

    @override
    def close(self) -> None:
        self._live.stop()

    def _picture(self) -> RenderableType:
        if self._state is None:
            return Text("")
        since = self._clock.monotonic() - self._heard
        return picture(self._state, self._state.progress.seconds + since, self._width)


def picture(state: RunView, seconds: float, width: int) -> RenderableType:
    """Return the view of a state `seconds` into the run, at most `width` columns wide."""
    spin = _SPINNER[int(seconds * _PER_SECOND) % len(_SPINNER)]
    room = width - 2 * len(_MARGIN)
    lines: list[RenderableType] = [
        Text(""),
        *_question(state.question, room),
        Text(""),
        _head(state, seconds, spin, room),
        Text(""),
    ]
    parts = [part for name, part in sorted(state.parts.items(), key=lambda one: (len(one[0]), one[0])) if name != "q0"]
    if len(parts) > 1:
        # A plan of one part only repeats the question.
        lines += [*(_part(part, room) for part in parts), Text("")]
    lines += [*_figures(state, room), Text(""), *_trail(state, room)]
    table = Table.grid(padding=(0, 0))
    table.add_column(width=len(_MARGIN))
    table.add_column(width=room)
    table.add_row("", Group(*lines))
    return table


def _head(state: RunView, seconds: float, spin: str, room: int) -> RenderableType:
    progress = state.progress
    names = [stage for stage, _ in _STAGES]
    at = names.index(progress.stage) if progress.stage in names else -1
    steps = Text()
    for number, (_, word) in enumerate(_STAGES):
        steps.append("  " if number else "")
        if number == at:
            steps.append(f"{spin} {word}", style="bold cyan")
        else:
            steps.append(f"✓ {word}" if number < at else f"· {word}", style="green" if number < at else "bright_black")
    if progress.round > 1:
        steps.append(f"  (round {progress.round})", style="bright_black")
    if progress.status == "queued":
        steps = Text(f"{spin} {progress.line()}", style="cyan")
    if state.stopping:
        steps = Text("Stopping: writing up what was found. Ctrl-C again leaves at once.", style="yellow")
    return _sides(steps, Text(f"{int(seconds) // 60}:{int(seconds) % 60:02}", style="bright_black"), room)


def _question(question: str, room: int) -> list[RenderableType]:
    """Return at most two lines of the question."""
    lines = textwrap.wrap(" ".join(question.split()), room, max_lines=2, placeholder=" …") or [""]
    return [Text(line, style="bold") for line in lines]


def _part(part: Part, room: int) -> RenderableType:
    found = f"{part.verified} of {part.claims} claims" if part.claims else "…"
    mark, style = _MARKS.get(part.status, _MARKS["todo"])
    return _sides(
        Text.assemble((f"{mark} ", style), part.text),
        Text(found, style="green" if part.verified else "bright_black"),
        room,
    )


def _figures(state: RunView, room: int) -> list[RenderableType]:
    progress = state.progress
    loading = max(0, progress.admitted - progress.read - progress.unread)
    pages = [f"{progress.read} read", *([f"{progress.unread} not read"] if progress.unread else [])]
    pages += [f"{loading} loading"] if loading else []
    searches = f"{progress.searches} answered"
    searches += f" · {progress.engine_failures} failed" if progress.engine_failures else ""
    spent = f"${progress.usd:.2f}" + (f" of ${progress.max_usd:.2f}" if progress.max_usd else "")
    rows = (
        ("Searches", searches),
        ("Pages", " · ".join(pages)),
        ("Claims", f"{progress.claims} found · {progress.verified} verified"),
        ("Spent", f"{spent} · {progress.tokens:,} tokens"),
    )
    return [_cut(Text.assemble((f"{name:<10}", "bright_black"), value), room) for name, value in rows]


def _trail(state: RunView, room: int) -> list[RenderableType]:
    told = [_cut(Text(f"{what:<10}{whom}", style="bright_black"), room) for what, whom in state.trail]
    return [*told, *(Text("") for _ in range(TRAIL - len(told)))]


def _sides(left: Text, right: Text, room: int) -> Text:
    """Return one line with `right` at its end and `left` cut to fit."""
    free = room - right.cell_len - 1
    left = _cut(left, free)
    return Text.assemble(left, " " * (room - left.cell_len - right.cell_len), right)


def _cut(text: Text, room: int) -> Text:
    flat = Text(" ").join(text.split("\n")) if "\n" in text.plain else text
    flat.truncate(max(1, room), overflow="ellipsis")
    flat.no_wrap = True
    return flat

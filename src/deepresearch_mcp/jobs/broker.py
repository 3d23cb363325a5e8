"""Gathers the model calls that a run waits for into rounds of work for its client's own model."""

import hashlib
import json
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.jobs.active_run import ActiveRun
from deepresearch_mcp.llm.client import CLIENT
from deepresearch_mcp.llm.schemas import in_words
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.signal import Signal, at_most
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import kind_named
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.ports.work import Broker
from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.work import ClientAnswer, ModelTask
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinking import depth_in_rounds

ROOM = 7_800
"""Tokens of one round by our estimate. Tokenizers rarely count over an eighth more: 9,000 with the frame."""
_FRAME = 25
"""Tokens of the frame around each packet."""
_SETTLE = 0.4
"""Seconds without an event after which no more calls will come; the pause between two steps is shorter."""
_PATIENCE = 6.0
"""The same while pages are being fetched; the reader also stops waiting for them after this time."""
_CHANCES = 2
"""Rounds in which a call may stay unanswered; after them it is not asked again."""
_EACH = 3
"""Rounds for each round of research: reading, judging, assessing."""
_UNASSESSED = 1
"""Rounds that the last round of research saves: nothing follows from its assessment."""
_WRITING = 3
"""Rounds for the report, which are kept for it: its outline, its sections, its opening."""
_MORE = 4
"""Extra rounds for corrections."""
_WAITED_FOR = frozenset({"reader", "verifier"})
"""Stages that the report waits for: they leave the last rounds to it, and one more that they may need."""
_ORDER = ("plan", "direct", "sketch", "judge", "write", "assess", "read")
"""Schemas in the order in which their calls go into a round that is too small for all.

The rest waits: nothing is written before everything is judged.
"""
_PUT_OFF = frozenset({"read", "gaps"})
"""Schemas whose calls never wait for the next round, because later rounds would wait for them. Rules answer them."""


@dataclass(slots=True)
class _Asked:
    """A waiting call."""

    call: ModelCall
    mark: str
    settled: anyio.Event = field(default_factory=anyio.Event)
    refusal: str = ""


class StoredBroker(Broker):
    """Implements `ports.work.Broker` through the store, for one attempt at one run.

    An answer may come much later and to another process, so no call waits for it here. Once the run can do nothing
    else, its calls are stored as one round of work and the run is suspended, as if it asked its user (see
    `inquiring`). The answers start the next attempt, which finds them here.
    """

    def __init__(self, live: ActiveRun, store: Store, clock: Clock) -> None:
        self._live = live
        self._store = store
        self._clock = clock
        self._waiting: dict[str, _Asked] = {}
        self._news = Signal()
        self._events = 0
        """Counter that rises with every event of the run."""
        self._elsewhere = 0
        self._loading = anyio.Lock()
        self._rounds: list[InputRequest] | None = None
        self._answers: dict[str, ClientAnswer] = {}
        self._passed: Counter[str] = Counter()
        request = live.request
        depth = max(1, depth_in_rounds(request)) if isinstance(request, ResearchRequest) else 1
        self._usual = _EACH * depth - _UNASSESSED + _WRITING

    @contextmanager
    @override
    def elsewhere(self) -> Generator[None]:
        self._elsewhere += 1
        self._stir()
        try:
            yield
        finally:
            self._elsewhere -= 1
            self._stir()

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        rounds, mark = await self._earlier(), mark_of(call)
        if (known := self._answers.get(mark)) is not None:
            if known.unusable:
                raise ProviderError(CLIENT, "its answer was not of the shape asked, twice")
            model = f"{CLIENT}:{known.model}" if known.model else CLIENT
            return ModelAnswer(known.text, model, stop="length" if known.cut else "end")
        if not self._live.closing and (refusal := self._refusal(call, mark, rounds)):
            raise ProviderError(CLIENT, refusal)
        if _instructions(call) + _material(call) > ROOM:
            return ModelAnswer("", CLIENT, stop="context")
        asked = self._waiting[call.key] = _Asked(call, mark)
        self._stir()
        try:
            await asked.settled.wait()
        finally:
            self._waiting.pop(call.key, None)
        raise ProviderError(CLIENT, asked.refusal)

    def _refusal(self, call: ModelCall, mark: str, rounds: Sequence[InputRequest]) -> str:
        """Return why this call is no longer sent to the client; "" if it is."""
        if rounds and not any(packet.answered for packet in rounds[-1].packets):
            return "it no longer answers"
        if self._passed[mark] >= _CHANCES:
            return "it left this unanswered"
        # A run that has the plan of another one saves the round for it.
        usual = self._usual + any(packet.task == "plan" for one in rounds for packet in one.packets)
        if kind_named(call.key) == steps.AUDIT and len(rounds) >= usual:
            return "no round was left for the finished sentences"
        if steps.stage_of(call.key) in _WAITED_FOR and len(rounds) > usual - _WRITING:
            return "the rounds that were left are for the report"
        return "no round was left for it" if len(rounds) >= usual + _MORE else ""

    async def watch(self) -> None:
        """Store the waiting calls as a round whenever the run can do nothing else; runs until the attempt ends."""
        while True:
            await self._news.wait_until(lambda: bool(self._waiting))
            await self._quiet()
            if not self._waiting:
                continue
            if self._live.closing:
                self._live.cancel()
                return
            taken, left = packed([asked.call for asked in self._waiting.values()])
            put_off = [call for call in left if call.schema_name in _PUT_OFF]
            if put_off:
                for call in put_off:
                    self._refuse(self._waiting[call.key], "the round was full")
                continue
            number = len(await self._earlier()) + 1
            packets = tuple(packet_of(f"{number}.{at}", call) for at, call in enumerate(taken, 1))
            self._live.wait(
                InputRequest(inquiry_id=steps.work(number), kind="work", text=_told(packets), packets=packets)
            )
            await anyio.sleep_forever()

    def _refuse(self, asked: _Asked, why: str) -> None:
        asked.refusal = why
        self._waiting.pop(asked.call.key, None)
        asked.settled.set()
        self._stir()

    async def _quiet(self) -> None:
        """Wait until no event has come for `_SETTLE` seconds, or `_PATIENCE` seconds while pages are being fetched."""
        while self._waiting:
            seen = self._events
            wait = _PATIENCE if self._elsewhere else _SETTLE
            if not await at_most(
                self._clock, wait, lambda seen=seen: self._news.wait_until(lambda: self._events != seen)
            ):
                return

    def _stir(self) -> None:
        self._events += 1
        self._news.notify()

    async def _earlier(self) -> Sequence[InputRequest]:
        """Return the rounds that were answered before this attempt at the run."""
        async with self._loading:
            if self._rounds is None:
                found: list[InputRequest] = []
                while known := await self._store.inquiries.replied(self._live.run_id, steps.work(len(found) + 1)):
                    inquiry, reply = known
                    self._answers |= {packet.mark: packet.answered for packet in inquiry.packets if packet.answered}
                    if reply.decision == "decline":
                        break  # the run was cancelled here; a resumed run asks its client again
                    found.append(inquiry)
                    self._passed.update(packet.mark for packet in inquiry.packets if not packet.answered)
                self._rounds = found
            return self._rounds


def packed(calls: Sequence[ModelCall]) -> tuple[list[ModelCall], list[ModelCall]]:
    """Split calls into those that fit one round and the rest. The most important tasks come first."""
    turns: Counter[tuple[str, ...]] = Counter()
    ranked: list[tuple[int, int, ModelCall]] = []
    for call in calls:
        # Each sub-question has its turn before any has a second one.
        task = (call.schema_name, steps.subject_of(call.key))
        ranked.append((_rank(call), turns[task], call))
        turns[task] += 1
    taken: list[ModelCall] = []
    left: list[ModelCall] = []
    known: set[str] = set()
    room = ROOM
    for *_, call in sorted(ranked, key=lambda row: row[:2]):
        size = _material(call) + (0 if call.system in known else _instructions(call))
        if size > room:
            left.append(call)
            continue
        room -= size
        known.add(call.system)
        taken.append(call)
    return taken, left


def _rank(call: ModelCall) -> int:
    return _ORDER.index(call.schema_name) if call.schema_name in _ORDER else len(_ORDER)


def _instructions(call: ModelCall) -> int:
    return estimate(call.system if call.schema is None else in_words(call.system, call.schema))


def _material(call: ModelCall) -> int:
    return estimate(call.prompt) + _FRAME


def mark_of(call: ModelCall) -> str:
    """Return a hash of the call, its key included, as 32 hexadecimal digits."""
    asked = json.dumps([call.key, call.system, call.prompt, call.schema], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def packet_of(name: str, call: ModelCall) -> ModelTask:
    """Return the call in the form that the client receives."""
    return ModelTask(
        packet_id=name,
        mark=mark_of(call),
        task=call.schema_name if call.schema is not None else "text",
        system=call.system,
        prompt=call.prompt,
        answer_schema=None if call.schema is None else dict(call.schema),
        max_tokens=call.max_tokens,
    )


def _told(packets: Sequence[ModelTask]) -> str:
    tasks = Counter(packet.task for packet in packets)
    return f"Work for the client's own model: {', '.join(f'{task} ({count})' for task, count in tasks.items())}."

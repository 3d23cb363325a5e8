"""Fakes that behave, for the pipeline: a thinker, engines, a web, a journal, and small records to work on.

Time in them is the clock port's, so `drive(clock, fn)` runs a whole stage in no real time:

    clock = HandClock()
    web = FakeWeb([page("https://a.example/1", "Ice floats.")], clock=clock, delays={"https://a.example/1": 2.0})
    gathered = await drive(clock, worker.run)
"""

import inspect
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, fields
from datetime import date
from hashlib import sha256
from typing import Any, TypeVar, get_args

import anyio
from anyio.lowlevel import checkpoint

from clocks import NOON, HandClock
from deepresearch_mcp.events import Event
from deepresearch_mcp.exceptions import DuplicateStep, FetchFailed
from deepresearch_mcp.injection.foreign import foreign_stretches
from deepresearch_mcp.injection.screened import screened
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import Step, StepKind, StepRow, StepStatus, Used
from deepresearch_mcp.records.evidence import (
    Assessment,
    Claim,
    ClaimDraft,
    Comparison,
    Judgement,
    Lead,
    Quote,
    Reading,
    Verdict,
)
from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.records.report import (
    Block,
    Draft,
    GapCheck,
    Outline,
    Position,
    Review,
    SectionDraft,
    SectionPlan,
    Sentence,
    Sketch,
    WrittenSection,
)
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.sources import Document, Hit, Link, Passage, Query, Screening
from deepresearch_mcp.store.encoding import adapter, dump, request_hash
from deepresearch_mcp.text.near_duplicates import sketch
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.text.urls import site_of
from deepresearch_mcp.thinkers.base import Doubt, HeldStatement, SubQuestionEvidence, ThinkerTask
from deepresearch_mcp.thinkers.tasks import AskedGap, OpenSpot, ReadPassages
from deepresearch_mcp.version import __version__
from deepresearch_mcp.web.snapshot import source_id

T = TypeVar("T")

TODAY = date(2026, 11, 20)


async def idle(rounds: int = 40) -> None:
    """Let every other task run until it waits for something."""
    for _ in range(rounds):
        await checkpoint()


async def drive(clock: HandClock, fn: Callable[[], Awaitable[T]], *, step: float = 0.05, limit: float = 120.0) -> T:
    """Await `fn` while time passes in small steps; it fails when `fn` has not ended after `limit` seconds.

    The clock stands still while a worker thread is at work: how fast the machine is changes nothing.
    """
    results: list[T] = []
    threads = anyio.to_thread.current_default_thread_limiter()

    async with anyio.create_task_group() as tasks:

        async def work() -> None:
            results.append(await fn())
            tasks.cancel_scope.cancel()

        tasks.start_soon(work)
        for _ in range(int(limit / step)):
            await idle()
            while threads.borrowed_tokens:
                await anyio.sleep(0.001)
                await idle()
            clock.advance(step)
        raise AssertionError(f"still working after {limit:g} seconds of the clock")
    return results[0]


def page(
    url: str, text: str, *, title: str = "", links: Sequence[str | Link] = (), flags: tuple[str, ...] = ()
) -> Document:
    """A document as the web layer makes it: ids, site, snapshot and screening belong to address and text."""
    return Document(
        source_id=source_id(url),
        url=url,
        requested_url=url,
        title=title,
        site=url.split("/")[2] if url.startswith("library://") else site_of(url),
        snapshot=sha256(text.encode()).hexdigest(),
        length=len(text),
        read_at=NOON,
        links=tuple(Link(url=one) if isinstance(one, str) else one for one in links),
        flags=flags,
        screening=Screening.model_validate(
            {
                "version": __version__,
                "planted": screened(text),
                "foreign": [(one.start, one.end, tuple(sorted(one.languages))) for one in foreign_stretches(text)],
                "sketch": sketch(text),
            }
        ),
        text=text,
    )


def brief(question: str = "Why does ice float on water?", background: str = "", **given: Any) -> Brief:
    """A brief of today; `given` are arguments of the request."""
    request = ResearchRequest(question=question, **given)
    return Brief(question=question, language="en", today=TODAY, request=request, background=background)


def part(
    name: str = "q1", text: str = "Why does ice float?", queries: tuple[str, ...] = (), **given: Any
) -> SubQuestion:
    """A sub-question."""
    return SubQuestion(id=name, text=text, queries=queries, **given)


def hit(url: str, engine: str = "one", **given: Any) -> Hit:
    """A hit of one engine."""
    return Hit(url=url, engines=(engine,), **given)


def claim(
    document: Document,
    quote: str,
    text: str = "",
    *,
    sub_question: str = "q1",
    verdict: Verdict = "supported",
    **given: Any,
) -> Claim:
    """A claim whose quote stands in `document`, the whole text its context; it says what its quote says by default."""
    start = document.text.index(quote)
    end = start + len(quote)
    said = text or quote
    digest = sha256(f"{said}\0{document.source_id}\0{start}\0{end}".encode()).hexdigest()
    words = Quote(
        source_id=document.source_id,
        snapshot=document.snapshot,
        start=start,
        end=end,
        text=quote,
        context=document.text,
    )
    whole: dict[str, Any] = {"claim_id": f"c{digest[:10]}", "quotes": (words,)} | given
    return Claim(sub_question=sub_question, text=said, verdict=verdict, **whole)


class MemoryJournal:
    """Implements `ports.journal.Journal` in memory, with the rules of the real one.

    A key asked for twice is refused, values pass through JSON, what raises leaves an `error` row, what is
    cancelled stays `started`. `recorded` pre-fills it with values by key, as an earlier life of the run left them
    (for steps asked with `request=None`); `next_life()` gives a journal that knows all that is done so far, as
    after a crash.
    """

    def __init__(self, recorded: Mapping[str, object] | None = None, clock: HandClock | None = None) -> None:
        self._clock = clock or HandClock()
        self._done = {key: (request_hash(None), _json(value)) for key, value in (recorded or {}).items()}
        self._rows: dict[str, StepRow] = {}
        self._used: set[str] = set()
        self._left: dict[str, StepStatus] = {}
        self.ran: list[str] = []
        """Keys of the steps whose function was really called, in order."""
        self.finished: list[str] = []
        """Keys of those that were really called and returned, in the order in which they ended."""
        self.replayed: list[str] = []
        """Keys of those answered from the record."""

    async def step(
        self,
        step: Step,
        fn: Callable[[], Awaitable[T]],
        *,
        kind: StepKind,
        result: Any,
        request: object = None,
        stands: object = None,
        used: Callable[[T], Used] | None = None,
        hold: Callable[[], Awaitable[Used]] | None = None,
        lost: Callable[[Exception], Used] | None = None,
    ) -> T:
        if step.key in self._used:
            raise DuplicateStep(f"The step {step.key!r} was asked for twice in one run.")
        self._used.add(step.key)
        await checkpoint()
        asked, reader = request_hash(request), adapter(result)
        known = self._done.get(step.key)
        if known and (known[0] == asked or (stands is not None and known[0] == request_hash(stands))):
            self.replayed.append(step.key)
            self._row(step, kind, asked, "done", result=known[1])
            return reader.validate_json(known[1])
        self.ran.append(step.key)
        self._row(step, kind, asked, "started", used=await hold() if hold else None)
        try:
            value = await fn()
        except Exception as error:
            self._row(
                step, kind, asked, "error", error=f"{type(error).__name__}: {error}", used=lost(error) if lost else None
            )
            raise
        self._row(step, kind, asked, "done", result=dump(reader, value), used=used(value) if used else None)
        self.finished.append(step.key)
        return value

    def left(self, key: str) -> StepStatus | None:
        return "done" if key in self._done else self._left.get(key)

    def recorded(self, key: str) -> str | None:
        return self._done[key][1] if key in self._done else None

    async def rows(self) -> Sequence[StepRow]:
        return list(self._rows.values())

    @property
    def keys(self) -> list[str]:
        """All steps asked for in this life, in the order in which they began."""
        return list(self._rows)

    def row(self, key: str) -> StepRow:
        """The step of this key."""
        return self._rows[key]

    def next_life(self, *, without: Callable[[str], bool] = lambda key: False) -> "MemoryJournal":
        """What a restarted process finds: the steps that were done, less those `without` names as lost."""
        after = MemoryJournal(clock=self._clock)
        after._done = self._done | {
            row.key: (row.request, row.result)
            for row in self._rows.values()
            if row.status == "done" and row.result is not None
        }
        after._left = {row.key: row.status for row in self._rows.values() if row.status != "done"}
        after._done = {key: value for key, value in after._done.items() if not without(key)}
        return after

    def _row(self, step: Step, kind: StepKind, asked: str, status: Any, **given: Any) -> None:
        now = self._clock.now().timestamp()
        begun = self._rows[step.key].started if step.key in self._rows else now
        ended = None if status == "started" else now
        whole: dict[str, Any] = {"result": None, "error": None, "cost": None} | given
        self._rows[step.key] = StepRow(
            step.key, kind, status, 1, step.depends_on, asked, started=begun, ended=ended, **whole
        )


def _json(value: object) -> str:
    return dump(adapter(object), value)


Answer = Sequence[Hit] | Exception
Answers = Mapping[str, Answer] | Callable[[Query], Answer]


class FakeEngine:
    """Implements `ports.search.SearchEngine`: answers by the query's text, after `delay` seconds of the clock.

    `answers` maps a query's text to hits or to the error to raise, or is a function of the `Query`; a text that
    stands nowhere finds nothing. `delay` is a number, or seconds by the query's text (others at once). Wrap it in
    `search.wrappers.RecordedEngine` where replaying matters.
    """

    def __init__(
        self,
        answers: Answers | None = None,
        *,
        name: str = "one",
        clock: HandClock | None = None,
        delay: float | Mapping[str, float] = 0.0,
    ) -> None:
        self.name = name
        self._answers: Answers = {} if answers is None else answers
        self._clock = clock
        self._delay = delay
        self.asked: list[Query] = []
        """In order; a query asked twice stands here twice."""
        self.needs: dict[str, tuple[str, ...]] = {}
        """What a query said that it needed, by its text."""

    @property
    def texts(self) -> list[str]:
        """The texts asked, in order."""
        return [query.text for query in self.asked]

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        self.asked.append(query)
        self.needs[query.text] = needs
        seconds = self._delay if isinstance(self._delay, int | float) else self._delay.get(query.text, 0.0)
        await _wait(self._clock, seconds)
        found = self._answers(query) if callable(self._answers) else self._answers.get(query.text, ())
        if isinstance(found, Exception):
            raise found
        return list(found)


class FakeWeb:
    """Implements `ports.web.Web`: documents by their address, after `delays[url]` seconds of the clock.

    `pages` are documents (found under the address they were requested by) or a mapping of addresses to documents
    and to errors to raise; any other address is `not_found`. With a journal each fetch is a step of its own, so
    that fetching an address twice is a DuplicateStep and a next life reads it from the record.
    """

    def __init__(
        self,
        pages: Sequence[Document] | Mapping[str, Document | Exception] = (),
        *,
        clock: HandClock | None = None,
        delays: Mapping[str, float] | None = None,
        journal: MemoryJournal | None = None,
    ) -> None:
        self._pages: dict[str, Document | Exception] = (
            {one.requested_url: one for one in pages} if isinstance(pages, Sequence) else dict(pages)
        )
        self._clock = clock
        self._delays = delays or {}
        self._journal = journal
        self.fetched: list[str] = []
        """Addresses really fetched, in order of the asking."""
        self.needs: dict[str, tuple[str, ...]] = {}

    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        self.needs[url] = needs

        async def load() -> Document:
            return await self._load(url)

        if self._journal is None:
            return await load()
        return await self._journal.step(Step(steps.fetch(url), needs), load, kind="fetch", result=Document, request=url)

    async def _load(self, url: str) -> Document:
        self.fetched.append(url)
        await _wait(self._clock, self._delays.get(url, 0.0))
        found = self._pages.get(url, FetchFailed(url, "not_found", f"There is nothing at {url}."))
        if isinstance(found, Exception):
            raise found
        return found


async def _wait(clock: HandClock | None, seconds: float) -> None:
    if seconds > 0:
        if clock is None:
            raise AssertionError("a fake with a delay needs the clock of the test")
        await clock.sleep(seconds)
    else:
        await checkpoint()


@dataclass(frozen=True, slots=True)
class Call:
    """One task given to a `ScriptedThinker`."""

    method: str
    """The name of its kind."""
    task: type[ThinkerTask[Any]]
    args: tuple[Any, ...]
    """The fields of the task, of its kind alone."""
    step: Step
    whole: ThinkerTask[Any]


def prose(heading: str, *claims: Claim) -> WrittenSection:
    """A section of one paragraph that states claims in their own words."""
    row = tuple(Sentence(text=one.text, claim_ids=(one.claim_id,)) for one in claims)
    return WrittenSection(heading=heading, blocks=(Block(rows=(row,)),) if row else ())


class _Defaults:
    """What a good and simple thinker says."""

    def plan(self, brief: Brief, parts: int, queries: int, step: Step) -> Plan:
        """The question as one sub-question with three queries."""
        asked = tuple(f"{brief.question} {word}" for word in ("facts", "history", "figures"))
        return Plan(sub_questions=(SubQuestion(id="q1", text=brief.question, queries=asked),), made_by="scripted")

    def read(
        self, brief: Brief, sub_question: SubQuestion, passages: Sequence[Passage], limit: int, step: Step
    ) -> Reading:
        """The first sentence of every passage."""
        drafts: list[ClaimDraft] = []
        for one in passages:
            span = next(iter(sentences(one.text)), None)
            if span:
                said = one.text[span.start : span.end]
                drafts.append(ClaimDraft(text=said, quote=said, passage_id=one.passage_id))
        return Reading(claims=tuple(drafts[:limit]))

    def judge(self, brief: Brief, claims: Sequence[Claim], step: Step) -> list[Judgement]:
        """Everything is supported."""
        return [Judgement(claim_id=one.claim_id, verdict="supported") for one in claims]

    def hold_judgements(self, brief: Brief, statements: Sequence[HeldStatement], step: Step) -> list[Judgement]:
        """Every judgement follows; a sentence without a claim states something."""
        return [
            Judgement(claim_id=one.name, verdict="supported" if one.premises else "unsupported") for one in statements
        ]

    def assess(self, brief: Brief, parts: Sequence[SubQuestionEvidence], queries: int, step: Step) -> Assessment:
        """All is answered."""
        return Assessment(sufficiency=10, answered=tuple(one.sub_question.id for one in parts))

    def consolidate(self, brief: Brief, clusters: Sequence[Sequence[Claim]], step: Step) -> list[Comparison]:
        """Every claim is a fact of its own."""
        return []

    def gap_check(self, brief: Brief, gaps: Sequence[AskedGap], step: Step) -> list[GapCheck]:
        """Nothing that is told as open is answered."""
        return [GapCheck(missing=one.missing) for one in gaps]

    def fill(self, brief: Brief, spots: Sequence[OpenSpot], sources: Mapping[str, Document], step: Step) -> list[Any]:
        """Nothing belongs in what is empty."""
        return []

    def outline(self, brief: Brief, parts: Sequence[SubQuestionEvidence], step: Step) -> Outline:
        """A section for each sub-question."""
        plans = (SectionPlan(heading=p.sub_question.text, sub_questions=(p.sub_question.id,)) for p in parts)
        return Outline(title=brief.question, sections=tuple(plans))

    def write(self, brief: Brief, section: SectionPlan, claims: Sequence[Claim], step: Step) -> list[Sentence]:
        """Each claim as it stands."""
        return [Sentence(text=one.text, claim_ids=(one.claim_id,)) for one in claims]

    def conclude(
        self, brief: Brief, sections: Sequence[WrittenSection], claims: Sequence[Claim], max_chars: int, step: Step
    ) -> list[Sentence]:
        """The first claim."""
        return [Sentence(text=one.text[:max_chars], claim_ids=(one.claim_id,)) for one in claims[:1]]

    def sketch(
        self, brief: Brief, facts: Sequence[Claim], sources: Mapping[str, Document], words: int, more: int, step: Step
    ) -> Sketch:
        """A section for each sub-question that has facts, and the first fact as the answer."""
        parts = dict.fromkeys(one.sub_question for one in facts)
        plans = (
            SectionPlan(heading=f"On {part}", claim_ids=tuple(f.claim_id for f in facts if f.sub_question == part))
            for part in parts
        )
        first = [Position(deliverable="d1", position=one.text, premises=(one.claim_id,)) for one in facts[:1]]
        return Sketch(title=brief.question, positions=tuple(first), sections=tuple(plans))

    def section(
        self,
        brief: Brief,
        section: SectionPlan,
        sketch: Sketch,
        facts: Sequence[Claim],
        blocks: Sequence[Passage],
        sources: Mapping[str, Document],
        words: int,
        present: WrittenSection | None,
        note: str,
        may_propose: bool,
        step: Step,
    ) -> SectionDraft:
        """Each fact as it stands, in one paragraph."""
        return SectionDraft(section=prose(section.heading, *facts))

    def edit(
        self,
        brief: Brief,
        draft: Draft,
        positions: Sequence[Position],
        facts: Sequence[Claim],
        sources: Mapping[str, Document],
        words: int,
        step: Step,
    ) -> Draft:
        """The same again."""
        return draft

    def opening(
        self,
        brief: Brief,
        draft: Draft,
        positions: Sequence[Position],
        facts: Sequence[Claim],
        max_chars: int,
        note: str,
        step: Step,
    ) -> list[Sentence]:
        """The first fact."""
        return [Sentence(text=one.text, claim_ids=(one.claim_id,)) for one in facts[:1]]

    def review(
        self,
        brief: Brief,
        draft: Draft,
        unused: Sequence[Claim],
        thin: Sequence[str],
        queries: int,
        step: Step,
    ) -> Review:
        """Nothing is wrong."""
        return Review()

    def repair(self, brief: Brief, doubts: Sequence[Doubt], claims: Sequence[Claim], step: Step) -> list[Sentence]:
        """Every doubted sentence is dropped."""
        return [Sentence(text="") for _ in doubts]

    def direct(self, brief: Brief, step: Step) -> str:
        """No knowledge of its own."""
        return ""


def _given(kind: type[ThinkerTask[Any]]) -> list[Field[Any]]:
    """The fields that a script's function is given; of a reading those that every reading has."""
    whole = kind is not ReadPassages
    return [one for one in fields(kind) if whole or (one.default is MISSING and one.default_factory is MISSING)]


class ScriptedThinker:
    """Implements `thinkers.base.Thinker`: says what the test scripts, and keeps what it was asked.

    Each keyword names a kind of task and gives its answer: a function of the task's fields and the step (plain
    or async), a value for every time, or an error for every time. A kind without a script gets something simple and
    right (see `_Defaults`): the first sentence of every passage is read, every claim is supported, everything is
    answered, and claims are written as they stand.

    `seconds` are what kinds of task take of the clock. With a journal each task is a step of kind `model` under the
    step's key, so the same key twice is a DuplicateStep and a resumed run is answered from the record.
    """

    def __init__(
        self,
        name: str = "scripted",
        *,
        clock: HandClock | None = None,
        seconds: Mapping[str, float] | None = None,
        journal: MemoryJournal | None = None,
        **script: Any,
    ) -> None:
        self.name = name
        self._clock = clock
        self._seconds = seconds or {}
        self._journal = journal
        self._defaults = _Defaults()
        unknown = [method for method in script if not hasattr(self._defaults, method)]
        assert not unknown, f"there is no task {unknown}"
        self.script = script
        self.calls: list[Call] = []
        """In the order in which they began."""
        self.tasks: list[ThinkerTask[Any]] = []
        """The tasks of these calls, whole."""

    def called(self, method: str) -> list[Call]:
        """The calls for one kind of task."""
        return [call for call in self.calls if call.method == method]

    def keys(self, method: str) -> list[str]:
        """The keys of the steps of one kind of task."""
        return [call.step.key for call in self.called(method)]

    async def ask(self, task: ThinkerTask[T], step: Step) -> T:
        kind = next(one for one in type(task).__mro__ if ThinkerTask in one.__bases__)
        method, given = kind.name, [getattr(task, one.name) for one in _given(kind)]
        self.calls.append(Call(method, type(task), tuple(given), step, task))
        self.tasks.append(task)

        async def answer() -> Any:
            await _wait(self._clock, self._seconds.get(method, 0.0))
            scripted = self.script.get(method, getattr(self._defaults, method))
            value = scripted(*given, step) if callable(scripted) else scripted
            if inspect.isawaitable(value):
                value = await value
            if isinstance(value, Exception):
                raise value
            return value

        if self._journal is None:
            return await answer()
        [result] = get_args(kind.__orig_bases__[0])
        return await self._journal.step(step, answer, kind="model", result=result)


class Heard(list[Event]):
    """What was told: pass `heard.append` as `tell`; `of(Kind)` are the events of one kind."""

    def of(self, kind: type[T]) -> list[T]:
        """Those of this class, in order."""
        return [event for event in self if isinstance(event, kind)]


def lead(query: str = "", url: str = "") -> Lead:
    """Something a page points to."""
    return Lead(query=query, url=url)


class AttendingBroker:
    """Notes when a run is busy with other work than a model's."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    @contextmanager
    def elsewhere(self) -> Generator[None]:
        self.seen.append("begun")
        try:
            yield
        finally:
            self.seen.append("ended")

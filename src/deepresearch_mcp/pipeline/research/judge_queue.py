"""Collects claims of several readings for one question to the judge: its fixed words are paid for once."""

import math
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.same_fact import absorbed
from deepresearch_mcp.pipeline.signal import Signal, at_most
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import JudgeClaims

_ENOUGH = 25
"""Claims that are worth a question. Fewer wait for the next reading that ends, if one is under way."""
_MOST = 36
"""The most claims of one question; more are asked about in several at once."""
_PATIENCE = 5.0
"""Seconds that a resumed run waits for readings which were judged together before."""


class Expected:
    """A reading that may still bring claims."""

    def __init__(self, queue: "JudgeQueue") -> None:
        self._queue = queue
        self._open = True

    def over(self) -> None:
        """Its claims are in the queue, or it brings none; a second call does nothing."""
        if self._open:
            self._open = False
            self._queue.ended()


@dataclass(frozen=True, slots=True)
class Asking:
    """What it takes to ask a judge."""

    brief: Brief
    thinker: Thinker
    journal: Journal
    clock: Clock


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judge said of the claims of one reading."""

    judgements: tuple[Judgement, ...]
    steps: tuple[str, ...]
    """The keys of the questions asked."""


@dataclass(eq=False, slots=True)
class _Waiting:
    key: str
    """The step of the reading's verification."""
    claims: Sequence[Claim]
    together: tuple[str, ...] = ()
    """What is judged together, once that is decided: the keys of readings."""


@dataclass(eq=False, slots=True)
class _Batch:
    keys: tuple[str, ...]
    """The readings whose claims are judged together."""
    here: set[str] = field(default_factory=set[str])
    claims: dict[str, Claim] = field(default_factory=dict[str, Claim])
    needs: dict[str, None] = field(default_factory=dict[str, None])
    asked: bool = False
    judged: Judged | None = None
    failure: Exception | None = None
    done: anyio.Event = field(default_factory=anyio.Event)

    @property
    def complete(self) -> bool:
        # Not by claims: two readings may have found the same, and who asks may not depend on which came first.
        return self.here >= set(self.keys)


class JudgeQueue:
    """The claims of one run that wait for a judge.

    A question is asked once enough claims wait, or no reading is under way that could bring more. Which claims those
    are depends on timing, so it is recorded: a resumed run asks the same question.
    """

    def __init__(self) -> None:
        self._coming = 0
        self._waiting: list[_Waiting] = []
        self._batches: dict[tuple[str, ...], _Batch] = {}
        self._news = Signal()

    @contextmanager
    def expected(self) -> Generator[Expected]:
        """Around a reading: claims that wait may wait for its claims."""
        self._coming += 1
        one = Expected(self)
        try:
            yield one
        finally:
            one.over()

    def ended(self) -> None:
        """A reading brings no more claims."""
        self._coming -= 1
        self._close()

    async def judge(self, claims: Sequence[Claim], asking: Asking, step: Step, reading: Expected) -> Judged:
        """Judge the open claims of a reading, which is over then, together with those of others.

        `step` is `verify/<sub-question>/<reading>`. One of the callers asks for all.

        Raises:
            ProviderError, BudgetExceeded: The question failed, for all claims of it.
        """

        async def choose() -> list[str]:
            own = _Waiting(step.key, claims)
            self._waiting.append(own)
            reading.over()
            self._close()
            await self._news.wait_until(lambda: bool(own.together))
            return list(own.together)

        keys = tuple(await asking.journal.step(steps.together(step), choose, kind="decision", result=list[str]))
        batch = self._batches.setdefault(keys, _Batch(keys))
        batch.here.add(step.key)
        batch.claims |= {claim.claim_id: claim for claim in claims}
        batch.needs |= dict.fromkeys(step.depends_on)
        reading.over()
        self._news.notify()
        await self._gathered(batch, asking.clock)
        if not batch.asked:
            batch.asked = True
            await _ask(batch, asking, step)
        await batch.done.wait()
        if batch.failure:
            raise batch.failure
        return batch.judged or Judged((), ())

    def _close(self) -> None:
        """Decide what is judged together, if that is due."""
        if self._waiting and (self._coming == 0 or sum(len(one.claims) for one in self._waiting) >= _ENOUGH):
            keys = tuple(sorted(one.key for one in self._waiting))
            for one in self._waiting:
                one.together = keys
            self._waiting = []
        self._news.notify()

    async def _gathered(self, batch: _Batch, clock: Clock) -> None:
        """Return once all readings of the batch are here, or it is plain that no more come.

        That can only be in a resumed run: a page that was read then may be gone now.
        """

        def here() -> bool:
            return batch.complete or batch.asked

        while not here():
            await self._news.wait_until(lambda: here() or self._coming == 0)
            if not here() and not await at_most(
                clock, _PATIENCE, lambda: self._news.wait_until(lambda: here() or self._coming > 0)
            ):
                return


async def _ask(batch: _Batch, asking: Asking, step: Step) -> None:
    try:
        batch.judged = await _judged(batch, asking, step)
    except (ProviderError, BudgetExceeded) as error:
        batch.failure = error
    finally:
        # If this task is cancelled, the others keep what the machine found.
        batch.done.set()


async def _judged(batch: _Batch, asking: Asking, step: Step) -> Judged:
    claims, needs = sorted(batch.claims.values(), key=_place), tuple(sorted(batch.needs))
    holders = absorbed(claims)
    first = [claim for claim in claims if claim.claim_id not in holders]
    alone = len(batch.keys) == 1
    found, keys = await _asked(first, asking, needs, step if alone else None)
    # What a judged claim says too needs no judge, unless that claim falls.
    left = [claim for claim in claims if (name := holders.get(claim.claim_id)) and not _stands(found.get(name))]
    more, others = await _asked(left, asking, needs, step.part("rest") if alone else None) if left else ({}, [])
    for name, holder in holders.items():
        if (judgement := found.get(holder)) and _stands(judgement):
            more[name] = judgement.model_copy(update={"claim_id": name})
    return Judged(tuple({**found, **more}.values()), (*keys, *others))


def _stands(judgement: Judgement | None) -> bool:
    return judgement is not None and judgement.verdict == "supported"


async def _asked(
    claims: Sequence[Claim], asking: Asking, needs: tuple[str, ...], own: Step | None
) -> tuple[dict[str, Judgement], list[str]]:
    """The judgements on some claims, and the keys of the questions; `own`: the step of a reading judged alone."""
    size = math.ceil(len(claims) / math.ceil(len(claims) / _MOST))
    groups = [claims[at : at + size] for at in range(0, len(claims), size)]
    if own and len(groups) == 1:
        questions = {own: claims}
    else:
        questions = {steps.judged([one.claim_id for one in group], needs): group for group in groups}
    failures: list[Exception] = []

    async def one(question: Step) -> Sequence[Judgement]:
        try:
            return await asking.thinker.ask(JudgeClaims(asking.brief, questions[question]), question)
        except (ProviderError, BudgetExceeded) as error:
            failures.append(error)
            return ()

    said = await anyio.amap(one, questions)
    refused = [error for error in failures if isinstance(error, KeyRefused)]
    if refused or len(failures) == len(groups):
        raise (refused or failures)[0]
    return {judgement.claim_id: judgement for group in said for judgement in group}, [one.key for one in questions]


def _place(claim: Claim) -> tuple[str, int, str]:
    return claim.quotes[0].source_id, claim.quotes[0].start, claim.claim_id

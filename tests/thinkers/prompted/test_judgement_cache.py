"""Judgements that are looked up before anybody is asked."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import anyio
import pytest

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.llm.structured import Structured
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement, Quote
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.thinkers.prompted.judgement_cache import JudgementCache
from deepresearch_mcp.thinkers.prompted.thinker import Prompted
from deepresearch_mcp.thinkers.tasks import JudgeClaims
from pipeline_fakes import MemoryJournal, idle

MakeClaim = Callable[..., Claim]
AT = Step("verify/q1/abc", ("read/q1/abc",))


class MemoryJudgements:
    """Implements `ports.store.Judgements` in memory."""

    def __init__(self) -> None:
        self.rows: dict[str, Judgement] = {}
        self.looked = 0

    async def find(self, subjects: Collection[str]) -> dict[str, Judgement]:
        self.looked += 1
        return {one: self.rows[one].model_copy(update={"claim_id": ""}) for one in subjects if one in self.rows}

    async def keep(self, judgements: Mapping[str, Judgement]) -> None:
        self.rows |= judgements


class Judge:
    """Finds everything partly supported; keeps what it was asked."""

    def __init__(self, error: Exception | None = None, gate: anyio.Event | None = None) -> None:
        self.asked: list[list[str]] = []
        self.keys: list[Step] = []
        self._error = error
        self._gate = gate

    async def __call__(self, claims: Sequence[Claim], step: Step) -> list[Judgement]:
        self.asked.append([claim.claim_id for claim in claims])
        self.keys.append(step)
        if self._gate:
            await self._gate.wait()
        if self._error:
            raise self._error
        return [Judgement(claim_id=claim.claim_id, verdict="partly", reason="less") for claim in claims]


def remembered(known: MemoryJudgements, journal: MemoryJournal | None = None, *models: str) -> JudgementCache:
    return JudgementCache(known, journal or MemoryJournal(), models or ("test:one",))


async def test_what_an_earlier_run_judged_is_not_asked_again(claim: MakeClaim) -> None:
    known, judge = MemoryJudgements(), Judge()
    await remembered(known).judge([claim(1)], AT, judge)

    found = await remembered(known).judge([claim(2), claim(1)], AT, judge)

    assert judge.asked == [["cfact1"], ["cfact2"]]
    assert judge.keys[1] == Step(AT.key, (f"{AT.key}/known",))
    assert [(one.claim_id, one.verdict, one.reason) for one in found] == [
        ("cfact2", "partly", "less"),
        ("cfact1", "partly", "less"),
    ]
    assert known.looked == 2


async def test_no_one_is_asked_where_all_is_known(claim: MakeClaim) -> None:
    known, judge = MemoryJudgements(), Judge()
    await remembered(known).judge([claim(1)], AT, judge)

    assert len(await remembered(known).judge([claim(1)], AT, judge)) == 1
    assert len(judge.asked) == 1


async def test_the_same_words_under_two_names_are_judged_once(claim: MakeClaim) -> None:
    judge, twin = Judge(), claim(1).model_copy(update={"claim_id": "ctwin"})

    found = await remembered(MemoryJudgements()).judge([claim(1), twin], AT, judge)

    assert judge.asked == [["cfact1"]]
    assert [one.claim_id for one in found] == ["cfact1", "ctwin"]


def test_another_model_other_words_or_another_page_are_another_subject(claim: MakeClaim) -> None:
    known, one = MemoryJudgements(), claim(1)
    elsewhere = Quote(source_id="s1", snapshot="0", start=0, end=5, text="words 1", context="It denies words 1.")
    subjects = {
        remembered(known).subject(one),
        remembered(known, None, "test:two").subject(one),
        remembered(known).subject(claim(1, text="Fact number 1 may hold.")),
        remembered(known).subject(claim(1, quotes=(elsewhere,))),
    }

    assert len(subjects) == 4
    assert remembered(known).subject(one) == remembered(known).subject(claim(1, score=3.0))


async def test_what_is_being_judged_is_waited_for_and_asked_where_that_fails(claim: MakeClaim) -> None:
    known, gate = MemoryJudgements(), anyio.Event()
    slow, quick, memory = Judge(gate=gate), Judge(), remembered(known)
    results: list[list[Judgement]] = []

    async def second() -> None:
        results.append(await memory.judge([claim(1), claim(2)], Step("verify/q2/def"), quick))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(memory.judge, [claim(1)], AT, slow)
        await idle()
        tasks.start_soon(second)
        await idle()
        assert quick.asked == []
        gate.set()

    assert quick.asked == [["cfact2"]]
    assert [one.claim_id for one in results[0]] == ["cfact1", "cfact2"]


async def test_where_each_round_counts_a_claim_that_is_being_judged_is_asked_about_at_once(claim: MakeClaim) -> None:
    known = JudgementCache(MemoryJudgements(), MemoryJournal(), ("client",), waits=False)
    gate = anyio.Event()
    first, second = Judge(gate=gate), Judge()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(known.judge, [claim("c1")], AT, first)
        await idle()
        other = replace(AT, key="verify/q2/abc")
        found = await known.judge([claim("c1"), claim("c2", text="Ice is light.")], other, second)
        gate.set()

    assert second.asked == [[claim("c1").claim_id, claim("c2").claim_id]]
    assert [one.claim_id for one in found] == second.asked[0]


async def test_who_fails_leaves_the_claims_to_others(claim: MakeClaim) -> None:
    memory, judge = remembered(MemoryJudgements()), Judge()

    with pytest.raises(UnreadableAnswer):
        await memory.judge([claim(1)], AT, Judge(UnreadableAnswer("x", "no shape")))

    assert len(await memory.judge([claim(1)], Step("verify/q2/def"), judge)) == 1


async def test_a_run_played_again_asks_about_the_same_claims(claim: MakeClaim) -> None:
    known, journal = MemoryJudgements(), MemoryJournal()
    await remembered(known, journal).judge([claim(1)], AT, Judge())
    judge = Judge()

    await remembered(known, journal.next_life()).judge([claim(1)], AT, judge)

    # The call itself is recorded by the model's own step, under the same key.
    assert judge.asked == [["cfact1"]]


async def test_a_claim_that_got_no_verdict_is_kept_by_no_one(claim: MakeClaim) -> None:
    known = MemoryJudgements()

    async def silent(claims: Sequence[Claim], step: Step) -> list[Judgement]:
        return []

    assert await remembered(known).judge([claim(1)], AT, silent) == []
    assert known.rows == {}


async def test_a_thinker_with_a_memory_pays_for_a_claim_once(model: Any, brief: Brief, claim: MakeClaim) -> None:
    memory = remembered(MemoryJudgements())
    thinker = Prompted({"verifier": Structured(model)}, "test:scripted", "8f3a", known=memory)
    model.script = [{"verdicts": [{"claim_id": "c1", "verdict": "supported"}]}]

    first = await thinker.ask(JudgeClaims(brief, [claim(1)]), AT)
    again = await thinker.ask(JudgeClaims(brief, [claim(1)]), Step("verify/q2/def"))

    assert [one.verdict for one in (*first, *again)] == ["supported", "supported"]
    assert len(model.calls) == 1

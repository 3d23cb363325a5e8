from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.evals.judged import JudgedCase, opinions
from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.exceptions import ProviderError, UnreadableAnswer
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

SEEN = ("Ice is lighter than water.", "So it floats.")


@dataclass
class Model(Thinker):
    """Judges as it is told, by the first word of a claim; knows no degrees."""

    verdicts: dict[str, Verdict | Exception]
    asked: list[Claim] = field(default_factory=list[Claim])
    keys: list[str] = field(default_factory=list[str])

    name = "scripted"

    async def ask(self, task: Any, step: Step) -> Any:
        claims: Sequence[Claim] = task.claims
        self.asked += claims
        self.keys.append(step.key)
        found: list[Judgement] = []
        for claim in claims:
            verdict = self.verdicts.get(claim.text.split()[0])
            if isinstance(verdict, Exception):
                raise verdict
            if verdict:
                found.append(Judgement(claim_id=claim.claim_id, verdict=verdict))
        return found


async def test_verdicts_without_degrees_become_one_a_half_and_nothing() -> None:
    model = Model({"A": "supported", "B": "partly", "C": "unsupported", "D": "disputed"})

    found = await opinions(
        "wice", [JudgedCase(f"{letter} floats.", SEEN) for letter in "ABCD"], Lab(model, HandClock())
    )

    assert found == [1.0, 0.5, 0.0, 0.0]


async def test_a_judge_who_tells_by_degrees_is_taken_by_its_score() -> None:
    page = ("The old bridge at Varn was closed in 1999 after a flood.",)
    claims = ("The bridge at Varn was closed in 1999.", "The bridge at Varn was painted blue in spring.")

    better, worse = await opinions(
        "wice", [JudgedCase(claim, page) for claim in claims], Lab(Extractive(), HandClock())
    )

    assert better is not None
    assert worse is not None
    assert 0 < worse < better < 1


async def test_the_judge_sees_each_stretch_as_a_quote_that_stands_where_it_says() -> None:
    model = Model({"Ice": "supported"})

    await opinions("wice", [JudgedCase("Ice floats.", SEEN)], Lab(model, HandClock()))

    [claim] = model.asked
    text = "\n".join(SEEN)
    assert [text[quote.start : quote.end] for quote in claim.quotes] == list(SEEN) == [q.text for q in claim.quotes]


async def test_a_case_that_comes_twice_is_asked_once() -> None:
    model = Model({"Ice": "supported", "Lead": "partly"})
    cases = [JudgedCase("Ice floats.", SEEN), JudgedCase("Lead sinks.", SEEN), JudgedCase("Ice floats.", SEEN)]

    assert await opinions("factcheck", cases, Lab(model, HandClock())) == [1.0, 0.5, 1.0]
    assert len(model.keys) == len(set(model.keys)) == 2
    assert all(key.startswith("factcheck/") for key in model.keys)


async def test_where_nothing_is_shown_no_one_is_asked() -> None:
    model = Model({"Ice": "supported"})

    found = await opinions("wice", [JudgedCase("Ice floats.", ()), JudgedCase(" ", SEEN)], Lab(model, HandClock()))

    assert found == [0.0, 0.0]
    assert model.asked == []


async def test_no_readable_judgement_is_no_opinion() -> None:
    model = Model({"Ice": UnreadableAnswer("model", "no JSON"), "Lead": "supported"})

    cases = [JudgedCase(f"{word} floats.", SEEN) for word in ("Ice", "Lead", "Wood")]
    assert await opinions("wice", cases, Lab(model, HandClock())) == [None, 1.0, None]


async def test_a_model_that_cannot_be_asked_ends_the_evaluation() -> None:
    model = Model({"Ice": ProviderError("model", "HTTP 500")})

    with pytest.RaisesGroup(ProviderError):
        await opinions("wice", [JudgedCase("Ice floats.", SEEN)], Lab(model, HandClock()))

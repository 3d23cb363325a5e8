from clocks import HandClock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.evidence import Judgement


def judged(verdict: str, reason: str = "") -> Judgement:
    return Judgement.model_validate({"claim_id": "c1", "verdict": verdict, "reason": reason})


async def test_a_judgement_is_found_by_its_subject_in_every_process(store: Store, other: Store) -> None:
    await store.judgements.keep({"a": judged("supported"), "b": judged("partly", "the year is another")})

    found = await other.judgements.find({"a", "b", "c"})

    assert found == {
        "a": Judgement(claim_id="", verdict="supported"),
        "b": Judgement(claim_id="", verdict="partly", reason="the year is another"),
    }


async def test_the_last_one_stands_and_nothing_is_nothing(store: Store, clock: HandClock) -> None:
    await store.judgements.keep({"a": judged("supported")})
    await store.judgements.keep({})
    clock.advance(1.0)
    await store.judgements.keep({"a": judged("unsupported", "it is not there")})

    assert (await store.judgements.find(["a"]))["a"].verdict == "unsupported"
    assert await store.judgements.find([]) == {}

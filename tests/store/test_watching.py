from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.ports.watching import PromptRow


async def test_prompts_are_kept_by_step_and_a_later_attempt_replaces_one(store: Store, other: Store) -> None:
    await store.prompts.keep("r1", PromptRow("plan", 2.0, "p:m", "planner", "You plan.", "Why?"))
    await store.prompts.keep("r1", PromptRow("read/q1/ab", 1.0, "p:m", "reader", "You read.", "A\0 half \ud800 pair"))
    await store.prompts.keep("r1", PromptRow("plan", 3.0, "p:n", "planner", "You plan.", "Why, again?"))

    first, second = await other.prompts.of("r1")

    assert (first.key, first.prompt, first.answer) == ("read/q1/ab", "A\ufffd half ? pair", None)
    assert (second.model, second.prompt) == ("p:n", "Why, again?")
    assert await store.prompts.of("r2") == []


async def test_the_first_attempt_of_a_run_names_its_trace_for_all_later_ones(store: Store, other: Store) -> None:
    await store.traces.join("r1", "00-caller")
    await store.traces.join("r1", "00-another")

    assert await store.traces.begin("r1", "00-first") == ("00-caller", "00-first")
    assert await other.traces.begin("r1", "00-second") == ("00-caller", "00-first")
    assert await store.traces.begin("r2", "00-alone") == ("", "00-alone")

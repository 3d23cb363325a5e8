from collections.abc import Callable
from typing import Any

import anyio

from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.work import ClientAnswer, ModelTask

Create = Callable[..., Any]

ASKED = InputRequest(inquiry_id="plan/approve/1", kind="approval", text="So?")
NEXT = InputRequest(inquiry_id="plan/approve/2", kind="approval", text="And so?")
YES = Reply(decision="approve")
REQUEST = ResearchRequest(question="Why does ice float?", max_pages=3)


async def test_a_run_that_waits_is_no_ones_and_its_question_is_seen_everywhere(
    store: Store, other: Store, create: Create
) -> None:
    await create(store)

    assert await store.inquiries.put("r1", ASKED, 101.0, {"seconds": 4.0})

    row = await other.runs.get("r1")
    assert row
    assert (row.status, row.owner, row.progress, row.updated) == ("input_required", None, {"seconds": 4.0}, 101.0)
    assert await other.inquiries.open("r1") == ASKED
    assert await other.inquiries.open("r2") is None
    assert not await store.runs.move("r1", 102.0, status="completed")
    assert await other.runs.adopt("", 103.0, 5) == await other.runs.waiting("") == []
    assert (await other.runs.joinable("me", "f", 0.0) or row).run_id == "r1"


async def test_a_reply_puts_the_run_into_the_queue_with_its_new_ceilings(
    store: Store, other: Store, create: Create
) -> None:
    await create(store)
    await store.inquiries.put("r1", ASKED, 101.0, {})

    assert await other.inquiries.reply("r1", ASKED.inquiry_id, YES, REQUEST, 102.0)
    assert not await store.inquiries.reply("r1", ASKED.inquiry_id, YES, REQUEST, 103.0)

    row = await store.runs.get("r1")
    assert row
    assert (row.status, row.owner, row.request.max_pages) == ("queued", None, 3)
    assert await store.inquiries.open("r1") is None
    assert await store.inquiries.replied("r1", ASKED.inquiry_id) == (ASKED, YES)
    assert await store.inquiries.replied("r1", NEXT.inquiry_id) is None
    assert await store.inquiries.last("r1") == YES
    taken = await other.runs.claim("r1", "", 104.0)
    assert taken
    assert (taken.status, taken.stage, taken.fence) == ("running", "created", 3)


async def test_declining_ends_the_run_at_once(store: Store, create: Create) -> None:
    await create(store)
    await store.inquiries.put("r1", ASKED, 101.0, {})

    assert await store.inquiries.reply("r1", ASKED.inquiry_id, Reply(decision="decline"), REQUEST, 102.0)

    row = await store.runs.get("r1")
    assert row
    assert (row.status, row.stage, row.ended, row.request.max_pages) == ("cancelled", "ended", 102.0, None)


async def test_asking_the_same_again_forgets_the_earlier_reply(store: Store, create: Create) -> None:
    await create(store)
    await store.inquiries.put("r1", ASKED, 101.0, {})
    await store.inquiries.reply("r1", ASKED.inquiry_id, YES, REQUEST, 102.0)
    await store.runs.claim("r1", "", 103.0)

    assert await store.inquiries.put("r1", ASKED, 104.0, {})

    assert await store.inquiries.replied("r1", ASKED.inquiry_id) is None
    assert await store.inquiries.open("r1") == ASKED
    assert await store.inquiries.last("r1") is None


async def test_only_a_run_of_ours_that_no_one_wants_to_end_is_let_go(
    store: Store, other: Store, create: Create
) -> None:
    await create(store)

    assert not await other.inquiries.put("r1", ASKED, 101.0, {})
    await other.runs.request_cancel("r1", 102.0)
    assert not await store.inquiries.put("r1", ASKED, 103.0, {})
    assert await store.inquiries.open("r1") is None
    assert not await store.inquiries.reply("r1", ASKED.inquiry_id, YES, REQUEST, 104.0)


async def test_a_run_that_waits_is_cancelled_at_once_and_takes_no_reply(store: Store, create: Create) -> None:
    await create(store)
    await store.inquiries.put("r1", ASKED, 101.0, {})

    assert await store.runs.request_cancel("r1", 102.0)

    row = await store.runs.get("r1")
    assert row
    assert row.status == "cancelled"
    assert not await store.inquiries.reply("r1", ASKED.inquiry_id, YES, REQUEST, 103.0)


async def test_what_was_kept_before_a_connection_broke_is_kept(store: Store, create: Create) -> None:
    await create(store)
    fences = dict(store.runs._owners.fences)  # pyright: ignore[reportAttributeAccessIssue] - as the first attempt had them

    assert await store.inquiries.put("r1", ASKED, 101.0, {})
    store.runs._owners.fences |= fences  # pyright: ignore[reportAttributeAccessIssue] - see above
    assert await store.inquiries.put("r1", ASKED, 101.0, {})
    assert await store.inquiries.reply("r1", ASKED.inquiry_id, YES, REQUEST, 102.0)
    assert await store.inquiries.reply("r1", ASKED.inquiry_id, YES, REQUEST, 102.0)
    assert not await store.inquiries.reply("r1", ASKED.inquiry_id, YES, REQUEST, 103.0)


def packet(name: str) -> ModelTask:
    return ModelTask(packet_id=name, mark="m", task="read", system="s", prompt="p", max_tokens=1)


WORK = InputRequest(inquiry_id="work/1", kind="work", text="Work.", packets=(packet("1.1"), packet("1.2")))


async def test_answers_to_work_are_kept_no_matter_who_brings_them_and_the_first_one_stands(
    store: Store, other: Store, create: Create
) -> None:
    await create(store)
    await store.inquiries.put("r1", WORK, 101.0, {})

    await store.inquiries.fill("r1", "work/1", {"1.1": ClientAnswer(text="a")}, ())
    filled = await other.inquiries.fill(
        "r1", "work/1", {"1.1": ClientAnswer(text="b"), "1.2": ClientAnswer(text="c")}, ()
    )

    assert filled == await store.inquiries.open("r1")
    assert filled
    assert [one.answered and one.answered.text for one in filled.packets] == ["a", "c"]


async def test_many_who_bring_answers_at_once_lose_none(store: Store, other: Store, create: Create) -> None:
    names = [f"1.{number}" for number in range(1, 9)]
    await create(store)
    await store.inquiries.put("r1", WORK.model_copy(update={"packets": tuple(map(packet, names))}), 101.0, {})

    async def bring(name: str, to: Store) -> None:
        await to.inquiries.fill("r1", "work/1", {name: ClientAnswer(text=name)}, ())

    async with anyio.create_task_group() as tasks:
        for number, name in enumerate(names):
            tasks.start_soon(bring, name, (store, other)[number % 2])

    found = await store.inquiries.open("r1")
    assert found
    assert [one.answered and one.answered.text for one in found.packets] == names


async def test_nothing_is_filled_in_where_the_run_waits_for_it_no_more(store: Store, create: Create) -> None:
    await create(store)
    await store.inquiries.put("r1", WORK, 101.0, {})
    await store.inquiries.reply("r1", "work/1", YES, REQUEST, 102.0)

    assert await store.inquiries.fill("r1", "work/1", {"1.1": ClientAnswer(text="a")}, ()) is None
    assert await store.inquiries.fill("r2", "work/1", {}, ()) is None


async def test_a_run_that_is_closed_is_queued_to_be_written_up_and_is_no_more_waited_for(
    store: Store, other: Store, create: Create
) -> None:
    await create(store)
    await store.inquiries.put("r1", WORK, 101.0, {})
    await store.inquiries.fill("r1", "work/1", {"1.1": ClientAnswer(text="a")}, ())

    assert await other.inquiries.close("r1", "work/1", 102.0)
    assert await other.inquiries.close("r1", "work/1", 102.0)  # As where the connection broke in between.
    assert not await store.inquiries.close("r1", "work/1", 103.0)
    assert await store.inquiries.fill("r1", "work/1", {"1.2": ClientAnswer(text="b")}, ()) is None

    known = await store.inquiries.replied("r1", "work/1")
    assert known
    assert ([packet.packet_id for packet in known[0].open], known[1].decision) == (["1.2"], "decline")
    row = await store.runs.get("r1")
    assert row
    assert (row.status, row.cancel, row.owner) == ("queued", True, None)
    assert [one.run_id for one in await other.runs.waiting(row.setup)] == ["r1"]
    taken = await other.runs.claim("r1", row.setup, 104.0)
    assert taken
    assert (taken.status, taken.cancel) == ("running", True)
    # No one joins what is being ended, and no one goes on with it but whoever asks for that.
    assert await store.runs.joinable(row.caller, row.fingerprint, 0.0) is None


async def test_a_run_that_does_not_wait_is_not_closed(store: Store, create: Create) -> None:
    await create(store)
    assert not await store.inquiries.close("r1", "work/1", 101.0)

    await store.inquiries.put("r1", WORK, 102.0, {})
    assert not await store.inquiries.close("r1", "work/2", 103.0)
    row = await store.runs.get("r1")
    assert row
    assert (row.status, row.cancel) == ("input_required", False)

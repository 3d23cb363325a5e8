import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.events import PageAdmitted, PageRead, PageUnread
from deepresearch_mcp.exceptions import BudgetExceeded, FetchFailed, FetchRefused, StoreError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.pages import Pages
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.records.sources import Document, Unread
from pipeline_fakes import FakeWeb, Heard, MemoryJournal, idle, page

ICE = page("https://a.example/ice", "Ice floats.", title="Ice")


async def test_anyone_who_wants_a_page_waits_for_its_one_fetch() -> None:
    clock, heard = HandClock(), Heard()
    web = FakeWeb([ICE], clock=clock, delays={ICE.url: 2}, journal=MemoryJournal())

    async with anyio.create_task_group() as tasks:
        pages = Pages(web, tasks, heard.append)
        first = pages.want(ICE.url, "q1", ("search/1",))
        await idle()
        second = pages.want("https://A.example/ice/?utm_source=x", "q2", ("search/2",))
        assert not second.done.is_set()
        clock.advance(2)
        await second.done.wait()

        assert second is first
        assert first.document == ICE
        assert (web.fetched, web.needs) == ([ICE.url], {ICE.url: ("search/1",)})
        assert first.key == steps.fetch(ICE.url)
        assert heard.of(PageAdmitted) == [PageAdmitted(ICE.url, "q1")]
        assert heard.of(PageRead) == [PageRead(ICE.url, "Ice", ICE.source_id, "q1")]
        assert pages.documents == {ICE.source_id: ICE}
        assert pages.unread == []


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (FetchFailed("u", "timed_out", "Nothing came within 20 s."), "timed_out"),
        (FetchRefused("u", "robots", "Its robots.txt asks us not to."), "robots"),
        (BudgetExceeded("max_pages", 12, 12), "ceiling"),
    ],
)
async def test_a_page_that_cannot_be_read_says_why_and_ends_nothing(error: Exception, reason: str) -> None:
    heard, other = Heard(), "https://b.example/1"

    async with anyio.create_task_group() as tasks:
        pages = Pages(FakeWeb({other: error, ICE.url: ICE}), tasks, heard.append)
        lost = pages.want(other, "q1", ())
        await pages.want(ICE.url, "q1", ()).done.wait()
        await lost.done.wait()

        [unread] = pages.unread
        assert (unread.url, unread.reason) == (other, reason)
        assert unread.detail
        assert heard.of(PageUnread) == [PageUnread(other, reason, unread.detail, "q1")]
        assert lost.document is None
        assert pages.documents == {ICE.source_id: ICE}


async def test_a_page_still_loading_when_the_research_ends_is_told_as_slow() -> None:
    clock, seen = HandClock(), list[Pages]()

    async with anyio.create_task_group() as tasks:
        pages = Pages(FakeWeb([ICE], clock=clock, delays={ICE.url: 60}), tasks, Heard().append)
        pages.want(ICE.url, "q1", ())
        seen.append(pages)
        await idle()
        tasks.cancel_scope.cancel()

    assert [(unread.url, unread.reason) for unread in seen[0].unread] == [(ICE.url, "slow")]


async def test_of_two_addresses_that_lead_to_one_page_what_was_read_first_stands() -> None:
    changed = page(ICE.url, "Ice floats today.").model_copy(update={"requested_url": "http://a.example/ice"})
    web = FakeWeb({ICE.url: ICE, "http://a.example/ice": changed})

    async with anyio.create_task_group() as tasks:
        pages = Pages(web, tasks, Heard().append)
        first = pages.want(ICE.url, "q1", ())
        await first.done.wait()
        second = pages.want("http://a.example/ice", "q1", ())
        await second.done.wait()

        assert second.document is first.document
        assert pages.documents == {ICE.source_id: ICE}


async def test_a_fault_of_the_store_is_no_unread_page() -> None:
    with pytest.raises(ExceptionGroup) as caught:
        async with anyio.create_task_group() as tasks:
            Pages(FakeWeb({ICE.url: StoreError("The disk is full.")}), tasks, Heard().append).want(ICE.url, "q1", ())

    assert isinstance(leaf(caught.value), StoreError)


async def test_a_page_that_there_is_an_objection_to_is_told_as_unread_and_no_document() -> None:
    heard, snow = Heard(), page("https://b.example/snow", "Snow falls.")

    def objection(document: Document) -> Unread | None:
        return Unread(url=document.url, reason="low_quality", detail="No.") if document.url == snow.url else None

    async with anyio.create_task_group() as tasks:
        pages = Pages(FakeWeb([ICE, snow]), tasks, heard.append, objection)
        refused, read = pages.want(snow.url, "q1", ()), pages.want(ICE.url, "q1", ())
        await refused.done.wait()
        await read.done.wait()

        assert (refused.document, read.document) == (None, ICE)
        assert pages.documents == {ICE.source_id: ICE}
        assert [(one.url, one.reason) for one in pages.unread] == [(snow.url, "low_quality")]
        assert heard.of(PageUnread) == [PageUnread(snow.url, "low_quality", "No.", "q1")]
        assert [event.url for event in heard.of(PageRead)] == [ICE.url]


async def test_a_secret_in_an_address_is_used_to_fetch_and_told_to_no_one() -> None:
    secret, heard = "https://a.example/gone?token=tops3cret", Heard()
    web = FakeWeb({secret: FetchFailed(secret, "not_found", "There is no page at this address.")})

    async with anyio.create_task_group() as tasks:
        pages = Pages(web, tasks, heard.append)
        wanted = pages.want(secret, "q1", ())
        assert pages.want(f"{secret}#part", "q2", ()) is wanted
        assert pages.has(secret)
        await wanted.done.wait()

    assert web.fetched == [secret]
    assert wanted.url == "https://a.example/gone"
    assert wanted.address == f"https://a.example/gone {steps.fetch(secret)}"
    assert "tops3cret" not in repr((pages.unread, list(heard), wanted))


async def test_two_pages_that_differ_in_what_was_cut_from_their_addresses_stay_two() -> None:
    first, second = (page(f"https://a.example/view?token={name}", f"All on {name}.") for name in ("ice", "snow"))

    async with anyio.create_task_group() as tasks:
        pages = Pages(FakeWeb([first, second]), tasks, Heard().append)
        one, other = pages.want(first.url, "q1", ()), pages.want(second.url, "q1", ())
        await one.done.wait()
        await other.done.wait()

    assert (one.document, other.document) == (first, second)
    assert one.url == other.url
    assert one.address != other.address


async def test_a_page_is_not_fetched_again_at_another_of_its_addresses() -> None:
    parts = ("https://a.example/ice?page=2", "https://a.example/ice?page=3")
    ice, told = ICE.model_copy(update={"also": parts}), list[tuple[str, object]]()
    web = FakeWeb([ice])

    async with anyio.create_task_group() as tasks:
        pages = Pages(web, tasks, Heard().append, is_also_at=lambda url, others: told.append((url, others)))
        read = pages.want(ice.url, "q1", ())
        await read.done.wait()

        assert pages.want(f"{parts[1]}#top", "q2", ()) is read
        assert pages.has(parts[0])
        assert pages.unread == []

    assert web.fetched == [ice.url]
    assert told == [(ice.url, parts)]

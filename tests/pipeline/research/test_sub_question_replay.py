from typing import Any

from clocks import HandClock
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.settings.schema import ResearchSettings
from pipeline_fakes import (
    FakeEngine,
    FakeWeb,
    MemoryJournal,
    hit,
    lead,
    page,
)
from sub_question_world import ICE, SNOW, World, document, hits, task, text, url


def eventful(journal: MemoryJournal, shift: float = 0.0) -> World:
    """Late engines, slow and failing pages, leads, a twin address, two sub-questions, two rounds."""
    clock, delay = HandClock(), {ICE: 0.8 - shift / 2, SNOW: 0.1}
    late = FakeEngine({ICE: hits(4, 5), SNOW: hits(1, 6)}, name="two", delay=delay, clock=clock)
    twin = "http://site1.example/1"
    return World(
        {ICE: [*hits(1, 2, 3), hit(twin)], SNOW: hits(2, 6), "ice crystal lattice": hits(7), "third question": hits(8)},
        {
            **{url(n): document(n, links=[url(9)]) for n in (1, 2, 4, 5, 6, 7, 8, 9)},
            twin: document(1).model_copy(update={"requested_url": twin}),
        },
        delays={url(1): 0.2 + shift, url(2): 0.9 - shift / 4, url(4): 2, url(5): 11, url(6): 1.5, twin: 2 - shift},
        leads={1: [lead(url=url(9)), lead(query="ice crystal lattice")], 6: [lead(query="ice crystal lattice")]},
        reading=1.0,
        pages_per_query=5,
        more_engines=(late,),
        journal=journal,
        clock=clock,
    )


ROUNDS = ([task(leads=2), task(SNOW, name="q2", leads=1)], [task("third question", turn=2)])


async def test_a_run_played_again_does_nothing_again_and_comes_to_the_same() -> None:
    first = await eventful(MemoryJournal()).run(*ROUNDS)
    assert len({*first.said("q1"), *first.said("q2")}) >= 5

    again = await eventful(first.journal.next_life(), shift=0.15).run(*ROUNDS)

    known = set(first.journal.finished)
    assert not known & set(again.journal.ran)
    assert set(first.said("q1")) <= set(again.said("q1"))
    assert set(first.said("q2")) <= set(again.said("q2"))
    assert not set(again.web.fetched) & {one for one in first.web.fetched if steps.fetch(one) in known}


async def test_wherever_a_run_is_killed_it_comes_to_its_end_and_repeats_no_finished_step() -> None:
    whole = (await eventful(MemoryJournal()).run(*ROUNDS)).journal.finished

    for killed in range(0, len(whole), 3):
        journal = (await eventful(MemoryJournal()).run(*ROUNDS)).journal
        kept = set(whole[:killed])
        again = await eventful(journal.next_life(without=lambda key, kept=kept: key not in kept), shift=0.15).run(
            *ROUNDS
        )

        assert not kept & set(again.journal.ran), f"killed after {whole[killed - 1]}"
        # A page that was read before the crash is read after it.
        assert len({*again.said("q1"), *again.said("q2")}) >= 5


async def test_after_a_crash_a_page_that_was_late_is_read_in_the_round_in_which_it_was_read_before() -> None:
    rounds = ([task()], [task(SNOW, turn=2)])
    first = World({ICE: hits(1, 2), SNOW: hits(3)}, [document(n) for n in (1, 2, 3)], delays={url(2): 7, url(3): 4})
    await first.run(*rounds)

    again = World(first.found, first.pages, journal=first.journal.next_life())
    await again.run(*rounds)

    assert first.said() == again.said() == ["1", "2", "3"]
    assert again.journal.ran == []


async def test_pages_that_cannot_come_any_more_after_a_crash_hang_no_one() -> None:
    world = World({ICE: hits(1)}, [document(1)], journal=MemoryJournal({"batch/q1/1/1": [url(1), url(99)]}))

    assert (await world.run([task()])).said() == ["1"]


async def test_after_a_crash_leads_know_the_hits_that_no_one_chose_again() -> None:
    admit = [
        key
        for key in (await World({ICE: hits(1, 2)}, [document(1)], pages_per_query=1).run([task()])).journal.keys
        if key.startswith("admit/")
    ]
    world = World(
        {ICE: hits(1, 2)},
        [document(1), document(2)],
        leads={1: [lead(url=url(2))]},
        pages_per_query=1,
        journal=MemoryJournal({admit[0]: [one.model_dump(mode="json") for one in hits(1)]}),
    )

    assert (await world.run([task(leads=1)])).said() == ["1", "2"]


async def test_a_page_is_read_with_the_words_it_was_read_with_whatever_is_known_earlier_after_a_crash() -> None:
    """A lead leads to a page that is being read: it asks for what no reader was shown of it."""
    eager = ResearchSettings(first_pages=1 / 3, first_wait=1.0, passage_tokens=350)
    given: dict[str, Any] = {"leads": {1: [lead(query=SNOW)]}, "delays": {url(2): 2.0}, "settings": eager}
    below, gap = "More stands below. " * 70, f"## Trains\n\n{'They run late on Sundays. ' * 40}"
    snow = f"## Snow\n\nSnow and ice differ in density says page number 3. {below}"
    long = page(url(2), f"## Ice\n\n{text(2)} {below}\n\n{gap}\n\n{snow}")
    first = World({ICE: hits(1, 2), SNOW: hits(2)}, [document(1), long], reading=5.0, **given)
    await first.run([task(leads=1)])
    chosen = [key for key in first.journal.finished if key.startswith("chosen/")]
    read = [key for key in first.journal.finished if key.startswith("read/")]

    again = World(first.found, first.pages, journal=first.journal.next_life(), **given)
    await again.run([task(leads=1)])

    assert [numbers for _, numbers in first.read] == [["1"], ["2"], ["3"]]
    assert again.journal.ran == []
    assert {*chosen, *read} <= set(again.journal.replayed)
    assert again.said() == first.said()


async def test_what_was_being_read_at_a_crash_is_asked_in_the_same_words_though_searches_answer_in_another_order() -> (
    None
):
    def world(late: str, journal: MemoryJournal) -> World:
        clock = HandClock()
        found = {ICE: hits(1, 2), SNOW: hits(3, 4)}
        slow = FakeEngine(found, clock=clock, delay={late: 0.5})
        world = World(found, [document(n) for n in (1, 2, 3, 4)], journal=journal, clock=clock)
        world.web = FakeWeb(world.pages, clock=clock, delays={url(n): 2 for n in (1, 2, 3, 4)}, journal=journal)
        world.engine = slow
        world.settings = world.settings.model_copy(update={"first_pages": 1.0, "first_wait": 5.0})
        return world

    first = await world(ICE, MemoryJournal()).run([task(ICE, SNOW)])
    unread = first.journal.next_life(without=lambda key: key.startswith(("read/", "verify/", "search/")))
    again = await world(SNOW, unread).run([task(ICE, SNOW)])

    assert again.read[0][1] == first.read[0][1]
    assert sorted(first.read[0][1]) == ["1", "2", "3", "4"]

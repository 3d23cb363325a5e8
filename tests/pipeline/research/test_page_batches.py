"""What is read of a batch of pages, and what becomes of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from deepresearch_mcp.events import Degraded, PageUnread, Verified
from deepresearch_mcp.exceptions import BudgetExceeded, UnreadableAnswer
from deepresearch_mcp.pipeline.findings import WHOLE_QUESTION
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import ClaimDraft, Reading
from deepresearch_mcp.records.plan import Brief, Hypothesis, SubQuestion
from deepresearch_mcp.records.sources import Document, Passage
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.base import EXTRACTIVE
from deepresearch_mcp.thinkers.tasks import ReadPassages
from pipeline_fakes import (
    hit,
    page,
)
from sub_question_world import ICE, SNOW, World, document, hits, task, text, url


async def test_claims_that_are_not_supported_are_kept_apart() -> None:
    world = World({ICE: hits(1, 2)}, [document(1), document(2)])

    def read(brief: Brief, part: SubQuestion, passages: Sequence[Passage], limit: int, step: Step) -> Reading:
        quote = "More stands below."
        return Reading(
            claims=tuple(ClaimDraft(text="It is 77.", quote=quote, passage_id=p.passage_id) for p in passages)
        )

    world.thinker.script["read"] = read

    await world.run([task()])

    assert world.of("q1").claims == []
    assert {claim.verdict for claim in world.of("q1").refused} == {"unsupported"}
    assert world.heard.of(Verified) == [Verified("q1", 0, 2)]


async def test_a_copy_of_a_page_is_fetched_and_not_paid_for_a_second_time() -> None:
    world = await World({ICE: hits(1, 2)}, [page(url(n), text(1), title="Ice") for n in (1, 2)]).run([task()])

    assert [numbers for _, numbers in world.read] == [["1"]]
    assert sorted(world.web.needs) == [url(1), url(2)]


async def test_no_one_verifies_where_nothing_is_claimed() -> None:
    world = World({ICE: hits(1)}, [document(1)])
    world.thinker.script["read"] = Reading()

    await world.run([task()])

    assert world.thinker.called("judge") == []
    assert world.of("q1").steps == []


def long_page(numbers: int) -> Document:
    """A page with as many sections that can be read, and others between them that say nothing of the matter."""
    snow = "Snow lies about. " * 65
    gap = f"## Trains\n\n{'They run late on Sundays. ' * 40}"
    return page(url(1), "\n\n".join(f"## Ice {n}\n\n{text(n)} {snow}\n\n{gap}" for n in range(1, numbers + 1)))


async def test_a_query_of_a_later_round_reads_on_where_a_page_was_read_before_and_fetches_nothing() -> None:
    world = World({ICE: hits(1), SNOW: hits(1)}, [long_page(3)], settings=ResearchSettings(passage_tokens=350))

    await world.run([task()], [task(SNOW, turn=2)])

    (_, first), (_, later) = world.read
    assert (len(first), len(later)) == (2, 1)
    assert sorted(first + later) == ["1", "2", "3"]
    assert world.web.fetched == [url(1)]


async def test_what_one_reader_was_shown_is_shown_to_no_other_in_the_first_round() -> None:
    world = World({ICE: hits(1), SNOW: hits(1)}, [long_page(5)], settings=ResearchSettings(passage_tokens=520))

    await world.run([task(), task(SNOW, name="q2")])

    (_, first), (_, second) = world.read
    assert sorted(first) == ["1", "2", "3"]
    assert sorted(second) == ["4", "5"]


async def test_what_was_read_for_the_whole_question_is_read_for_no_part_of_it_again() -> None:
    world = World({ICE: hits(1), SNOW: hits(1)}, [long_page(3)])

    await world.run([task(name=WHOLE_QUESTION)], [task(SNOW, name="q1")])

    assert [numbers for _, numbers in world.read] == [["1", "2", "3"]]


async def test_rules_which_read_for_one_sub_question_alone_see_the_best_passages_for_each() -> None:
    world = World({ICE: hits(1), SNOW: hits(1)}, [long_page(5)], settings=ResearchSettings(passage_tokens=500))
    world.thinker.name = EXTRACTIVE

    await world.run([task(), task(SNOW, name="q2")])

    (_, first), (_, second) = world.read
    assert set(second) - set(first), "what was not read yet"
    assert set(second) & set(first), "what is among the very best for this one too"


async def test_the_queries_of_a_later_round_are_read_for_together() -> None:
    found = {ICE: hits(1), SNOW: hits(2), "ice in lakes": hits(3)}
    world = World(found, [document(n) for n in (1, 2, 3)])

    await world.run([task()], [task(SNOW, "ice in lakes", turn=2)])

    assert [numbers for _, numbers in world.read] == [["1"], ["2", "3"]]


async def test_a_first_batch_leaves_room_for_the_pages_that_are_still_loading() -> None:
    # Of four pages the last is late; its sections are as good as those of the others.
    pages = [page(url(n), long_page(4).text) for n in (1, 2, 3, 4)]
    settings = ResearchSettings(passage_tokens=1_200, first_pages=0.75)
    late = await World({ICE: hits(1, 2, 3, 4)}, pages, delays={url(4): 4}, settings=settings).run([task()])
    whole = await World({ICE: hits(1, 2, 3, 4)}, pages, settings=settings).run([task()])

    def shown(world: World) -> list[int]:
        return [
            sum(estimate(one.text) for one in call.passages)
            for call in world.thinker.tasks
            if isinstance(call, ReadPassages)
        ]

    assert sum(shown(late)) <= 1.1 * sum(shown(whole))
    assert shown(late)[0] < shown(whole)[0]


async def test_a_page_reached_by_two_addresses_is_read_once_for_a_sub_question() -> None:
    twin = "http://site1.example/1"
    moved = document(1).model_copy(update={"requested_url": twin})
    world = World(
        {ICE: [*hits(1), hit(twin)], SNOW: [hit("http://www.site1.example/1")]},
        {url(1): document(1), twin: moved, "http://www.site1.example/1": moved},
        delays={twin: 2},
        reading=1,
    )

    await world.run([task()], [task(SNOW, turn=2)])

    assert len(world.thinker.called("read")) == 1
    assert world.said() == ["1"]


async def test_what_was_read_for_a_lead_is_not_read_for_it_again_when_a_late_page_says_nothing() -> None:
    late = page(url(2), "Trains run late on Sundays, says page number 2.")
    world = World(
        {ICE: [], SNOW: hits(1, 2)},
        [page(url(1), "Snow and ice differ in density, says page number 1."), late],
        delays={late.url: 4},
        silent=True,
        settings=ResearchSettings(passage_tokens=100),
    )

    await world.run([replace(task(SNOW, turn=2), towards=frozenset({SNOW}))])

    assert [numbers for _, numbers in world.read] == [["1"]]


async def test_hypotheses_direct_what_is_read_and_come_with_the_reading() -> None:
    snow = "Snow lies about. " * 65
    parts = (text(1), "Trains run late.", "Sails catch the wind.")
    told = page(url(1), "\n\n".join(f"## Part\n\n{one} {snow}" for one in parts))
    guess = Hypothesis(id="h1", statement="Trains run late", query="late trains")
    world = World({ICE: hits(1)}, [told], settings=ResearchSettings(passage_tokens=200))
    seen: list[Passage] = []

    def read(brief: Brief, part: SubQuestion, passages: Sequence[Passage], limit: int, step: Step) -> Reading:
        seen.extend(passages)
        return Reading()

    world.thinker.script["read"] = read
    await world.run([replace(task(), hypotheses=(guess,))])

    assert any("Trains run late." in one.text for one in seen)
    asked = world.thinker.tasks[-1]
    assert isinstance(asked, ReadPassages)
    assert asked.hypotheses == (guess,)
    assert asked.pages[told.source_id].url == told.url


async def test_a_reader_is_told_of_its_own_hypotheses_and_of_others_that_its_passages_speak_of() -> None:
    own = Hypothesis(id="h2", statement="Ice sinks", query="ice sinks")
    other = Hypothesis(id="h1", statement="Ice floats on water", query="ice floats")
    far = Hypothesis(id="h3", statement="Trains run late", query="late trains")
    world = World({ICE: hits(1)}, [document(1)], hypotheses=(far, other, own))

    await world.run([replace(task(), hypotheses=(own,))])

    [asked] = [one for one in world.thinker.tasks if isinstance(one, ReadPassages)]
    assert asked.hypotheses == (own, other)


MET = BudgetExceeded("max_tokens", 60_000, 60_000)


async def test_a_ceiling_met_by_one_batch_does_not_cost_those_that_are_being_paid_for() -> None:
    long = [page(url(n), text(n) + " Padding stands here." * 40) for n in (1, 2, 3)]
    world = World({ICE: hits(1, 2, 3)}, long, reading=2, settings=ResearchSettings(batch_chars=1000))
    asked: list[str] = []

    async def read(brief: Brief, part: SubQuestion, passages: Sequence[Passage], limit: int, step: Step) -> Reading:
        asked.append(step.key)
        if len(asked) == 2:
            raise MET
        await world.clock.sleep(2)
        return world.look(brief, part, passages, limit, step)

    world.thinker.script["read"] = read
    await world.run([task()])

    assert world.of("q1").spent == "max_tokens"
    assert len(world.said()) == 2


async def test_passages_that_no_one_could_read_are_told_of_and_the_rest_goes_on() -> None:
    world = World({ICE: hits(1)}, [document(1)])
    world.thinker.script["read"] = UnreadableAnswer("model", "no shape")

    await world.run([task()])

    [event] = world.heard.of(Degraded)
    assert (event.who, event.why, event.then) == ("model", "no shape", "they were skipped")
    assert event.about.startswith("1 passage of “")
    assert world.of("q1").claims == []


async def test_no_one_reads_what_stands_behind_a_wall() -> None:
    walled = document(2).model_copy(update={"flags": ("paywalled",)})

    world = await World({ICE: hits(1, 2)}, [document(1), walled]).run([task()])

    assert world.said() == ["1"]
    assert [numbers for _, numbers in world.read] == [["1"]]


async def test_choosing_what_is_read_of_a_page_counts_as_being_busy_and_reading_does_not() -> None:
    told: list[str] = []

    @contextmanager
    def busy() -> Iterator[None]:
        told.append("busy")
        yield
        told.append(f"free, {len(world.read)} read")

    world = World({ICE: hits(1)}, [document(1)], elsewhere=busy)
    await world.run([task()])

    assert told == ["busy", "free, 0 read"]
    assert len(world.read) == 1


async def test_what_is_not_good_enough_is_not_read_for_claims_and_the_rest_is_marked_with_its_standing() -> None:
    official = page("https://www.cdc.gov/1", text(1))
    farm = page("https://www.ehow.com/2", text(2))
    found = {ICE: [hit(official.url), hit(farm.url)]}

    everything = await World(found, [official, farm]).run([task()])
    choosy = await World(found, [official, farm], settings=ResearchSettings(min_source_quality=0.5)).run([task()])

    assert {one.quotes[0].source_id: one.standing for one in everything.of("q1").claims} == {
        official.source_id: "good",
        farm.source_id: "poor",
    }
    assert choosy.said() == ["1"]
    assert choosy.read == [(choosy.read[0][0], ["1"])]
    [refused] = choosy.heard.of(PageUnread)
    assert (refused.url, refused.reason) == (farm.url, "low_quality")

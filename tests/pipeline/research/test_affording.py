"""What a research would cost beside what it may, how sure that is, and who is asked about it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.budget import SET_ASIDE
from deepresearch_mcp.events import Cautioned
from deepresearch_mcp.pipeline.means import Means, Past
from deepresearch_mcp.pipeline.research.affording import (
    PastRun,
    afford,
    beside,
    budget_inquiry,
    cautions,
    expected_use,
    for_plan,
    load_of,
    past_of,
)
from deepresearch_mcp.pipeline.research.estimating import SHARES
from deepresearch_mcp.pipeline.research.width import all_rounds
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.plan import Estimate, Plan
from deepresearch_mcp.records.request import EFFORTS, Effort, ResearchRequest
from pipeline_fakes import Heard, MemoryJournal, part


class Priced:
    """A dollar for a million tokens in, five for a million out."""

    def model(self, role: Role) -> str:
        return "openai:x"

    def usd(self, role: Role, sent: int, written: int) -> float | None:
        return (sent + 5 * written) / 1e6


class Dear(Priced):
    def usd(self, role: Role, sent: int, written: int) -> float | None:
        return (sent + written) / 200


class Unpriced(Priced):
    def usd(self, role: Role, sent: int, written: int) -> float | None:
        return None


MEANS = Means(engines=("brave", "wikipedia"), query_usd={"brave": 0.005}, price=Priced(), models=True)
BY_RULE = Means(engines=("duckduckgo",))


def asked(**given: Any) -> ResearchRequest:
    return ResearchRequest.model_validate({"question": "Why does ice float?"} | given)


class Answering:
    """Whoever is asked says the same each time."""

    def __init__(self, reply: Reply | None = None) -> None:
        self.reply = reply or Reply(decision="approve")
        self.asked: list[InputRequest] = []

    async def ask(self, inquiry: InputRequest) -> Reply:
        self.asked.append(inquiry)
        return self.reply


class TestExpected:
    def test_it_says_what_it_would_cost_beside_the_ceiling_that_does_not_pay_for_it(self) -> None:
        found = expected_use(asked(max_usd=0.02), MEANS)
        free = expected_use(asked(), MEANS)

        assert (found.usd, found.tokens, found.searches) == (free.usd, free.tokens, free.searches)
        assert (found.usd or 0) > 0.1
        assert found.ceilings is not None
        assert found.ceilings.max_usd == 0.02
        assert [(one.ceiling, one.over) for one in found.pressed] == [("max_usd", True)]

    def test_queries_are_priced_apart_from_models(self) -> None:
        found = expected_use(asked(), MEANS)

        assert found.search_usd == pytest.approx(all_rounds(EFFORTS["standard"]) * 0.005)
        assert found.usd == pytest.approx(sum(stage.usd or 0 for stage in found.stages) + found.search_usd)

    @pytest.mark.parametrize("effort", list(EFFORTS))
    @pytest.mark.parametrize("means", [MEANS, BY_RULE, replace(MEANS, engines=("local", "brave", "wikipedia"))])
    def test_an_efforts_own_ceilings_press_on_nothing_and_lead_to_no_question(self, effort: Effort, means: Means):
        request = asked(effort=effort, asks=True)

        found = expected_use(request, means)

        assert found.pressed == ()
        assert budget_inquiry(found, request) is None
        assert cautions(found, request, models=means.models) == []

    def test_an_unknown_price_is_no_figure_and_presses_on_no_money(self) -> None:
        found = expected_use(asked(max_usd=0.0001), replace(MEANS, price=Unpriced()))

        assert (found.usd, found.usd_range) == (None, None)
        assert found.pressed == ()

    def test_without_earlier_runs_it_may_be_half_or_twice_and_says_so(self) -> None:
        found = expected_use(asked(), MEANS)
        thinking = (found.usd or 0) - found.search_usd

        assert (found.confidence, found.runs) == ("low", 0)
        assert found.usd_range == pytest.approx((found.search_usd + thinking / 2, found.search_usd + thinking * 2))
        assert found.tokens_range == (found.tokens // 2, found.tokens * 2)

    @pytest.mark.parametrize(("runs", "confidence"), [(2, "low"), (3, "medium"), (9, "medium"), (10, "high")])
    def test_with_earlier_runs_it_goes_by_what_they_used(self, runs: int, confidence: str) -> None:
        past = Past(tokens=(1.5,) * runs, seconds=(3.0,) * runs)

        bench, found = expected_use(asked(), MEANS), expected_use(asked(), replace(MEANS, past=past))

        assert (found.confidence, found.runs) == (confidence, runs)
        assert found.tokens == (bench.tokens if confidence == "low" else round(1.5 * bench.tokens))
        assert found.seconds == (bench.seconds if confidence == "low" else 3 * bench.seconds)

    @given(some.lists(some.floats(0.05, 20), min_size=3, max_size=30))
    def test_what_is_expected_always_lies_within_its_range(self, ratios: list[float]) -> None:
        found = expected_use(asked(), replace(MEANS, past=Past(tokens=tuple(ratios))))

        assert found.usd is not None
        assert found.usd_range is not None
        assert found.tokens_range is not None
        assert found.usd_range[0] - 1e-5 <= found.usd <= found.usd_range[1] + 1e-5
        assert found.tokens_range[0] - 1 <= found.tokens <= found.tokens_range[1] + 1


def test_the_searches_and_pages_of_narrow_questions_are_told_for_the_next_one_and_not_the_whole_breadth() -> None:
    request, plan = asked(), Plan(sub_questions=(part(),))
    first = expected_use(request, BY_RULE)
    runs = [PastRun(0, 6.0, first.searches // 8, first.pages // 8, BY_RULE.engines)] * 16

    found = expected_use(request, replace(BY_RULE, past=past_of(runs, request, 4, models=False)))

    assert found.confidence == "high"
    assert (found.searches, found.pages) == pytest.approx((first.searches / 8, first.pages / 8), abs=2)
    # A plan is priced by its own width, whatever that of the earlier runs was.
    planned, before = for_plan(found, plan, request), for_plan(first, plan, request)
    assert (planned.searches, planned.pages) == pytest.approx((before.searches, before.pages), abs=2)


def test_only_runs_of_the_same_kind_of_thinker_tell_what_another_will_use() -> None:
    guess = expected_use(asked(), replace(MEANS, engines=()))
    rules = expected_use(asked(), replace(BY_RULE, engines=()))
    runs = [PastRun(guess.tokens, 2 * guess.seconds), PastRun(tokens=0, seconds=2 * rules.seconds)]

    thought = past_of(runs, asked(), 4, models=True)
    by_rule = past_of(runs, asked(), 4, models=False)

    assert thought == Past(tokens=(1.0,), seconds=(2.0,))
    assert by_rule == Past(seconds=(2.0,))


@pytest.mark.parametrize("effort", list(EFFORTS))
@pytest.mark.parametrize("engines", [("brave",), ("local", "brave"), ("earlier", "brave", "wikipedia")])
@pytest.mark.parametrize("models", [True, False])
def test_runs_that_used_what_was_expected_of_them_change_no_estimate(
    effort: Effort, engines: tuple[str, ...], models: bool
) -> None:
    request, means = asked(effort=effort), replace(MEANS, engines=engines, models=models)
    first = expected_use(request, means)
    runs = [PastRun(first.tokens, first.seconds, first.searches, first.pages, engines)] * 12

    again = expected_use(request, replace(means, past=past_of(runs, request, means.pages_per_query, models=models)))

    assert (again.tokens, again.seconds, again.confidence) == (first.tokens, first.seconds, "high")


class TestForPlan:
    def test_a_narrow_plan_is_expected_to_use_less_and_its_parts_still_add_up(self) -> None:
        request = asked()
        whole = expected_use(request, MEANS)
        narrow = Plan(sub_questions=(part("q1", queries=("ice density", "hydrogen bonds")),))

        found = for_plan(whole, narrow, request)

        # The question and two queries, then two rounds of a sub-question.
        assert found.searches == 1 + 2 + 2 * 2
        assert found.tokens == sum(one.tokens for one in found.stages) < whole.tokens / 5
        assert found.usd == pytest.approx(sum(one.usd or 0 for one in found.stages) + found.search_usd, abs=1e-5)
        assert found.usd_range is not None
        assert found.usd_range[0] <= (found.usd or 0) <= found.usd_range[1]
        assert (found.seconds, found.confidence, found.ceilings) == (whole.seconds, whole.confidence, whole.ceilings)

    def test_a_ceiling_that_only_the_whole_breadth_came_near_presses_no_more(self) -> None:
        request = asked(max_searches=60)
        whole = expected_use(request, MEANS)
        narrow = Plan(sub_questions=(part("q1", queries=("ice density",)),))

        assert [one.ceiling for one in whole.pressed] == ["max_searches"]
        assert for_plan(whole, narrow, request).pressed == ()

    def test_an_unknown_price_stays_unknown_and_without_models_nothing_is_thought(self) -> None:
        plan = Plan(sub_questions=(part("q1", queries=("ice density",)),))

        unknown = for_plan(expected_use(asked(), replace(MEANS, price=Unpriced())), plan, asked())
        by_rule = for_plan(expected_use(asked(), BY_RULE), plan, asked())

        assert (unknown.usd, unknown.usd_range) == (None, None)
        assert (by_rule.tokens, by_rule.stages, by_rule.tokens_range) == (0, (), None)


class TestCautions:
    def test_ceilings_that_contradict_each_other_are_told(self) -> None:
        request = asked(max_searches=1, breadth=10)

        said = cautions(expected_use(request, BY_RULE), request, models=False)

        assert said[0] == (
            "The research would use about 100 searches for breadth 10 in 3 rounds, and max_searches allows 1 search: "
            "it is narrowed to fit, and may be incomplete."
        )

    def test_from_eighty_percent_of_a_ceiling_on_it_is_told(self) -> None:
        usd = expected_use(asked(), MEANS).usd or 0

        def said(max_usd: float) -> list[str]:
            request = asked(max_usd=max_usd)
            return cautions(expected_use(request, MEANS), request, models=True)

        assert said(usd / 0.79) == []
        [near] = said(usd / 0.81)
        assert near.startswith("The research is likely to use 81 % of max_usd: about $")
        [over] = said(usd * 0.5)
        assert over.startswith(f"The research would cost about ${usd:.4f} (")

    def test_what_is_left_of_a_day_is_a_ceiling_too(self) -> None:
        request = asked(asks=True)
        means = replace(MEANS, day={"limits.usd_per_day": 0.01, "limits.tokens_per_day": 10_000_000.0})
        found = expected_use(request, means)

        [said] = cautions(found, request, models=True)
        inquiry = budget_inquiry(found, request)

        assert "limits.usd_per_day has $0.0100 left" in said
        assert inquiry is not None
        assert inquiry.raised is None

    @pytest.mark.parametrize(
        ("given", "models", "why"),
        [
            ({}, False, "without a language model every draft is the same"),
            ({"mode": "answer"}, True, "only one answer is made, so there are no drafts to choose from"),
            ({"depth": 0}, True, "with depth=0 there is one answer"),
            ({}, True, ""),
        ],
    )
    def test_drafts_that_do_nothing_are_told(self, given: dict[str, Any], models: bool, why: str) -> None:
        request = asked(drafts=3, **given)
        said = cautions(expected_use(request, MEANS if models else BY_RULE), request, models=models)

        assert [one for one in said if "drafts=3 has no effect" in one and why in one] == said
        assert bool(said) == bool(why)


class TestInquiry:
    @pytest.mark.parametrize(
        "given",
        [{"asks": False}, {"clarify": "never"}, {"approve_plan": True}, {"max_usd": 50}, {"max_usd": None}],
    )
    def test_no_one_is_asked_without_need_or_where_no_one_can_answer(self, given: dict[str, Any]) -> None:
        request = asked(**{"max_usd": 0.02, "asks": True} | given)

        assert budget_inquiry(expected_use(request, MEANS), request) is None

    def test_how_far_it_may_look_is_told_but_not_asked_about(self) -> None:
        request = asked(asks=True, max_searches=1, max_pages=1)
        found = expected_use(request, MEANS)

        assert {one.ceiling for one in found.pressed} == {"max_searches", "max_pages"}
        assert budget_inquiry(found, request) is None

    @pytest.mark.parametrize(("usd", "offered"), [(900, 1000), (1000, None)])
    def test_no_ceiling_is_offered_that_a_request_may_not_have(self, usd: float, offered: float | None) -> None:
        request = asked(effort="exhaustive", max_usd=usd, asks=True)
        found = expected_use(request, replace(MEANS, price=Dear()))

        inquiry = budget_inquiry(found, request)

        assert (found.usd or 0) > 1000
        assert inquiry is not None
        assert (inquiry.raised.max_usd if inquiry.raised else None) == offered

    @given(some.floats(0.0001, 0.05), some.integers(1, 20_000))
    def test_the_ceiling_that_is_offered_is_enough_for_the_dear_end_of_the_range(self, usd: float, tokens: int) -> None:
        request = asked(max_usd=usd, max_tokens=tokens, asks=True)
        found = expected_use(request, MEANS)
        inquiry = budget_inquiry(found, request)

        assert inquiry is not None
        assert inquiry.raised is not None
        assert found.usd_range is not None
        assert found.tokens_range is not None
        research = 1 - SET_ASIDE
        assert found.usd_range[1] <= (inquiry.raised.max_usd or 0) * research <= 1.2 * found.usd_range[1]
        assert found.tokens_range[1] <= (inquiry.raised.max_tokens or 0) * research <= 1.2 * found.tokens_range[1]
        raised = request.model_copy(update=inquiry.raised.over(request))
        assert budget_inquiry(beside(found, raised, {}), raised) is None


class TestAfford:
    async def test_the_user_is_asked_once_in_the_life_of_a_run(self) -> None:
        journal, asker, heard = MemoryJournal(), Answering(), Heard()
        request = asked(max_usd=0.02, asks=True)

        found = await afford(request, MEANS, asker, journal, heard.append)
        again = await afford(request, MEANS, asker, journal.next_life(), heard.append)

        assert [inquiry.kind for inquiry in asker.asked] == ["budget"]
        assert asker.asked[0].estimate == found == again
        assert len(heard.of(Cautioned)) == 2
        assert journal.keys == ["estimate", "plan/afford"]

    async def test_in_a_later_life_it_goes_by_what_was_known_at_its_beginning(self) -> None:
        journal, asker = MemoryJournal(), Answering()
        request = asked(max_usd=5, asks=True)
        dear = replace(MEANS, past=Past(tokens=(90.0,) * 5), day={"limits.usd_per_day": 0.001})

        first = await afford(request, MEANS, asker, journal, Heard().append)
        later = await afford(request, dear, asker, journal.next_life(), Heard().append)

        assert first == later
        assert asker.asked == []

    async def test_a_raised_ceiling_needs_no_caution(self) -> None:
        journal, heard = MemoryJournal(), Heard()
        request = asked(max_usd=0.02, asks=True)
        await afford(request, MEANS, Answering(), journal, Heard().append)

        raised = await afford(
            request.model_copy(update={"max_usd": 2.0}), MEANS, Answering(), journal.next_life(), heard.append
        )

        assert heard.of(Cautioned) == []
        assert raised.ceilings is not None
        assert raised.ceilings.max_usd == 2.0


def test_the_load_of_a_query_leaves_out_what_the_report_itself_costs() -> None:
    request = asked()
    found = expected_use(request, MEANS)

    load = load_of(found, request, MEANS)

    assert (load.searches, load.groups, load.query_usd, load.cheapest_usd) == (1, 1, 0.005, 0.005)
    assert load.page_tokens == pytest.approx((1 - SHARES["writer"]) * found.tokens / found.pages)
    assert load.page_usd == pytest.approx((1 - SHARES["writer"]) * ((found.usd or 0) - found.search_usd) / found.pages)


def test_an_estimate_stored_before_it_told_ranges_can_still_be_read() -> None:
    old = '{"usd":0.1,"tokens":1,"searches":1,"pages":1,"seconds":1.0,"stages":[]}'

    assert Estimate.model_validate_json(old).confidence == "low"

"""What a draft leaves open, looked up before it is told as not found."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.more_evidence import NoMoreEvidence
from deepresearch_mcp.pipeline.report.report_facts import ReportFacts
from deepresearch_mcp.pipeline.report.spot_look import SpotLook
from deepresearch_mcp.records.evidence import Claim, ClaimDraft
from deepresearch_mcp.records.plan import Scope
from deepresearch_mcp.records.report import Block, Draft, Sentence, SpotFill, WrittenSection
from deepresearch_mcp.thinkers.tasks import OpenSpot
from pipeline_fakes import Heard, ScriptedThinker, brief, claim, page

LIMITS = page(
    "https://one.example/limits",
    "# Limits\n\nA tsvector is smaller than 1 megabyte.\n\n# Waiting\n\nThe wait of a lock has no end by default.",
    title="Limits of Postgres",
)
OTHER = page("https://two.example/fish", "Fish live below the ice in winter.", title="On fish")
SIZE = claim(LIMITS, "A tsvector is smaller than 1 megabyte.", covers=("s1a1",))
FISH = claim(OTHER, "Fish live below the ice in winter.")
WAIT = claim(LIMITS, "The wait of a lock has no end by default.")
SCOPE = Scope(subjects=("Postgres",), aspects=("Room for a text",))
FULL = Sentence(text="about so much", claim_ids=(FISH.claim_id,))


def tabled(*labels: str) -> Draft:
    """A table whose column "Postgres" is empty."""
    rows = tuple((Sentence(text=one), Sentence(text="–"), FULL) for one in labels)
    table = Block(kind="table", head=("Matter", "Postgres", "Fish"), rows=rows)
    return Draft(title="T", sections=(WrittenSection(heading="Compared", blocks=(table,)),))


class Pages(NoMoreEvidence):
    """Every quote that a thinker proposes stands on its page."""

    def __init__(self) -> None:
        self.asked: dict[str, ClaimDraft] = {}

    async def proposed(self, drafts: Mapping[str, ClaimDraft]) -> Mapping[str, Claim]:
        self.asked |= drafts
        return {name: claim(LIMITS, one.quote, one.text) for name, one in drafts.items()}


def known(thinker: ScriptedThinker, more: Any = None, *, in_rounds: bool = False) -> ReportFacts:
    asked = brief().model_copy(update={"scope": SCOPE})
    findings = Findings(asked, documents={one.source_id: one for one in (LIMITS, OTHER)})
    findings.of("q1").claims += [FISH, SIZE]
    found = ReportFacts(findings, thinker, Heard().append, more or NoMoreEvidence(), in_rounds=in_rounds)
    found.settle()
    return found


async def filled(draft: Draft, thinker: ScriptedThinker, more: Any = None) -> Sequence[tuple[Sentence, ...]]:
    done, _ = await SpotLook(known(thinker, more)).filled(draft, ("edit/1",))
    return done.sections[0].blocks[0].rows


async def test_an_empty_cell_is_shown_with_the_claims_of_its_field_and_the_passages_of_all_pages() -> None:
    thinker = ScriptedThinker()

    done, needs = await SpotLook(known(thinker)).filled(tabled("Room for a text", "Wait for a lock"), ("edit/1",))

    [call] = thinker.called("fill")
    spots: Sequence[OpenSpot] = call.whole.spots
    assert [one.text for one in spots[0].claims] == [SIZE.text]
    assert ["The wait of a lock" in one.text for one in spots[1].passages] == [True]
    assert done == tabled("Room for a text", "Wait for a lock")
    assert call.step.depends_on == ("edit/1",)
    assert needs == ("edit/1", call.step.key)


async def test_a_cell_takes_what_a_claim_says_and_says_where_it_does_not_apply() -> None:
    fills = [
        SpotFill(spot=0, text="below 1 MB", claim_ids=(SIZE.claim_id,)),
        SpotFill(spot=1, text="n/a"),
        SpotFill(spot=7, text="far", claim_ids=(SIZE.claim_id,)),
    ]

    rows = await filled(tabled("Room for a text", "Fins", "Depth"), ScriptedThinker(fill=fills))

    assert [row[1] for row in rows] == [
        Sentence(text="below 1 MB", claim_ids=(SIZE.claim_id,)),
        Sentence(text="n/a"),
        Sentence(text="–"),
    ]


async def test_what_only_a_page_says_goes_through_the_gates_of_claims() -> None:
    draft = ClaimDraft(text="A lock waits for ever.", quote=WAIT.text, passage_id=f"{LIMITS.source_id}:0")
    fills, pages = [SpotFill(spot=0, text="without end", proposed=draft)], Pages()

    [row] = await filled(tabled("Wait for a lock"), ScriptedThinker(fill=fills), pages)
    [refused] = await filled(tabled("Wait for a lock"), ScriptedThinker(fill=fills))

    assert row[1].text == "without end"
    assert row[1].claim_ids == (claim(LIMITS, WAIT.text, draft.text).claim_id,)
    assert list(pages.asked.values()) == [draft]
    assert refused[1] == Sentence(text="–")


async def test_a_sentence_that_says_nothing_was_found_gives_way_to_what_was() -> None:
    absent = Sentence(text="The documentation gives no size of a tsvector.", absence=True)
    draft = Draft(title="T", sections=(WrittenSection.of_prose("Limits", [[FULL, absent]]),))
    said = "A tsvector is smaller than 1 MB."

    rows = await filled(draft, ScriptedThinker(fill=[SpotFill(spot=0, text=said, claim_ids=(SIZE.claim_id,))]))
    kept = await filled(draft, ScriptedThinker(fill=[SpotFill(spot=0, text="n/a")]))

    assert rows == ((FULL, Sentence(text=said, claim_ids=(SIZE.claim_id,))),)
    assert kept == ((FULL, absent),)


@pytest.mark.parametrize("error", [ProviderError("m", "gone"), BudgetExceeded("max_tokens", 1, 1)])
async def test_what_cannot_be_asked_about_stays(error: Exception) -> None:
    draft = tabled("Wait for a lock")

    assert await SpotLook(known(ScriptedThinker(fill=error))).filled(draft, ("edit/1",)) == (draft, ("edit/1",))


async def test_a_refused_key_ends_the_run() -> None:
    with pytest.raises(KeyRefused):
        await filled(tabled("Wait for a lock"), ScriptedThinker(fill=KeyRefused("m", "HTTP 401")))


async def test_without_open_spots_and_where_rounds_count_nothing_is_asked() -> None:
    thinker = ScriptedThinker()
    full = Draft(title="T", sections=(WrittenSection.of_prose("Limits", [[FULL]]),))

    assert (await SpotLook(known(thinker)).filled(full, ()))[0] == full
    await SpotLook(known(thinker, in_rounds=True)).filled(tabled("Wait"), ())
    assert thinker.calls == []

"""Look up what a draft leaves open, in all verified claims and all pages of the run, before it is told as not found."""

from collections.abc import Sequence
from itertools import zip_longest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.report.absences import matter_of
from deepresearch_mcp.pipeline.report.editing import renamed
from deepresearch_mcp.pipeline.report.nearest_passages import NearestPassages
from deepresearch_mcp.pipeline.report.open_spots import Spot, open_spots, with_filled
from deepresearch_mcp.pipeline.report.report_facts import ReportFacts
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import NOT_APPLICABLE, Draft, Sentence, SpotFill
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.tokens import estimate
from deepresearch_mcp.thinkers.tasks import FillSpots, OpenSpot

_MOST = 30
"""Spots that are looked up."""
_CLAIMS = 4
"""Claims that are shown for one spot."""
_PASSAGES = 2
_IN_ALL = 2_500
"""Tokens of all passages together."""
_SHARE = 100
"""They get at most this part of the tokens of a run."""
_COLUMN = 0.7
"""The weight of the words of a column beside those of a row: every cell of the column shares them."""
_BEFORE = 0.5
"""The same of the sentence before one that says "that" or "it"."""
_UNDER = 0.3
"""The same of the heading of the section."""
_LEAST = 0.5
"""Share of the rarity of the words of a row and column that a passage must hold."""


class SpotLook:
    """Looks up the open spots of drafts of one report; one call for all of them."""

    def __init__(self, known: ReportFacts, nearest: NearestPassages | None = None) -> None:
        self._known = known
        self._nearest = nearest or NearestPassages()
        self._nearest.know(known.findings.documents)

    async def filled(self, draft: Draft, needs: tuple[str, ...]) -> tuple[Draft, tuple[str, ...]]:
        """The draft with what was found for its open spots, and the steps that it comes from now.

        A claim that only a page has goes through the same gates as one that a writer proposes. What cannot be asked
        about stays as it is.

        Raises:
            KeyRefused: Every later call would fail too.
        """
        known = self._known
        spots = [] if known.in_rounds else open_spots(draft)[:_MOST]
        if not spots:
            return draft, needs
        claims = self._claims(spots)
        passages = await self._passages(spots)
        asked = [
            OpenSpot(spot.place, tuple(own), tuple(near), spot.is_cell)
            for spot, own, near in zip(spots, claims, passages, strict=True)
        ]
        step = steps.fill([spot.place for spot in spots], needs)
        try:
            fills = await known.thinker.ask(FillSpots(known.brief, asked, known.findings.documents), step)
        except KeyRefused:
            raise
        except (BudgetExceeded, ProviderError):
            return draft, needs
        located = await known.proposed({f"fill.{one.spot}": one.proposed for one in fills if one.proposed})
        found = {
            spots[one.spot].at: said
            for one in fills
            if 0 <= one.spot < len(spots) and (said := _said(one, spots[one.spot], located.get(f"fill.{one.spot}")))
        }
        return renamed(with_filled(draft, found), known.claims), (*needs, step.key)

    def _claims(self, spots: Sequence[Spot]) -> list[list[Claim]]:
        """For each spot the claims that come nearest to it, by their words and by the cells that they speak of."""
        facts, scope = self._known.facts, self._known.brief.scope
        points = {cell.id: f"{cell.subject} {cell.aspect}" for cell in scope.cells}
        ranker = Ranker(
            [
                " ".join((one.text, one.quotes[0].heading, *(points[name] for name in one.covers if name in points)))
                for one in facts
            ]
        )
        found: list[list[Claim]] = []
        for spot in spots:
            texts = (_row(spot), spot.column_name, spot.under, spot.before)
            row, column, under, before = (ranker.shares(text)[0] for text in texts)
            worth = [
                row[at] + _COLUMN * column[at] + _UNDER * under[at] + _BEFORE * before[at]
                if (row[at] or not any(row)) and (column[at] or not any(column))
                else 0.0
                for at in range(len(facts))
            ]
            order = sorted(range(len(facts)), key=lambda at: (-worth[at], -facts[at].weight, at))
            found.append([facts[at] for at in order[:_CLAIMS] if worth[at] > 0])
        return found

    async def _passages(self, spots: Sequence[Spot]) -> list[list[Passage]]:
        """For each spot the passages of two pages that come nearest to it; the first of all spots before the second."""
        cited = {quote.source_id for one in self._known.facts for quote in one.quotes}
        near = [
            await self._nearest.of(
                f"{_row(spot)} {spot.column_name}",
                _PASSAGES,
                pages=_PASSAGES,
                beside={spot.under: _UNDER} | ({spot.before: _BEFORE} if spot.before else {}),
                each=(_row(spot), spot.column_name),
                favoured=cited,
                least=_LEAST,
            )
            for spot in spots
        ]
        room = min(_IN_ALL, self._known.brief.request.shape.max_tokens // _SHARE)
        taken: set[str] = set()
        for turn in zip_longest(*near):
            for one in sorted((one for one in turn if one), key=lambda one: -one.share):
                cost = 0 if one.passage.passage_id in taken else estimate(one.passage.text)
                if cost <= room:
                    room -= cost
                    taken.add(one.passage.passage_id)
        return [[one.passage for one in own if one.passage.passage_id in taken] for own in near]


def _row(spot: Spot) -> str:
    return matter_of(spot.words)


def _said(fill: SpotFill, spot: Spot, located: Claim | None) -> Sentence | None:
    """What stands in the spot; None where it stays as it is."""
    if fill.text == NOT_APPLICABLE:
        return Sentence(text=NOT_APPLICABLE) if spot.is_cell else None
    ids = (located.claim_id,) if located else fill.claim_ids
    return Sentence(text=fill.text, claim_ids=ids) if fill.text and ids else None

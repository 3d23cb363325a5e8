"""Cite: hold a report to as many citations as it may have; what is least needed goes first."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from deepresearch_mcp.pipeline.numbering import WITNESSES, QuotePlace, numbered_quotes, place_of_quote
from deepresearch_mcp.pipeline.report.pieces import Piece, edited, edited_sections
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft, Sentence


@dataclass(frozen=True, slots=True)
class CitedDraft:
    """A draft, and the places that it may cite."""

    draft: Draft
    places: frozenset[QuotePlace] | None
    """None: all of them."""

    def may(self, claim: Claim) -> bool:
        """Whether a sentence that states this claim gets a mark."""
        return self.places is None or any(place_of_quote(quote) in self.places for quote in numbered_quotes(claim))


def within(draft: Draft, claims: Mapping[str, Claim], most: int) -> CitedDraft:
    """The draft with at most `most` places cited; 0: as many as there are.

    Kept first: what the direct answer cites, then one place of each source before a second of any, the best supported
    and best scored ones first. A claim that loses a witness keeps its others. A sentence none of whose places is left
    goes, so that none stands without a mark.
    """
    if not most:
        return CitedDraft(draft, None)
    cited = CitedDraft(draft, _kept(draft, claims, most))
    shown = frozenset(name for name, claim in claims.items() if cited.may(claim))
    return replace(cited, draft=_each(draft, shown))


def _kept(draft: Draft, claims: Mapping[str, Claim], most: int) -> frozenset[QuotePlace]:
    """The places that keep their numbers."""
    opening = {name for sentence in draft.in_short for name in sentence.rests_on}
    named = list(dict.fromkeys(name for sentence in draft.sentences for name in sentence.rests_on if name in claims))
    ranked = sorted(named, key=lambda name: (name not in opening, *_rank(claims[name])))
    # A claim's first witness carries its words; the others follow once every claim has had its turn.
    wanted = [[place_of_quote(quote) for quote in numbered_quotes(claims[name])] for name in ranked]
    turns = [places[turn] for turn in range(WITNESSES) for places in wanted if turn < len(places)]
    first = [places[0] for name, places in zip(ranked, wanted, strict=True) if name in opening]
    kept: dict[QuotePlace, None] = dict.fromkeys(list(dict.fromkeys(first))[:most])
    for again in (False, True):
        sources = {place[0] for place in kept}
        for place in turns:
            if len(kept) < most and (again or place[0] not in sources):
                kept[place] = None
                sources.add(place[0])
    return frozenset(kept)


def _rank(claim: Claim) -> tuple[bool, float, int, str]:
    return (claim.verdict == "partly", -claim.score, -claim.backing, claim.claim_id)


def _each(draft: Draft, shown: frozenset[str]) -> Draft:
    def change(piece: Piece) -> tuple[Sentence, ...]:
        one = piece.sentence
        left = {
            "claim_ids": tuple(name for name in one.claim_ids if name in shown),
            "premises": tuple(name for name in one.premises if name in shown),
        }
        # The audit judges what named no claim before.
        bare = bool(one.text) and not one.rests_on
        return (one.model_copy(update=left),) if bare or any(left.values()) else ()

    return draft.model_copy(
        update={
            "in_short": edited(draft.in_short, change),
            "described": edited(draft.described, change),
            "sections": edited_sections(draft, change),
            "differences": edited(draft.differences, change),
        }
    )

"""Gaps held against the report: what a sentence of it, or a verified claim of the run, answers is no gap."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report.absences import StoredPages, terms_of
from deepresearch_mcp.pipeline.report.nearest_passages import IDENTIFIER
from deepresearch_mcp.pipeline.report.pieces import pieces_in
from deepresearch_mcp.records.evidence import KEPT
from deepresearch_mcp.records.report import Draft, Gap, GapCheck
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.text.tokens import first_fitting
from deepresearch_mcp.thinkers.base import AskedGap, Thinker
from deepresearch_mcp.thinkers.tasks import CheckGaps

MOST_CHECKED = 12
"""Gaps that are put to a model."""
_BESIDE = 14
"""Sentences and claims that it sees beside each."""
_OWN = 5
"""Of these so many sentences of the report at most, those with its rarest words, come first."""
_PASSAGES = 6
"""Passages of the stored pages that it sees beside a gap."""
_IN_ALL = 13_000
"""Tokens of the passages of all gaps; each has an equal share, as a gap without a passage is printed unseen."""
_LEAST_WORDS = 5
_SPOKEN_OF = 0.6
"""Share of a gap's words, by their rarity, from which one sentence may answer it."""
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*")
"""A version, most often."""


def facts_of(findings: Findings, draft: Draft) -> list[str]:
    """The claims that stand, and the sentences of a report, cells with row and column, each once."""
    claims = (claim.text for claim in findings.settled().values() if claim.verdict in KEPT)
    return list(dict.fromkeys((*claims, *_sentences_of(draft))))


def _sentences_of(draft: Draft) -> list[str]:
    running = (one.text for one in (*draft.in_short, *draft.described, *draft.differences))
    # What says that nothing was found answers nothing.
    pieces = (one.statement for one in pieces_in(draft) if not one.sentence.absence)
    return [text for text in dict.fromkeys((*running, *pieces)) if len(text.split()) >= _LEAST_WORDS]


async def checked(
    findings: Findings,
    draft: Draft,
    gaps: Sequence[Gap],
    thinker: Thinker,
    needs: tuple[str, ...],
    pages: StoredPages | None = None,
) -> tuple[GapCheck, ...]:
    """How each gap stands, as a model says; nothing where it cannot be asked, so that words alone must tell.

    It sees the sentences of the report with the rarest words of the gap, what else comes nearest to it, and the best
    passages of the stored pages. What is left of a gap that is partly answered is looked for once more, in its own
    words: beside the rest of the gap, the passages that it shares no word with came first.

    Raises:
        KeyRefused: Every later call would fail too.
    """
    facts = facts_of(findings, draft)
    if not gaps or not facts:
        return ()
    check = _Check(findings, facts, _sentences_of(draft), thinker, pages)
    found = await check.of(gaps[:MOST_CHECKED], needs)
    left = {one.rest: one for one in found if one.status == "partly" and one.rest}
    asked = {gap.missing: gap for gap in gaps}
    rests = [asked[one.missing].model_copy(update={"missing": rest}) for rest, one in left.items()]
    again = {one.missing: one for one in await check.of(rests, needs)}
    return tuple(_second(one, again.get(one.rest)) for one in found)


def _second(check: GapCheck, again: GapCheck | None) -> GapCheck:
    """What stands of a gap after the second look at its rest."""
    if check.status != "partly" or again is None or again.status == "open":
        return check
    return check.model_copy(update={"status": again.status, "rest": again.rest})


class _Check:
    """Puts gaps to a model, each with what comes nearest to it."""

    def __init__(
        self,
        findings: Findings,
        facts: Sequence[str],
        said: Sequence[str],
        thinker: Thinker,
        pages: StoredPages | None,
    ) -> None:
        self._brief = findings.brief
        self._facts, self._said = facts, said
        self._ranker, self._own = Ranker(facts), Ranker(said)
        self._thinker = thinker
        self._pages = pages

    async def of(self, gaps: Sequence[Gap], needs: tuple[str, ...]) -> tuple[GapCheck, ...]:
        """What a model says of each; nothing where it cannot be asked."""
        if not gaps:
            return ()
        asked = [await self._asked(one, _IN_ALL // len(gaps)) for one in gaps]
        step = steps.gap_check([one.missing for one in asked], needs)
        try:
            return tuple(await self._thinker.ask(CheckGaps(self._brief, asked), step))
        except KeyRefused:
            raise
        except (BudgetExceeded, ProviderError):
            return ()

    async def _asked(self, gap: Gap, share: int) -> AskedGap:
        closest = next((self._facts[at] for at in self._ranker.top(gap.missing, 1)), "")
        passages = first_fitting(await _near(gap, closest, self._pages) if self._pages else [], share)
        return AskedGap(gap.missing, self._beside(gap.missing), passages)

    def _beside(self, missing: str) -> tuple[str, ...]:
        shares, _ = self._own.shares(missing)
        rarest = sorted((at for at, share in enumerate(shares) if share > 0), key=lambda at: (-shares[at], at))[:_OWN]
        nearest = (self._facts[at] for at in self._ranker.top(missing, _BESIDE))
        return tuple(dict.fromkeys((*(self._said[at] for at in rarest), *nearest)))[:_BESIDE]


async def _near(gap: Gap, closest: str, pages: StoredPages) -> list[str]:
    """The passages nearest to a gap's own words, to its query, and to the closest of what is known, in turn.

    A page may say it in the words of either; or in none of them, in the entry that the report cites for its neighbour.
    """
    asked = dict.fromkeys((gap.missing, gap.query, closest))
    found = [await pages.nearest(words, whole=True) for words in asked if words.strip()]
    texts = (one.text for turn in zip_longest(*found) for one in turn if one)
    return list(dict.fromkeys(texts))[:_PASSAGES]


class SpokenOf:
    """Tells by words alone whether the report speaks of what a gap names: rather nothing is said than a false gap."""

    def __init__(self, facts: Sequence[str]) -> None:
        self._facts = [(terms_of(fact), fact.casefold()) for fact in facts]
        self._number = Counter(term for terms, _ in self._facts for term in terms)

    def knows(self, missing: str) -> bool:
        """Whether one sentence has most of its telling words, and one of its names and numbers if it has any."""
        wanted = terms_of(missing)
        names = {name.casefold() for name in IDENTIFIER.findall(missing)}
        numbers = set(NUMBER.findall(missing))
        least = _SPOKEN_OF * sum(map(self._rarity, wanted))
        return bool(wanted) and any(
            sum(map(self._rarity, wanted & terms)) >= least
            and (not names or any(name in text for name in names))
            and (not numbers or not numbers.isdisjoint(NUMBER.findall(text)))
            for terms, text in self._facts
        )

    def _rarity(self, term: str) -> float:
        # A word that stands nowhere is the rarest: most likely it is what is missing.
        return math.log(1 + len(self._facts) / (1 + self._number[term]))

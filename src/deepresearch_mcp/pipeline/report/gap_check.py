"""Gaps held against the report: what a sentence of it, or a verified claim of the run, answers is no gap."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report.absences import terms_of
from deepresearch_mcp.records.evidence import KEPT
from deepresearch_mcp.records.report import Gap, GapCheck
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import AskedGap, CheckGaps

MOST_CHECKED = 12
"""Gaps that are put to a model."""
_BESIDE = 8
"""Sentences and claims that it sees beside each."""
_LEAST_WORDS = 5
_SPOKEN_OF = 0.6
"""Share of a gap's words, by their rarity, from which one sentence may answer it."""
_NAME = re.compile(r"[^\W\d]\w*(?:[._-]\w+)+|[^\W\d]\w*_\w+|[^\W\d]\w*(?=\()")
"""`core.fsync`, `max_connections`, `wait_for()`: what it is about may not be another one."""
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*")
"""A version, most often."""


def facts_of(findings: Findings) -> list[str]:
    """The claims that stand, and the sentences of the report without cells of few words, each once."""
    claims = (claim.text for claim in findings.settled().values() if claim.verdict in KEPT)
    said = (one.text for one in findings.draft.sentences if len(one.text.split()) >= _LEAST_WORDS)
    return list(dict.fromkeys((*claims, *said)))


async def checked(
    findings: Findings, gaps: Sequence[Gap], thinker: Thinker, needs: tuple[str, ...]
) -> tuple[GapCheck, ...]:
    """How each gap stands, as a model says; nothing where it cannot be asked, so that words alone must tell.

    Raises:
        KeyRefused: Every later call would fail too.
    """
    facts = facts_of(findings)
    if not gaps or not facts:
        return ()
    ranker = Ranker(facts)
    asked = [
        AskedGap(one.missing, tuple(facts[at] for at in ranker.top(one.missing, _BESIDE)))
        for one in gaps[:MOST_CHECKED]
    ]
    try:
        found = await thinker.ask(
            CheckGaps(findings.brief, asked), steps.gap_check([one.missing for one in asked], needs)
        )
    except KeyRefused:
        raise
    except (BudgetExceeded, ProviderError):
        return ()
    return tuple(found)


class SpokenOf:
    """Tells by words alone whether the report speaks of what a gap names: rather nothing is said than a false gap."""

    def __init__(self, facts: Sequence[str]) -> None:
        self._facts = [(terms_of(fact), fact.casefold()) for fact in facts]
        self._number = Counter(term for terms, _ in self._facts for term in terms)

    def knows(self, missing: str) -> bool:
        """Whether one sentence has most of its telling words, and one of its names and numbers if it has any."""
        wanted = terms_of(missing)
        names = {name.casefold() for name in _NAME.findall(missing)}
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

"""Reuses judgements by content, across runs, so that none is paid for twice."""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import anyio

from deepresearch_mcp.ports.journal import Journal, Step
from deepresearch_mcp.ports.store import Judgements
from deepresearch_mcp.prompts.templates import load
from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.thinkers.prompted import deciding

Ask = Callable[[Sequence[Claim], Step], Awaitable[Sequence[Judgement]]]


class JudgementCache:
    """The judgements known to a run.

    A subject is a hash of the judging models, the prompt and all that the judge sees of a claim. So another model,
    prompt or page sentence is another subject. A caller waits for a judgement that is under way, unless told not to.
    What was found is a step of its own, so that a replayed run asks about the same claims.
    """

    def __init__(
        self,
        known: Judgements,
        journal: Journal,
        models: Sequence[str],
        before: Sequence[str] | None = None,
        *,
        waits: bool = True,
    ) -> None:
        """`models`: the names of those that may judge; `before`: those that judged the recorded claims, if others.

        Without `waits` a claim whose judgement is under way is asked about again, as waiting would take the model of a
        client another round.
        """
        self._waits = waits
        self._known = known
        self._journal = journal
        self._models = tuple(models)
        self._before = tuple(models if before is None else before)
        self._asking: dict[str, anyio.Event] = {}

    async def judge(self, claims: Sequence[Claim], step: Step, ask: Ask) -> list[Judgement]:
        """Return the known judgements of the claims, and ask for and keep the others.

        Raises:
            Whatever `ask` raises; the known judgements stay in the cache.
        """
        known = step.part("known")
        models = self._before if self._journal.left(known.key) == "done" else self._models
        subjects = {claim.claim_id: self.subject(claim, models) for claim in claims}
        mine: dict[str, anyio.Event] = {}

        async def look() -> dict[str, Judgement]:
            others = [self._asking[subject] for subject in subjects.values() if subject in self._asking]
            # Registered together before any waiting: each waits only for earlier ones, so no circle can arise.
            mine.update({one: anyio.Event() for one in subjects.values() if one not in self._asking})
            self._asking.update(mine)
            for other in others if self._waits else ():
                await other.wait()
            return await self._known.find(set(subjects.values()))

        try:
            asked = sorted(subjects.values())
            found = await self._journal.step(known, look, kind="decision", result=dict[str, Judgement], request=asked)
            left: dict[str, Claim] = {}
            for claim in claims:
                if (subject := subjects[claim.claim_id]) not in found:
                    left.setdefault(subject, claim)
            if left:
                said = await ask(list(left.values()), replace(step, depends_on=(known.key,)))
                by_claim = {judgement.claim_id: judgement for judgement in said}
                new = {one: by_claim[claim.claim_id] for one, claim in left.items() if claim.claim_id in by_claim}
                await self._known.keep(new)
                found = {**found, **new}
        finally:
            for subject, event in mine.items():
                self._asking.pop(subject, None)
                event.set()
        return [
            found[subject].model_copy(update={"claim_id": name})
            for name, subject in subjects.items()
            if subject in found
        ]

    def subject(self, claim: Claim, models: Sequence[str] | None = None) -> str:
        """64 hexadecimal digits, for the models that judge now unless others are given."""
        prompt = load("judge")
        parts = (*(self._models if models is None else models), prompt.system, prompt.plain, deciding.to_judge(claim))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()

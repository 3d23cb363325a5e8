"""Where sources differ: made by the program of claims that contradict each other, both sides in their own words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.pipeline.report.report_facts import DECISIVE
from deepresearch_mcp.pipeline.report.trifling import is_trifle
from deepresearch_mcp.records.evidence import OTHERWISE, Claim
from deepresearch_mcp.records.report import Sentence

_MOST = 8
"""Disputes that are shown: a reader who wants more has the list of claims."""
_SIDES = 4
"""Claims in one of them."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """One thing that sources say differently."""

    sides: tuple[Sentence, ...]
    """Two or more, but where one sentence names both."""
    reason: str
    """Why, in plain words; empty where nothing shows it."""


def differences(claims: Iterable[Claim], question: str = "") -> tuple[Sentence, ...]:
    """A sentence for each side of each dispute, sides of one dispute together, the best founded first.

    Trifles are left out: what a reader of the `question` need not know.
    """
    disputes = sorted(_groups(_weighty(claims, question)), key=lambda group: [-one for one in _weight(group)])
    return tuple(_side(claim) for group in disputes[:_MOST] for claim in group)


def disputes(sentences: Sequence[Sentence], claims: Mapping[str, Claim]) -> list[Dispute]:
    """What is left of the sentences of `differences` put together again; a side alone is no dispute any more.

    Of a side with several sentences the first is told: behind it may stand what nothing is at odds with.
    """
    groups: list[list[Sentence]] = []
    for sentence in sentences:
        if any(_is_rest(sentence, claims[name]) for name in sentence.claim_ids if name in claims):
            continue
        if groups and _at_odds(groups[-1], sentence, claims):
            groups[-1].append(sentence)
        else:
            groups.append([sentence])
    return [
        Dispute(tuple(group), next(filter(None, (_reason(one, claims) for one in group)), ""))
        for group in groups
        if len({name for one in group for name in one.claim_ids}) > 1
    ]


def worth_telling(
    differences: Sequence[Sentence], claims: Mapping[str, Claim], said: Iterable[Sentence]
) -> tuple[Sentence, ...]:
    """The sentences without the disputes that a report need not add to what it has `said`.

    One that a sentence tells with two of its sides, and one of whose sides nothing is said and that decides nothing.
    """
    told = [set(one.rests_on) for one in said]
    used = set[str]().union(*told)

    def is_wanted(dispute: Dispute) -> bool:
        names = {name for side in dispute.sides for name in side.claim_ids}
        if any(len(names & one) > 1 for one in told):
            return False
        return not names.isdisjoint(used) or any(claims[name].weight >= DECISIVE for name in names if name in claims)

    return tuple(side for one in disputes(differences, claims) if is_wanted(one) for side in one.sides)


def _is_rest(sentence: Sentence, claim: Claim) -> bool:
    text = sentence.text.strip().rstrip(".")
    return claim.text.find(text) > 0


def both_sided(sentences: Sequence[Sentence], claims: Mapping[str, Claim]) -> tuple[Sentence, ...]:
    """The sentences without those that state one side of a dispute where no other states the other side."""
    kept = tuple(sentences)
    while True:
        said = {name for one in kept for name in one.claim_ids}
        left = tuple(one for one in kept if not any(_alone(name, said, claims) for name in one.claim_ids))
        if left == kept:
            return kept
        kept = left


def _alone(name: str, said: set[str], claims: Mapping[str, Claim]) -> bool:
    others = claims[name].disputes if name in claims else ()
    return bool(others) and said.isdisjoint(others)


def _weighty(claims: Iterable[Claim], question: str) -> list[Claim]:
    """The claims, each at odds with those alone from which it differs in more than a trifle."""
    known = {claim.claim_id: claim for claim in claims}
    against = {
        name: tuple(
            other
            for other in claim.disputes
            if other not in known or not is_trifle(claim.text, known[other].text, question)
        )
        for name, claim in known.items()
    }
    return [claim.model_copy(update={"disputes": against[name]}) for name, claim in known.items()]


def _groups(claims: Iterable[Claim]) -> list[list[Claim]]:
    """Claims that contradict each other, directly or over a third, the best founded first."""
    there = {claim.claim_id: claim for claim in claims if claim.disputes}
    groups: list[list[Claim]] = []
    seen: set[str] = set()
    for name in there:
        if name in seen:
            continue
        group, queue = list[Claim](), [name]
        while queue:
            one = queue.pop(0)
            if one in there and one not in seen:
                seen.add(one)
                group.append(there[one])
                queue += there[one].disputes
        group.sort(key=lambda claim: (-claim.backing, -claim.score))
        if len(group) > 1:
            groups.append(_opposed(group))
    return groups


def _opposed(group: list[Claim]) -> list[Claim]:
    """The best founded claim, and the best of those it is at odds with; each contradicts one before it."""
    chosen = group[:1]
    while len(chosen) < _SIDES:
        against = {name for claim in chosen for name in claim.disputes} - {claim.claim_id for claim in chosen}
        new = next((claim for claim in group if claim.claim_id in against), None)
        if new is None:
            break
        chosen.append(new)
    return chosen


def _weight(group: Sequence[Claim]) -> tuple[float, ...]:
    """A dispute is as well founded as its weaker side."""
    return (
        min(claim.backing for claim in group),
        sum(claim.backing for claim in group),
        min(claim.score for claim in group),
    )


def _side(claim: Claim) -> Sentence:
    text = claim.text.strip()
    return Sentence(text=text if text.endswith((".", "!", "?", "…")) else f"{text}.", claim_ids=(claim.claim_id,))


def _at_odds(group: Sequence[Sentence], sentence: Sentence, claims: Mapping[str, Claim]) -> bool:
    named = [name for one in group for name in one.claim_ids]
    own, others = ([claims[name] for name in ids if name in claims] for ids in (sentence.claim_ids, named))
    return any(one.claim_id in other.disputes or other.claim_id in one.disputes for one in own for other in others)


def _reason(sentence: Sentence, claims: Mapping[str, Claim]) -> str:
    reasons = (claims[name].reason for name in sentence.claim_ids if name in claims and claims[name].disputes)
    return next((reason for reason in reasons if reason != OTHERWISE), "")

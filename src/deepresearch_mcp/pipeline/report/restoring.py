"""Restore: what a report would lose with a sentence is told in the words of the claims beneath it."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Sentence

Replaced = Mapping[Sentence, tuple[Sentence, ...]]
"""A sentence that goes, and what stands in its place."""


def restored(
    written: Sequence[Sentence],
    mended: Mapping[Sentence, Sentence | None],
    claims: Mapping[str, Claim],
    stands: Callable[[Sentence], Sentence | None],
) -> Replaced:
    """For each sentence that goes those of its supported claims that nothing left tells, each in its own words.

    A sentence made of verified claims may be a word too wide: that is no reason to lose what was verified. `mended`
    gives the new wording of a sentence, or None where it goes; `stands` what of a claim's own words may be written.
    """
    told = _told(kept for one in written if (kept := mended.get(one, one)) is not None)
    found: dict[Sentence, tuple[Sentence, ...]] = {}
    for sentence in dict.fromkeys(written):
        if mended.get(sentence, sentence) is not None:
            continue
        own: list[Sentence] = []
        for name in sentence.claim_ids:
            claim = claims.get(name)
            # What is disputed is told with both its sides, elsewhere.
            if claim is None or name in told or claim.verdict != "supported" or claim.disputes:
                continue
            told.add(name)
            bare = stands(Sentence(text=" ".join(claim.text.split()), claim_ids=(name,)))
            own += [bare] if bare else []
        if own:
            found[sentence] = tuple(own)
    return found


def refilled(
    before: Sequence[Sentence], after: Sequence[Sentence], said: Sequence[Claim], claims: Mapping[str, Claim]
) -> tuple[Sentence, ...]:
    """An opening that answers again each sub-question that it lost, with the best supported claim on it.

    `before` is the opening as it was written, `said` are the claims that it may state.
    """
    left = dict.fromkeys(_parts(before, claims))
    for part in _parts(after, claims):
        left.pop(part, None)
    told, more = _told(after), list[Sentence]()
    for part in left:
        sound = [
            claim
            for claim in said
            if claim.sub_question == part
            and claim.verdict == "supported"
            and claim.kind == "fact"
            and not claim.disputes
            and claim.claim_id not in told
        ]
        # The first of equals: the order of the claims is that of the report.
        if best := max(sound, key=lambda claim: (claim.backing, claim.score), default=None):
            more.append(Sentence(text=" ".join(best.text.split()), claim_ids=(best.claim_id,)))
    return (*after, *more)


def _told(sentences: Iterable[Sentence]) -> set[str]:
    return {name for one in sentences for name in one.claim_ids}


def _parts(sentences: Iterable[Sentence], claims: Mapping[str, Claim]) -> list[str]:
    return [claims[name].sub_question for one in sentences for name in one.claim_ids if name in claims]

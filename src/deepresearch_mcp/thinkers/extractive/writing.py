"""Write: a paragraph made of the claims themselves, ordered so that it reads."""

from collections.abc import Sequence
from dataclasses import dataclass

from deepresearch_mcp.entailment.check import details_missing_from
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import SectionPlan, Sentence
from deepresearch_mcp.thinkers.extractive.candidates import relevance
from deepresearch_mcp.thinkers.extractive.parts import sentence_case
from deepresearch_mcp.thinkers.extractive.prose import clean, dangles, finished, points, shortened
from deepresearch_mcp.thinkers.extractive.terms import coverage, pairs, stems, wanted

_LONGEST = 300
_SENTENCES = 10
"""More make a paragraph too long to be read to its end."""
_FEWEST = 4
_FEWEST_PLAIN = 3
_BESIDE_BEST = 0.45
"""Behind the first four, what scores less than this share of the best only dilutes."""
_BESIDE_PLAIN = 0.8
"""The same for every sentence where one page answers by itself."""
_TOWARDS = 4.0
"""What a source's worth towards the question, 0 to 1, counts beside a sentence's nearness to the heading, 0 to about 2,
when one sentence of each source is chosen: a link of a chain may hold no word of the heading."""
_ALL = 0.99
_FAR = 0.25
"""Least share of the best source's worth towards the question where a sentence is not near the heading."""
_ALIKE = 0.75
"""Share of content stems in common from which two claims are one sentence with two witnesses."""
_UNDER = 0.4
"""What it counts that a sentence stands under a title or heading that names the thing with the question's own words."""
_NEIGHBOURS = 3
"""Characters between two quotes that follow each other on the page."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What one sentence of the paragraph will say, and all claims that say it."""

    text: str
    claims: tuple[Claim, ...]
    stems: frozenset[str]
    score: float

    @property
    def source(self) -> str:
        """The source of the claim whose words are used."""
        return self.claims[0].quotes[0].source_id

    @property
    def towards(self) -> float:
        """What its claims are worth towards the question, 0 to 1 where they are weighed."""
        return max(claim.score for claim in self.claims)

    @property
    def start(self) -> int:
        """Where the words stand in that source."""
        return self.claims[0].quotes[0].start

    @property
    def end(self) -> int:
        """Where they end."""
        return self.claims[0].quotes[0].end


def write(brief: Brief, section: SectionPlan, claims: Sequence[Claim]) -> tuple[Sentence, ...]:
    """Return at most ten sentences: the most direct first, then source by source in the order of the pages.

    Claims that say the same become one sentence that names them all. A sentence is the claim's text as it stands;
    beyond 300 characters, or 600 where it begins with a subordinate clause, it is shortened with `…`, and a claim only
    partly supported gives way to its quote.
    """
    language = brief.language or "en"
    stated = merged(
        claims, f"{section.heading} {brief.question}" if _is_bare(section.heading) else section.heading, language
    )
    ranked = sorted(stated, key=lambda one: (-one.score, one.claims[0].claim_id))
    kept = _plain(ranked) if _is_plain(section.heading, ranked, language) else _chained(ranked)
    return tuple(
        Sentence(
            text=finished(sentence_case(shortened(one.text, _LONGEST))),
            claim_ids=tuple(claim.claim_id for claim in one.claims),
        )
        for one in _standing(_in_order(kept))
    )


def _plain(ranked: Sequence[Stated]) -> list[Stated]:
    """The sentences near the best one; what leans on another is held to less, since it only goes on."""
    return [
        one
        for at, one in enumerate(ranked[:_SENTENCES])
        if at < _FEWEST_PLAIN or one.score >= (_BESIDE_BEST if _leans(one) else _BESIDE_PLAIN) * ranked[0].score
    ]


def _chained(ranked: Sequence[Stated]) -> list[Stated]:
    """One sentence of each source before a second of any, and behind the first few only what is worth it."""
    ranked = _each_source_first(ranked)
    return [one for at, one in enumerate(ranked[:_SENTENCES]) if at < _FEWEST or _is_worth_it(one, ranked[0])]


def _each_source_first(ranked: Sequence[Stated]) -> list[Stated]:
    """Put one sentence of each source before a second of any, where there is one that leans on no other.

    A chain of facts has its links on different pages.
    """
    standing = {one.source: one for one in reversed(ranked) if not _leans(one)}
    best = {one.source: standing.get(one.source, one) for one in ranked}
    first = sorted(best.values(), key=lambda one: -(one.score + _TOWARDS * one.towards))
    return [*first, *(one for one in ranked if one not in first)]


def _is_plain(heading: str, ranked: Sequence[Stated], language: str) -> bool:
    """Tell a question that pages answer one by one, by two sentences that name all it names under their headings.

    Else it may take a chain of them.
    """
    asked = wanted(heading, language)
    full = (coverage(asked, one.stems, stems(one.claims[0].quotes[0].heading, language)) for one in ranked)
    return len(asked) > 1 and sum(share >= _ALL for share in full) > 1


def _is_worth_it(one: Stated, best: Stated) -> bool:
    """Tell whether a sentence is near the heading, or its page near the question, beside the best one."""
    return one.score >= _BESIDE_BEST * best.score or one.towards >= _FAR * best.towards


def _is_bare(heading: str) -> bool:
    return len(heading.split()) < 3


def merged(claims: Sequence[Claim], question: str, language: str) -> list[Stated]:
    """Join claims that say the same in nearly the same words, details included; the best one gives the words."""
    texts = [_words_of(claim) for claim in claims]
    named = pairs(question)
    scores = [
        candidate.score + _UNDER * bool(named & pairs(claim.quotes[0].heading))
        for candidate, claim in zip(relevance(question, texts, language=language, first=1), claims, strict=True)
    ]
    ranked = sorted(
        range(len(claims)), key=lambda at: (-_worth(claims[at], texts[at], scores[at]), claims[at].claim_id)
    )
    groups: list[Stated] = []
    for at in ranked:
        claim, text, score = claims[at], texts[at], _worth(claims[at], texts[at], scores[at])
        mine = frozenset(stems(text, language))
        twin = next((group for group in groups if _same(group, mine, text)), None)
        if twin is None:
            groups.append(Stated(text, (claim,), mine, score))
        else:
            # A second source is worth more than a second sentence.
            more = 0.15 if claim.quotes[0].source_id not in {c.quotes[0].source_id for c in twin.claims} else 0.0
            groups[groups.index(twin)] = Stated(twin.text, (*twin.claims, claim), twin.stems, twin.score + more)
    return groups


def _words_of(claim: Claim) -> str:
    return clean(claim.quotes[0].text) if claim.verdict == "partly" else claim.text


def _worth(claim: Claim, text: str, score: float) -> float:
    confident = {"high": 0.1, "medium": 0.0, "low": -0.1}[claim.confidence]
    sound = {"good": 0.05, "fair": 0.0, "poor": -0.05}[claim.standing] + 0.05 * max(0, min(3, claim.backing - 1))
    return score + confident + sound - 0.3 * dangles(text) - 0.05 * points(text)


def _same(group: Stated, mine: frozenset[str], text: str) -> bool:
    if len(mine & group.stems) < _ALIKE * max(1, len(mine | group.stems)):
        return False
    return not details_missing_from(text, group.text) and not details_missing_from(group.text, text)


def _in_order(kept: Sequence[Stated]) -> list[Stated]:
    """Put the best sentence first, then the rest of its source, then the other sources by their best sentence."""
    by_source: dict[str, list[Stated]] = {}
    for one in kept:
        by_source.setdefault(one.source, []).append(one)
    ordered: list[Stated] = []
    for group in by_source.values():
        group.sort(key=lambda one: (one.start, one.claims[0].claim_id))
        best = max(group, key=lambda one: (one.score, -one.start))
        if not ordered and best is not group[0] and not _leans(best):
            behind = _run_behind(best, group)
            ordered.extend([best, *behind, *(one for one in group if one is not best and one not in behind)])
        else:
            ordered.extend(group)
    return ordered


def _run_behind(best: Stated, group: Sequence[Stated]) -> list[Stated]:
    """Return the sentences that lean on the best one and stand right behind it."""
    run: list[Stated] = []
    last = best
    for one in group:
        if one.start >= last.end and one.start - last.end <= _NEIGHBOURS and _leans(one):
            run.append(one)
            last = one
    return run


def _leans(one: Stated) -> bool:
    return dangles(one.text)


def _standing(ordered: Sequence[Stated]) -> list[Stated]:
    """Drop sentences that lean on a neighbour which is not there, unless hardly anything would be left."""
    kept: list[Stated] = []
    for one in ordered:
        before = kept[-1] if kept else None
        carried = before is not None and before.source == one.source and 0 <= one.start - before.end <= _NEIGHBOURS
        if carried or not _leans(one):
            kept.append(one)
    return kept if len(kept) >= min(2, len(ordered)) else list(ordered)

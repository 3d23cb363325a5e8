"""The queries of the next round: open points first, then what is expected, then leads and the rest of the plan."""

from collections.abc import Iterator, Sequence

from deepresearch_mcp.pipeline.placing import nearest_sub_question
from deepresearch_mcp.pipeline.queries import is_query, query_key
from deepresearch_mcp.pipeline.research.coverage import queries_for_points, uncovered
from deepresearch_mcp.records.evidence import Assessment, FollowUp
from deepresearch_mcp.records.plan import Brief, Hypothesis, SubQuestion
from deepresearch_mcp.text.addresses import without_addresses
from deepresearch_mcp.text.keywords import content_words, keywords, stem
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.thinkers.base import SubQuestionEvidence

_FOR_LEADS = 0.25
"""Share of the room of a round that the best leads of pages have before second queries."""
_SAME = 0.75
"""Share of the shorter one's words from which two leads are one."""
_MISSING_WORDS = 8
"""Words of what is missing that are searched for."""
_BROAD = 4
"""Words of a sub-question that stay when it is asked again more broadly."""


def next_queries(
    brief: Brief,
    assessment: Assessment,
    parts: Sequence[SubQuestionEvidence],
    most: int,
    asked: set[str],
    leads: Sequence[FollowUp] = (),
    second: Sequence[FollowUp] = (),
    hypotheses: Sequence[Hypothesis] = (),
) -> list[FollowUp]:
    """At most `most` queries of the next round, never one asked before.

    First one query for each point that is not covered, open ones before thin ones, each in the order in which the
    thinker named them: the thinker's own, or one made of what is missing, or of the words of a point that it did not
    name. Then the best leads of pages, up to a share of the room, the tests of hypotheses that no claim settles and the
    thinker's other queries. Then sub-questions that were never asked, or asked in vain, which are asked more broadly;
    the other leads; `second` sources for claims that have one; the rest of the plan; broader queries for what is
    unanswered. Sub-questions that are done get none of these.
    """
    chosen: list[FollowUp] = []
    taken = set(asked)

    def take(one: FollowUp) -> bool:
        query = " ".join(one.query.split())[:300]
        if not (one.sub_question and is_query(query)) or query_key(query) in taken or len(chosen) >= most:
            return False
        taken.add(query_key(query))
        chosen.append(one.model_copy(update={"query": query}))
        return True

    for own in _for_open_points(brief, assessment, parts):
        any(map(take, own))
    leads = best_leads(leads, [part.sub_question.text for part in parts], assessment)
    room = max(1, round(_FOR_LEADS * most))
    for one in leads:
        room -= take(one) if room else 0
    others = (*_for_hypotheses(assessment, parts, hypotheses), *assessment.follow_ups)
    for one in (*others, *_by_rule(assessment, parts, leads, second)):
        take(one)
    return chosen


def best_leads(leads: Sequence[FollowUp], asked: Sequence[str], assessment: Assessment) -> list[FollowUp]:
    """The leads that are nearest to what is open come first, or without that, to the sub-questions; doubles go."""
    missing = [one.missing for one in assessment.open or () if one.missing] or list(asked)
    if not missing:
        return list(leads)
    ranker = Ranker(missing)
    worth = [max(ranker.shares(one.query)[0], default=0.0) for one in leads]
    kept: list[tuple[frozenset[str], FollowUp]] = []
    for at in sorted(range(len(leads)), key=lambda at: -worth[at]):
        said = frozenset(map(stem, content_words(leads[at].query)))
        if not any(len(said & other) >= _SAME * max(1, min(len(said), len(other))) for other, _ in kept):
            kept.append((said, leads[at]))
    return [one for _, one in kept]


def _for_open_points(
    brief: Brief, assessment: Assessment, parts: Sequence[SubQuestionEvidence]
) -> Iterator[list[FollowUp]]:
    """For each point that is not covered the queries that would serve it, best first."""
    subs = [part.sub_question for part in parts]
    said = [one.point for one in assessment.open or ()]
    texts = queries_for_points(brief.scope, uncovered(assessment), brief.language, brief.question)
    left = {one.point: at for at, one in enumerate(uncovered(assessment))}
    status = {one.point: one.status for one in assessment.coverage}
    missing = {one.point: one.missing for one in assessment.open or () if one.missing}
    named = [name for name in said if name not in left and status.get(name) != "covered"]
    order = sorted(
        (*left, *dict.fromkeys(named)),
        key=lambda name: (
            status.get(name, "open") != "open",
            said.index(name) if name in said else len(said),
            left.get(name, 0),
        ),
    )
    for name in order:
        own = [one for one in assessment.follow_ups if one.point == name]
        # What the thinker says is missing has better words than the point; where it names no query, none would help.
        words = " ".join(keywords(without_addresses(missing[name]), _MISSING_WORDS)) if name in missing else ""
        by_rule = texts.get(name, ()) if not words else (words,) if own else ()
        made = (
            FollowUp(sub_question=nearest_sub_question(query, subs) if subs else "", query=query, point=name)
            for query in by_rule
        )
        yield [*own, *made]


def _for_hypotheses(
    assessment: Assessment, parts: Sequence[SubQuestionEvidence], hypotheses: Sequence[Hypothesis]
) -> Iterator[FollowUp]:
    """Tests of what is expected: the thinker's new statements, then those of the plan that no claim speaks of."""
    for one in assessment.expected:
        yield FollowUp(sub_question=one.sub_question, query=one.query)
    settled = {name for part in parts for claim in part.claims for name in claim.covers}
    subs = [part.sub_question for part in parts]
    for one in hypotheses:
        if one.id not in settled and subs:
            home = one.sub_question if one.sub_question in {sub.id for sub in subs} else ""
            yield FollowUp(sub_question=home or nearest_sub_question(one.statement, subs), query=one.query)


def _by_rule(
    assessment: Assessment,
    parts: Sequence[SubQuestionEvidence],
    leads: Sequence[FollowUp],
    second: Sequence[FollowUp],
) -> Iterator[FollowUp]:
    subs = [part.sub_question for part in parts]
    going = [one for one in subs if one.id not in assessment.retired and one.status != "retired"]
    for one in going:
        if one.status == "todo":
            yield from _asking(one, *one.queries[:1])
    for one in going:
        if one.status == "blocked":
            yield from _asking(one, _broader(one))
    yield from leads
    yield from second
    for one in going:
        yield from _asking(one, *one.queries)
    for one in going:
        if one.id not in assessment.answered:
            yield from _asking(one, _broader(one), one.text)


def _asking(sub_question: SubQuestion, *queries: str) -> Iterator[FollowUp]:
    return (FollowUp(sub_question=sub_question.id, query=query) for query in queries)


def _broader(sub_question: SubQuestion) -> str:
    return " ".join(keywords(sub_question.text, _BROAD))

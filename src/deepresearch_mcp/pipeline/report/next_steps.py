"""Next steps: questions to ask after a report. A question states nothing."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from deepresearch_mcp.pipeline.report.audit import unbacked
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.thinkers.base import SubQuestionEvidence

MOST = 4
_SAME = 0.6
"""Share of a sub-question's words in a gap from which the gap already tells it."""


def next_steps(
    question: str, parts: Sequence[SubQuestionEvidence], draft: Draft, claims: Mapping[str, Claim], gaps: Sequence[str]
) -> tuple[str, ...]:
    """At most four questions to follow up with; none where nothing is open.

    They come from disputes among the claims that the report states and, where no gap is told, from the gravest
    sub-question that the report answers from one source only. None repeats a gap: the report has told it just before.
    `claims` gives every claim by its id. A step carries no citation: one with a figure or an address that no claim,
    nor the question, holds is left out.
    """
    told = [_stems(gap) for gap in gaps]
    ranked = sorted(parts, key=lambda part: part.sub_question.urgency)
    by_rank = [part for part in ranked if not _is_told(part.sub_question.text, told)]
    stated = _stated(draft, claims)
    sorts = (_disputed(by_rank, stated), () if gaps else _alone(by_rank, stated))
    turns = (one for turn in zip_longest(*sorts) for one in turn if one)
    known = "\n".join((question, *(claim.text for claim in claims.values())))
    return tuple(step for step in dict.fromkeys(turns) if not unbacked(step, known))[:MOST]


def _is_told(text: str, gaps: Sequence[frozenset[str]]) -> bool:
    own = _stems(text)
    return bool(own) and any(len(own & gap) >= _SAME * len(own) for gap in gaps)


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, content_words(text)))


def _stated(draft: Draft, claims: Mapping[str, Claim]) -> list[Claim]:
    sentences = (s for section in draft.sections for paragraph in section.paragraphs for s in paragraph)
    every = (name for sentence in (*draft.in_short, *sentences) for name in sentence.claim_ids)
    return [claims[name] for name in dict.fromkeys(every) if name in claims]


def _disputed(parts: Sequence[SubQuestionEvidence], stated: Sequence[Claim]) -> Iterator[str]:
    for part in parts:
        own = _own(part, stated)
        if any(claim.verdict == "disputed" or claim.disputes for claim in own):
            yield f"Why do the sources differ on {_quoted(part)}, and which of them is right?"


def _alone(parts: Sequence[SubQuestionEvidence], stated: Sequence[Claim]) -> Iterator[str]:
    for part in parts:
        own = _own(part, stated)
        if own and all(claim.backing < 2 for claim in own):
            yield f"Which independent source confirms, or corrects, what is said here on {_quoted(part)}?"
            return  # One of them says it for all.


def _quoted(part: SubQuestionEvidence) -> str:
    # The question around it has a mark of its own.
    return f"“{part.sub_question.text.rstrip('?？؟ ')}”"


def _own(part: SubQuestionEvidence, stated: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in stated if claim.sub_question == part.sub_question.id]

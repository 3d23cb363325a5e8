"""Next steps: what to ask after a report, made of what it could not settle; questions, so that they state nothing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from deepresearch_mcp.pipeline.audit import unbacked
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft
from deepresearch_mcp.thinkers.base import Part

MOST = 4
_PRIORITY = {"high": 0, "medium": 1, "low": 2}


def next_steps(
    question: str, parts: Sequence[Part], draft: Draft, claims: Mapping[str, Claim], gaps: Sequence[str]
) -> tuple[str, ...]:
    """At most four questions to follow up with, the gravest of each sort first; none where nothing is open.

    They come from sub-questions without a claim and from gaps, from disputes among the claims that the report states,
    and, where no gap is told, from the gravest sub-question that the report answers from one source only: beside what
    nobody found, that is no news. `claims` gives every claim by its
    id. They carry no citation: one with a figure or an address that no claim, nor the question, nor a gap that was let
    into the report holds is left out.
    """
    by_rank = sorted(parts, key=lambda part: _PRIORITY[part.sub_question.priority])
    stated = _stated(draft, claims)
    sorts = (_missing(by_rank, gaps), _disputed(by_rank, stated), () if gaps else _alone(by_rank, stated))
    turns = (one for turn in zip_longest(*sorts) for one in turn if one)
    known = "\n".join((question, *gaps, *(claim.text for claim in claims.values())))
    return tuple(step for step in dict.fromkeys(turns) if not unbacked(step, known))[:MOST]


def _stated(draft: Draft, claims: Mapping[str, Claim]) -> list[Claim]:
    sentences = (s for section in draft.sections for paragraph in section.paragraphs for s in paragraph)
    every = (name for sentence in (*draft.in_short, *sentences) for name in sentence.claim_ids)
    return [claims[name] for name in dict.fromkeys(every) if name in claims]


def _missing(parts: Sequence[Part], gaps: Sequence[str]) -> Iterator[str]:
    empty = [part.sub_question.text for part in parts if not part.claims]
    open_ = [asked for asked in empty if any(asked in gap for gap in gaps)]
    open_ += [gap for gap in gaps if not any(asked in gap for asked in empty)]
    # Questions first: what was told as a sentence makes a stiff one.
    for asked in sorted(open_, key=lambda one: not one.endswith("?")):
        if found := _NOTHING.fullmatch(asked):
            yield f"What can be found on {found[1]}?"
        else:
            yield asked if asked.endswith("?") else f"Where can this be found out: “{asked.rstrip('. ')}”?"


_NOTHING = re.compile(r"Nothing was found on (.+[^.?!\s])[.\s]*")


def _disputed(parts: Sequence[Part], stated: Sequence[Claim]) -> Iterator[str]:
    for part in parts:
        own = _own(part, stated)
        if any(claim.verdict == "disputed" or claim.disputes for claim in own):
            yield f"Why do the sources differ on {_quoted(part)}, and which of them is right?"


def _alone(parts: Sequence[Part], stated: Sequence[Claim]) -> Iterator[str]:
    for part in parts:
        own = _own(part, stated)
        if own and all(claim.backing < 2 for claim in own):
            yield f"Which independent source confirms, or corrects, what is said here on {_quoted(part)}?"
            return  # One of them says it for all.


def _quoted(part: Part) -> str:
    # The question around it has a mark of its own.
    return f"“{part.sub_question.text.rstrip('?？؟ ')}”"


def _own(part: Part, stated: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in stated if claim.sub_question == part.sub_question.id]

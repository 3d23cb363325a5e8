"""`clapnq`: which sentences of a passage answer the question, and does any?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, auroc, folder, json_lines
from deepresearch_mcp.exceptions import AnswerCut, AnswerRefused, ContextOverflow, UnreadableAnswer
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import ClaimDraft
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.text.quotes import locate
from deepresearch_mcp.thinkers.extractive.candidates import relevance
from deepresearch_mcp.thinkers.extractive.relevance import relevance_of
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from deepresearch_mcp.thinkers.tasks import ReadPassages

_TOP = 3
_AT_ONCE = 8
"""Questions put to a model at the same time."""
_SURE = {"high": 1.0, "medium": 0.7, "low": 0.4}
"""A claim's confidence → how much it counts for the passage being an answer."""


@dataclass(frozen=True, slots=True)
class _Picked:
    places: tuple[int, ...]
    """Indices of the chosen sentences, at most three."""
    answers: float
    """How surely the passage answers at all; only comparable among passages."""
    shown: bool
    """Whether an answer is given at all."""
    read: bool = True
    """False if the reader gave no usable answer."""


async def measure(data: Path, lab: Lab) -> Result:
    """Top-3 sentence F1 (`f1`) and how well answerable passages are told from others (`auroc`, `withheld`, `lost`).

    `withheld` is the share of unanswerable questions that get no answer, `lost` that of answerable ones.

    F1 compares the three best sentences (all, if there are fewer; ties by position) with the best-matching annotator,
    averaged over the answerable questions. Only this definition reproduces the published .60 for plain BM25: it gives
    .598, the first annotator alone .574, omitting sentences with score 0 .577, micro-averaging .594.

    The extractive engine gives its own scores. A model reads the passage as in a run, with a limit of three claims:
    the sentences of its quotes are its choice, and the sum of its claims, weighted by confidence, is the score for
    answerability. An answer that cannot be read chooses nothing.

    Raises:
        InvalidRequest: The set is missing or damaged.
        ProviderError: The model could not be asked; in an exception group, because tasks run concurrently.
        BudgetExceeded: A ceiling was met; in an exception group too.
    """
    cases = list(json_lines(folder(data, FOLDERS["clapnq"]), "*.jsonl*"))
    picked: dict[int, _Picked] = {}
    room = anyio.CapacityLimiter(_AT_ONCE)

    async def pick(at: int, row: dict[str, Any]) -> None:
        async with room:
            picked[at] = _scored(row) if isinstance(lab.thinker, Extractive) else await _read(lab, row)

    async with anyio.create_task_group() as group:
        for at, row in enumerate(cases):
            group.start_soon(pick, at, row)
    f1 = [(_f1(row, picked[at].places), row["question"]) for at, row in enumerate(cases) if row["answerable"]]
    sure = [(picked[at].answers, bool(row["answerable"])) for at, row in enumerate(cases)]
    figures = {"f1": sum(share for share, _ in f1) / max(1, len(f1)), "auroc": auroc(sure)}
    for figure, answerable in (("withheld", False), ("lost", True)):
        those = [at for at, row in enumerate(cases) if bool(row["answerable"]) is answerable]
        figures[figure] = sum(not picked[at].shown for at in those) / max(1, len(those))
    unread = [row["question"] for at, row in enumerate(cases) if not picked[at].read]
    missed = [question for share, question in sorted(f1) if share == 0][:_TOP]
    notes = [f"No sentence found: {question}" for question in missed]
    if unread:
        notes.append(f"Answers that could not be read, counted as nothing found: {len(unread)}.")
    return Result("clapnq", len(cases), figures, tuple(notes))


def _scored(row: dict[str, Any]) -> _Picked:
    found = relevance(row["question"], row["sentences"], row["title"])
    best = sorted(found, key=lambda candidate: (-candidate.score, candidate.place))[:_TOP]
    # What the digest shows an answer by.
    found_of_all = relevance_of(row["question"], row["sentences"], row["title"])
    places = tuple(candidate.place for candidate in best)
    return _Picked(places, found_of_all.score, shown=found_of_all.is_relevant)


async def _read(lab: Lab, row: dict[str, Any]) -> _Picked:
    text = " ".join(row["sentences"])
    name = str(row["id"])
    passage = Passage(passage_id=f"{name}:0", source_id=name, start=0, end=len(text), text=text, heading=row["title"])
    question = str(row["question"])
    asked = SubQuestion(id="q1", text=question)
    try:
        reading = await lab.thinker.ask(
            ReadPassages(lab.brief(question), asked, [passage], _TOP), Step(f"clapnq/{name}")
        )
    except (AnswerCut, AnswerRefused, ContextOverflow, UnreadableAnswer):
        return _Picked((), 0.0, shown=False, read=False)
    # Claims are proposals until their words are found.
    standing = [(claim, touched) for claim in reading.claims if (touched := _places(claim, row["sentences"], text))]
    places = tuple(dict.fromkeys(place for _, touched in standing for place in touched))[:_TOP]
    return _Picked(places, sum(_SURE[claim.confidence] for claim, _ in standing), shown=bool(standing))


def _places(claim: ClaimDraft, sentences: Sequence[str], text: str) -> list[int]:
    """Indices of the sentences that overlap the claim's quote; none if the quote is not found."""
    located = locate(claim.quote, text)
    found: list[int] = []
    start = 0
    for place, sentence in enumerate(sentences):
        end = start + len(sentence)
        if located and any(span.start < end and start < span.end for span in located.spans):
            found.append(place)
        start = end + 1
    return found


def _f1(row: dict[str, Any], places: Sequence[int]) -> float:
    chosen = {row["sentences"][place] for place in places}
    golds = [set(gold) for gold in row["selected"]]
    return max((2 * len(chosen & gold) / (len(chosen) + len(gold)) for gold in golds if chosen or gold), default=0.0)

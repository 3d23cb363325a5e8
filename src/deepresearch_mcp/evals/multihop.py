"""Questions answered by a chain of several pages: does the report cite every page of the chain and state the answer?"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from deepresearch_mcp.evals.corpus import Corpus, Paper
from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, grades, json_lines
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.text.citations import OWN_SIGN

CITATIONS = 10
"""Most citations allowed in a report. Without a limit, citing everything would win."""

_EFFORT = "standard"
_BREADTH = 10
_DEPTH = 2
_WORST = 5
"""Questions with an incomplete chain that are listed in the notes."""
_NOT_PROSE = frozenset({"References", "What could not be established", "Next steps"})
"""Sections that do not count as prose, because they repeat quotes or the question."""


@dataclass(frozen=True, slots=True)
class MultihopQuestion:
    """One question of a set."""

    id: str
    text: str
    answers: tuple[str, ...]
    """Correct answers; one suffices."""
    gold: frozenset[str]
    """Ids of all paragraphs that the answer requires."""


async def hotpot(data: Path, lab: Lab) -> Result:
    """HotpotQA: two pages per question, mostly named in the question or by the other page."""
    return await _measure("hotpot", data, lab)


async def musique(data: Path, lab: Lab) -> Result:
    """MuSiQue: chains of two to four pages, where each page says how to find the next."""
    return await _measure("musique", data, lab)


async def _measure(name: str, data: Path, lab: Lab) -> Result:
    where = folder(data, FOLDERS[name])
    asked = questions(where)
    corpus = Corpus(
        (Paper(row["id"], row["title"], row["text"]) for row in json_lines(where, "corpus.jsonl*")), lab.clock
    )
    try:
        runs = [await answer_question(question, corpus, lab) for question in asked]
    finally:
        corpus.close()
    whole = [question.gold <= cited(run) for question, run in zip(asked, runs, strict=True)]
    told = [is_told(question.answers, run) for question, run in zip(asked, runs, strict=True)]
    broken = [question.text for question, good in zip(asked, whole, strict=True) if not good]
    return Result(
        name,
        len(asked),
        {"all_gold": _share(whole), "answer_recall": _share(told)},
        (
            f"{_EFFORT} effort, at most {CITATIONS} citations a report; an answer counts where it stands in the"
            " report's prose or in a cited quote, a yes or no only where the report opens with it.",
            *(f"Not every page cited: {text}" for text in broken[:_WORST]),
        ),
    )


def questions(where: Path) -> list[MultihopQuestion]:
    """The questions of a set that have annotated pages, in the order of the file."""
    gold = {
        query: frozenset(name for name, grade in found.items() if grade > 0) for query, found in grades(where).items()
    }
    return [
        MultihopQuestion(row["id"], row["text"], tuple(map(str, row["answers"])), gold[row["id"]])
        for row in json_lines(where, "queries.jsonl*")
        if row["id"] in gold
    ]


async def answer_question(question: MultihopQuestion, corpus: Corpus, lab: Lab) -> Run:
    """Research one question with the whole pipeline and at most `CITATIONS` citations."""
    settings = lab.settings.model_copy(update={"max_citations": CITATIONS})
    request = ResearchRequest(question=question.text, effort=_EFFORT, breadth=_BREADTH, depth=_DEPTH)
    return await replace(lab, settings=settings).research(request, [corpus], corpus)


def cited(run: Run) -> frozenset[str]:
    """Ids of the paragraphs that a report cites; none if it has too many citations."""
    if len(run.citations) > CITATIONS:
        return frozenset()
    return frozenset(citation.url.removeprefix("https://p").removesuffix(".example/") for citation in run.citations)


def is_told(answers: Sequence[str], run: Run) -> bool:
    """Whether one of the answers occurs in the prose or in a cited quote, ignoring case, accents and punctuation.

    "Yes" and "no" count only as the first word of the direct answer, because they occur in other sentences by chance.
    """
    prose = [section.markdown for section in run.sections if section.heading not in _NOT_PROSE]
    said = [_plain(text) for text in (*prose, *(citation.quote for citation in run.citations))]
    opening = _plain(run.answer).split(" ")[0]
    wanted = [_plain(answer) for answer in answers]
    if any(answer in {"yes", "no"} for answer in wanted) and opening in wanted:
        return True
    return any(
        f" {answer} " in f" {text} " for answer in wanted if answer and answer not in {"yes", "no"} for text in said
    )


_MARK = re.compile(
    rf"\[(?:{OWN_SIGN} )?\d{{1,4}}[a-z]{{0,2}}(?:[,;] ?(?:\d{{1,4}}[a-z]{{0,2}}|[a-z]{{1,2}})){{0,50}}\]"
)
"""One source, letters for its quotes, or several sources in one bracket."""
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def _plain(text: str) -> str:
    """Reduce to words as the sets' own metrics do: without case, accents, punctuation and articles."""
    bare = unicodedata.normalize("NFD", _MARK.sub(" ", text).casefold())
    bare = "".join(char for char in bare if not unicodedata.combining(char))
    return " ".join(_ARTICLE.sub(" ", re.sub(r"[\W_]+", " ", bare)).split())


def _share(hits: Sequence[bool]) -> float:
    return round(sum(hits) / len(hits), 4) if hits else 0.0

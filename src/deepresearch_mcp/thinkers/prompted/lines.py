"""The plain form of every answer: one item a line, its parts divided by `|`; read as leniently as possible."""

import re
from collections.abc import Iterator

from deepresearch_mcp.thinkers.prompted.answers import (
    AssessAnswer,
    Change,
    ClaimVerdict,
    CompareAnswer,
    ComparedPair,
    ConcludeAnswer,
    ConcludedSentence,
    ConsolidateAnswer,
    Contradiction,
    CritiqueAnswer,
    JudgeAnswer,
    OpenedPoint,
    OutlineAnswer,
    OutlinedSection,
    PlanAnswer,
    PlannedDeliverable,
    PlannedPart,
    PlannedStatement,
    ReadAnswer,
    ReadClaim,
    RepairAnswer,
    RepairedSentence,
    ReviseAnswer,
    SameClaims,
    TextAnswer,
    WriteAnswer,
    WrittenSentence,
)

_BULLET = re.compile(r"^\s*(?:[-*•>]\s+|\d{1,2}[.)]\s+|\|\s*)+")
_NONE = re.compile(r"(?im)^\W*none\W*$")
_MARK = r"(?im)^\W*{}\W*(\d+)"
_IDS = re.compile(r"[A-Za-z]?\d+")
_BRIEF = ("DELIVER", "SUBJECTS", "ASPECTS", "CONSTRAINT", "PREMISE")
"""What begins the lines of a plan that say what is asked for."""


def plan(text: str) -> PlanAnswer | None:
    """`DELIVER | kind | text` … and `ASK | question | query | query` with its `EXPECT | statement | query` below.

    A line without such a word is a sub-question too, if it has queries or ends in a question mark.
    """
    parts: list[PlannedPart] = []
    found: dict[str, list[list[str]]] = {}
    for word, *rest in _rows(text, least=1):
        name = word.strip("*_: ").upper()
        row = [one for one in rest if one]
        if name in _BRIEF and row:
            found.setdefault(name, []).append(row)
        elif name == "EXPECT" and row:
            if parts:
                parts[-1].expect.append(_statement(row))
        else:
            question, *queries = row if name == "ASK" and row else [word, *row]
            if queries or question.endswith("?"):
                parts.append(PlannedPart(question=question, queries=queries, expect=[]))
    if not parts:
        return None
    rows = {name: found.get(name, []) for name in _BRIEF}
    return PlanAnswer(
        deliverables=[
            PlannedDeliverable(kind=row[0].lower(), text=" ".join(row[1:]) or row[0]) for row in rows["DELIVER"]
        ],
        subjects=[one for row in rows["SUBJECTS"] for one in row],
        aspects=[one for row in rows["ASPECTS"] for one in row],
        constraints=[" ".join(row) for row in rows["CONSTRAINT"]],
        premises=[_statement(row) for row in rows["PREMISE"]],
        sub_questions=parts,
    )


def _statement(row: list[str]) -> PlannedStatement:
    return PlannedStatement(statement=row[0], query=" ".join(row[1:2]))


def read(text: str) -> ReadAnswer | None:
    """`p1 | claim | "quote"`, or NONE."""
    claims = [
        ReadClaim(passage_id=label, claim=claim, quote=_unquoted(quote))
        for label, claim, quote in _rows(text, least=3, most=3)
    ]
    return ReadAnswer(claims=claims) if claims or _NONE.search(text) else None


def judge(text: str) -> JudgeAnswer | None:
    """`c1 | verdict | fault | sentence`."""
    verdicts = [
        ClaimVerdict(claim_id=label, verdict=verdict, fault="".join(rest[:1]), sentence="".join(rest[1:2]))
        for label, verdict, *rest in _rows(text, least=2)
    ]
    return JudgeAnswer(verdicts=verdicts) if verdicts else None


def compare(text: str) -> CompareAnswer | None:
    """`d1 | contradict | date`, or NONE."""
    found = [
        ComparedPair(pair_id=label, relation=relation, reason=" ".join(reason))
        for label, relation, *reason in _rows(text, least=2)
    ]
    return CompareAnswer(comparisons=found) if found or _NONE.search(text) else None


def assess(text: str) -> AssessAnswer | None:
    """`sufficiency: 7`, then `s1a2 | thin | what is missing | query`, and `q1 | done`."""
    mark = re.search(_MARK.format("sufficiency"), text)
    if mark is None:
        return None
    rows = list(_rows(text, least=2))
    return AssessAnswer(
        sufficiency=int(mark.group(1)),
        open=[
            OpenedPoint(point=row[0], status=row[1], missing="".join(row[2:3]), queries=[one for one in row[3:] if one])
            for row in rows
            if not row[1].lower().startswith("done")
        ],
        done=[row[0] for row in rows if row[1].lower().startswith("done")],
    )


def consolidate(text: str) -> ConsolidateAnswer | None:
    """`same | c1, c4`, `contradict | c2, c7 | version`, or NONE."""
    rows = list(_rows(text, least=2))
    same = [SameClaims(claim_ids=_ids(row[1])) for row in rows if row[0].lower() == "same"]
    apart = [
        Contradiction(claim_ids=_ids(row[1]), reason=" ".join(row[2:]))
        for row in rows
        if row[0].lower().startswith("contradict")
    ]
    return ConsolidateAnswer(same=same, contradict=apart) if same or apart or _NONE.search(text) else None


def outline(text: str) -> OutlineAnswer | None:
    """`Title: …`, then `heading | q1, q2`."""
    title = re.search(r"(?im)^\W*title\W*:\W*(.+)$", text)
    sections = [
        OutlinedSection(heading=heading, sub_question_ids=_ids(" ".join(ids))) for heading, *ids in _rows(text, least=2)
    ]
    return OutlineAnswer(title=title.group(1).strip() if title else "", sections=sections) if sections else None


def write(text: str) -> WriteAnswer | None:
    """`c1, c3 | sentence`, or NONE."""
    found = [WrittenSentence(text=" ".join(rest), claim_ids=_ids(ids)) for ids, *rest in _rows(text, least=2)]
    return WriteAnswer(sentences=found) if found or _NONE.search(text) else None


def conclude(text: str) -> ConcludeAnswer | None:
    """`s1, s4 | sentence`."""
    found = [ConcludedSentence(text=" ".join(rest), sentence_ids=_ids(ids)) for ids, *rest in _rows(text, least=2)]
    return ConcludeAnswer(sentences=found) if found else None


def critique(text: str) -> CritiqueAnswer | None:
    """`factuality: 8`, `coherence: 7`, then a note a line, or NONE."""
    marks = {word: re.search(_MARK.format(word), text) for word in ("factuality", "coherence")}
    if marks["factuality"] is None:
        return None
    given = {word: int(found.group(1)) for word, found in marks.items() if found}
    notes = [
        " | ".join(row)
        for row in _rows(text, least=1)
        if not _NONE.match(row[0]) and not re.match(r"(?i)\W*(factuality|coherence|notes)\W*:", row[0])
    ]
    return CritiqueAnswer.model_validate(given | {"notes": notes})


def revise(text: str) -> ReviseAnswer | None:
    """`s2 | c1, c3 | new wording`, or NONE."""
    changes = [
        Change(sentence_id=label, claim_ids=_ids(ids), text=" ".join(rest))
        for label, ids, *rest in _rows(text, least=2)
    ]
    return ReviseAnswer(changes=changes) if changes or _NONE.search(text) else None


def repair(text: str) -> RepairAnswer | None:
    """`1 | new wording`."""
    found = [RepairedSentence(n=number, text=" ".join(rest)) for number, *rest in _rows(text, least=2)]
    return RepairAnswer(sentences=found) if found else None


def whole(text: str) -> TextAnswer:
    """The text as it is."""
    return TextAnswer(text=text)


def _rows(text: str, least: int, most: int = 0) -> Iterator[list[str]]:
    for line in text.splitlines():
        row = [part.strip() for part in _BULLET.sub("", line).split("|", most - 1)]
        if len(row) >= least and re.search(r"\w", row[0]):
            yield row


def _ids(text: str) -> list[str]:
    return _IDS.findall(text)


def _unquoted(text: str) -> str:
    return text.strip().strip('"“”„«»').strip()

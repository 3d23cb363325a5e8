"""The plain form of every answer: one item a line, its parts divided by `|`; read as leniently as possible."""

import re
from collections.abc import Iterator

from deepresearch_mcp.thinkers.prompted.answers import (
    AssessAnswer,
    AssessedPart,
    Change,
    ClaimVerdict,
    CompareAnswer,
    ComparedPair,
    ConcludeAnswer,
    ConcludedSentence,
    CritiqueAnswer,
    GapsAnswer,
    HoldJudgementsAnswer,
    JudgeAnswer,
    JudgementVerdict,
    OutlineAnswer,
    OutlinedSection,
    PlanAnswer,
    PlannedPart,
    ReadAnswer,
    ReadClaim,
    RepairAnswer,
    RepairedSentence,
    ReviseAnswer,
    TextAnswer,
    WriteAnswer,
    WrittenSentence,
)

_BULLET = re.compile(r"^\s*(?:[-*•>]\s+|\d{1,2}[.)]\s+|\|\s*)+")
_NONE = re.compile(r"(?im)^\W*none\W*$")
_MARK = r"(?im)^\W*{}\W*(\d+)"
_IDS = re.compile(r"[A-Za-z]?\d+")


def plan(text: str) -> PlanAnswer | None:
    """`question | query | query`; a line that ends in a question mark needs no queries."""
    parts = [
        PlannedPart(question=question, queries=[query for query in queries if query])
        for question, *queries in _rows(text, least=1)
        if queries or question.endswith("?")
    ]
    return PlanAnswer(sub_questions=parts) if parts else None


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
    """`sufficiency: 7`, then `q1 | yes | query`."""
    mark = re.search(_MARK.format("sufficiency"), text)
    if mark is None:
        return None
    parts = [
        AssessedPart(
            id=label,
            answered=answered.lower().startswith(("yes", "true", "answered")),
            queries=[query for query in queries if query and not _NONE.match(query)],
        )
        for label, answered, *queries in _rows(text, least=2)
    ]
    return AssessAnswer(sufficiency=int(mark.group(1)), parts=parts)


def gaps(text: str) -> GapsAnswer | None:
    """`sufficiency: 7`, then a gap a line, or NONE."""
    mark = re.search(_MARK.format("sufficiency"), text)
    if mark is None:
        return None
    found = [
        " | ".join(row)
        for row in _rows(text, least=1)
        if not _NONE.match(row[0]) and not re.match(r"(?i)\W*(sufficiency|gaps)\W*:", row[0])
    ]
    return GapsAnswer(sufficiency=int(mark.group(1)), gaps=found)


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
    """`1 | kind | c1, c3 | new wording`; kind and claims may be left out."""
    found: list[RepairedSentence] = []
    for number, *rest in _rows(text, least=2):
        kind = rest.pop(0).lower() if len(rest) > 1 and rest[0].lower() in _KINDS else ""
        claims = _ids(rest.pop(0)) if len(rest) > 1 and _ONLY_IDS.fullmatch(rest[0]) else []
        found.append(RepairedSentence(n=number, kind=kind, claims=claims, text=" ".join(rest)))
    return RepairAnswer(sentences=found) if found else None


_KINDS = frozenset({"fact", "synthesis", "judgement"})
_ONLY_IDS = re.compile(r"(?:\W*[A-Za-z]\d+)*\W*")


def hold_judgements(text: str) -> HoldJudgementsAnswer | None:
    """`j1 | verdict | fault`."""
    found = [
        JudgementVerdict(id=label, verdict=verdict, fault="".join(rest[:1]))
        for label, verdict, *rest in _rows(text, least=2)
    ]
    return HoldJudgementsAnswer(judgements=found) if found else None


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

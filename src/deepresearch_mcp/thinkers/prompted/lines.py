"""The plain form of every answer: one item a line, its parts divided by `|`; read as leniently as possible."""

import re
from collections.abc import Iterator, Sequence

from deepresearch_mcp.thinkers.prompted.answers import (
    AssessAnswer,
    ClaimVerdict,
    ConsolidateAnswer,
    Contradiction,
    HoldAnswer,
    HoldJudgementsAnswer,
    JudgeAnswer,
    JudgementVerdict,
    OpenedPoint,
    PlanAnswer,
    PlannedDeliverable,
    PlannedPart,
    PlannedStatement,
    ReadAnswer,
    ReadClaim,
    RepairAnswer,
    RepairedSentence,
    ReviewAnswer,
    SameClaims,
    SectionRewrite,
    SentenceVerdict,
    TextAnswer,
)
from deepresearch_mcp.thinkers.prompted.fill_answers import FillAnswer, FilledSpot
from deepresearch_mcp.thinkers.prompted.gap_answers import GapsAnswer, GapStatus
from deepresearch_mcp.thinkers.prompted.sketch_answers import SketchAnswer, SketchedPosition, SketchedSection

_BULLET = re.compile(r"^\s*(?:[-*•>]\s+|\d{1,2}[.)]\s+|\|\s*)+")
_NONE = re.compile(r"(?im)^\W*none\W*$")
_MARK = r"(?im)^\W*{}\W*(\d+)"
_CLAIM = 2
"""Parts of a claim's line that are always there behind the passage: claim and quote."""
_POINT = re.compile(r"(?:d|h|s\d{1,3}a)\d{1,3}")
_POINTS = re.compile(rf"[-–\s]*|(?:{_POINT.pattern}[\s,;]*)+")
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
    """`p1 | 3 | d1 s1a2 | claim | "quote"`, weight and points or only the points left out, or NONE."""
    claims = [_claim(label, rest) for label, *rest in _rows(text, least=3)]
    return ReadAnswer(claims=claims) if claims or _NONE.search(text) else None


def _claim(label: str, rest: Sequence[str]) -> ReadClaim:
    weight = rest[0] if len(rest) > _CLAIM and re.fullmatch(r"[1-3]", rest[0]) else ""
    rest = rest[1:] if weight else rest
    covers = _POINT.findall(rest[0]) if len(rest) > _CLAIM and _POINTS.fullmatch(rest[0]) else []
    rest = rest[1:] if len(rest) > _CLAIM and _POINTS.fullmatch(rest[0]) else rest
    # A quote may hold strokes of its own: it is the row of a table.
    quote = _unquoted(" | ".join(rest[1:]))
    return ReadClaim(passage_id=label, claim=rest[0], quote=quote, weight=weight, covers=covers)


def judge(text: str) -> JudgeAnswer | None:
    """`c1 | verdict | fault | sentence`."""
    verdicts = [
        ClaimVerdict(claim_id=label, verdict=verdict, fault="".join(rest[:1]), sentence="".join(rest[1:2]))
        for label, verdict, *rest in _rows(text, least=2)
    ]
    return JudgeAnswer(verdicts=verdicts) if verdicts else None


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
    """`same | c1, c4`, `within | c3, c5`, `contradict | c2, c7 | version`, or NONE."""
    rows = list(_rows(text, least=2))
    same, within = (
        [SameClaims(claim_ids=_ids(row[1])) for row in rows if row[0].lower() == word] for word in ("same", "within")
    )
    apart = [
        Contradiction(claim_ids=_ids(row[1]), reason=" ".join(row[2:]))
        for row in rows
        if row[0].lower().startswith("contradict")
    ]
    if not (same or within or apart or _NONE.search(text)):
        return None
    return ConsolidateAnswer(same=same, within=within, contradict=apart)


def gaps(text: str) -> GapsAnswer | None:
    """`1 | partly | a, c | what is left | 2`, a line for each gap."""
    found = [
        GapStatus(
            gap=number,
            status=rest[0],
            by=_ids(rest[1]) if len(rest) > 1 else [],
            rest=rest[2] if len(rest) > 2 else "",
            same=rest[3] if len(rest) > 3 else "",
        )
        for number, *rest in _rows(text, least=2)
    ]
    return GapsAnswer(gaps=found) if found else None


def fill(text: str) -> FillAnswer | None:
    """`e1 | c3, c7 | the words`, or `e2 | b4 | the words | "quote" | the fact`; `NONE`: all stay open."""
    found = [
        FilledSpot(
            spot=spot,
            by=_ids(rest[0]),
            text=rest[1],
            # A quote may hold strokes of its own: it is the row of a table.
            quote=_unquoted(" | ".join(rest[2:-1])),
            fact=rest[-1] if len(rest) >= _FILLED + 1 else "",
        )
        for spot, *rest in _rows(text, least=3)
    ]
    return FillAnswer(spots=found) if found or _NONE.search(text) else None


_FILLED = 3
"""Parts behind the name of a spot up to its quote."""


def sketch(text: str) -> SketchAnswer | None:
    """`Title: …`, then `d1 | c1, c2 | position` for positions and `heading | form | c3, c4 | thesis` for sections."""
    title = re.search(r"(?im)^\W*title\W*:\W*(.+)$", text)
    positions: list[SketchedPosition] = []
    sections: list[SketchedSection] = []
    for first, *rest in _rows(text, least=3):
        if re.fullmatch(r"\W*d\d{1,2}\W*", first):
            positions.append(SketchedPosition(deliverable=first, premises=_ids(rest[0]), position=" ".join(rest[1:])))
        else:
            form, facts = (rest[0], rest[1]) if rest[0].lower() in _FORMS else ("prose", rest[0])
            sections.append(SketchedSection(heading=first, form=form, facts=_ids(facts), thesis=rest[-1]))
    return (
        SketchAnswer(title=title.group(1).strip() if title else "", positions=positions, sections=sections)
        if (sections)
        else None
    )


def review(text: str) -> ReviewAnswer | None:
    """`worth: 7`, then `2 | what is wrong with section 2`, `opening | …`, `order | 2, 1`, `search | query`, or NONE."""
    mark = re.search(_MARK.format("worth"), text)
    if mark is None:
        return None
    rewrite: list[SectionRewrite] = []
    said: dict[str, list[str]] = {}
    for first, *rest in _rows(text, least=2):
        name = first.lower().strip("*: ")
        if number := re.fullmatch(r"(?:section\s*)?(\d{1,2})", name):
            rewrite.append(SectionRewrite(section=number.group(1), why=" ".join(rest)))
        else:
            said.setdefault(name, []).append(" ".join(rest))
    return ReviewAnswer(
        worth=int(mark.group(1)),
        opening=" ".join(said.get("opening", [])),
        rewrite=rewrite,
        order=re.findall(r"\d+", " ".join(said.get("order", []))),
        queries=said.get("search", []),
    )


def repair(text: str) -> RepairAnswer | None:
    """`1 | kind | c1, c3 | new wording`; kind and claims may be left out."""
    found: list[RepairedSentence] = []
    for number, *rest in _rows(text, least=2):
        kind = rest.pop(0).lower() if len(rest) > 1 and rest[0].lower() in _KINDS else ""
        claims = _ids(rest.pop(0)) if len(rest) > 1 and _ONLY_IDS.fullmatch(rest[0]) else []
        found.append(RepairedSentence(n=number, kind=kind, claims=claims, text=" ".join(rest)))
    return RepairAnswer(sentences=found) if found else None


_FORMS = frozenset({"prose", "table", "list", "steps"})
_KINDS = frozenset({"fact", "synthesis", "judgement"})
_ONLY_IDS = re.compile(r"(?:\W*[A-Za-z]\d+)*\W*")


def hold(text: str) -> HoldAnswer | None:
    """`s1 | verdict | fault | claim`."""
    found = [
        SentenceVerdict(sentence_id=label, verdict=verdict, fault="".join(rest[:1]), shown_by="".join(rest[1:2]))
        for label, verdict, *rest in _rows(text, least=2)
    ]
    return HoldAnswer(verdicts=found) if found else None


def hold_judgements(text: str) -> HoldJudgementsAnswer | None:
    """`j1 | verdict | fault | premise`."""
    found = [
        JudgementVerdict(judgement_id=label, verdict=verdict, fault="".join(rest[:1]), shown_by="".join(rest[1:2]))
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

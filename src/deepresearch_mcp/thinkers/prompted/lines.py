"""The plain form of every answer: one item a line, its parts divided by `|`; read as leniently as possible."""

import re
from collections.abc import Iterator

from deepresearch_mcp.thinkers.prompted.answers import (
    AssessAnswer,
    AssessedPart,
    ClaimVerdict,
    CompareAnswer,
    ComparedPair,
    GapsAnswer,
    JudgeAnswer,
    PlanAnswer,
    PlannedPart,
    ReadAnswer,
    ReadClaim,
    RepairAnswer,
    RepairedSentence,
    ReviewAnswer,
    SectionRewrite,
    SketchAnswer,
    SketchedPosition,
    SketchedSection,
    TextAnswer,
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
    """`1 | new wording`."""
    found = [RepairedSentence(n=number, text=" ".join(rest)) for number, *rest in _rows(text, least=2)]
    return RepairAnswer(sentences=found) if found else None


_FORMS = frozenset({"prose", "table", "list", "steps"})


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

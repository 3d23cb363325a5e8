"""What a question asks for, as far as its form says: deliverables, subjects, aspects, constraints."""

import re
from collections.abc import Sequence

from deepresearch_mcp.records.plan import Deliverable, DeliverableKind, Scope
from deepresearch_mcp.thinkers.extractive.clauses import clauses
from deepresearch_mcp.thinkers.extractive.comparisons import compared_by
from deepresearch_mcp.thinkers.extractive.enumerations import enumeration
from deepresearch_mcp.thinkers.extractive.forms import things_in
from deepresearch_mcp.thinkers.extractive.parts import listed as listed_names
from deepresearch_mcp.thinkers.extractive.patterns import ADVISE, AUX, MONTH, WH
from deepresearch_mcp.thinkers.extractive.prose import clip

_KINDS: tuple[tuple[DeliverableKind, str], ...] = (
    (
        "recommendation",
        rf"\b{ADVISE}\b|\brecommendations?\b|\bshould (?:i|we|one|a|an)\b|\b(?:best|safest|better|worth)\b"
        r"|\bwould you\b|\b(?:when|which) should\b",
    ),
    ("comparison", r"^compar|\bcompare[ds]?\b|\bdiffer(?:s|ence|ences)?\b|\bvs\.?\b|\bversus\b|\btrade-?offs?\b"),
    (
        "figure",
        r"^how (?:many|much|long|far|tall|old|large|big|high|fast)\b|^what (?:percentage|share|number|amount)\b",
    ),
    (
        "timeline",
        r"^when\b|^since when\b|\btimeline\b|\bhistory of\b"
        r"|\b(?:changed?|evolved?|developed?)\b.*\b(?:since|between|from)\b",
    ),
    ("how_to", r"^how (?:do|can|should|could) (?:i|we|you|one)\b|^how to\b|\bset up\b|\bstep by step\b"),
    ("list", r"^(?:list|which|what) (?:\w+ ){0,3}?(?:are|were|exist)\b|^list\b|\boptions\b|^what are\b"),
    ("explanation", r"^why\b|^how\b|^explain\b"),
    ("verdict", rf"^{AUX}\b"),
)
_CONSTRAINTS = (
    re.compile(
        r"\b(?:since|after|before|until|between|from|by|in) (?:the )?(?:\d{4}s?\b(?: (?:and|to) (?:the )?\d{4}s?)?)"
    ),
    re.compile(rf"\b(?:since|after|before|until|by|in) {MONTH}(?: \d{{1,2}},?)? \d{{4}}", re.IGNORECASE),
    re.compile(r"\b[A-Z][\w+#-]*(?: [A-Z][\w+#-]*)* v?\d+(?:\.\d+)+(?: (?:and|to) v?\d+(?:\.\d+)+)?"),
    re.compile(
        r"\bin (?:at most|under|less than|about|no more than) [\d,]+ (?:words|sentences|pages)\b", re.IGNORECASE
    ),
    re.compile(
        r"\bfor (?:beginners|children|laypeople|experts|a lay(?:man|person)|managers|students)\b", re.IGNORECASE
    ),
)
_MOST = 12
_LONGEST = 300


def scope_of(question: str) -> Scope:
    """Return what an English question asks for, in its order; of other languages nothing is told."""
    asked = clauses(question)
    listed = next((found for line in question.splitlines() or [question] if (found := enumeration(line))), None)
    named = (things_in(text) for text in (*asked, listed.lead if listed else ""))
    subjects = next((found for found in named if found), ())
    aspects = list(listed.items) if listed else _aspects(asked, subjects)
    return Scope(
        deliverables=tuple(
            Deliverable(id=f"d{number}", kind=_kind(clause), text=clip(clause, _LONGEST))
            for number, clause in enumerate(asked[:_MOST], 1)
        ),
        subjects=tuple(subjects),
        aspects=tuple(aspects[:_MOST]) if subjects else (),
        constraints=_constraints(question),
    )


def _kind(clause: str) -> DeliverableKind:
    # A topic before a colon says nothing about what is asked of it.
    asks = clause.partition(": ")[2]
    folded = (asks if re.match(rf"(?:{WH}|{AUX}|{ADVISE})\b", asks, re.IGNORECASE) else clause).casefold()
    for kind, pattern in _KINDS:
        if re.search(pattern, folded):
            return kind
    return "answer"


def _aspects(asked: Sequence[str], subjects: Sequence[str]) -> list[str]:
    """Return what the subjects are compared by: `by price, speed and safety`."""
    if not subjects:
        return []
    after = [clause.rpartition(": ")[2] for clause in asked if clause.startswith(f"{listed_names(tuple(subjects))}: ")]
    for clause in asked:
        if found := compared_by(clause.rstrip("?. ")):
            return found
    return after


def _constraints(question: str) -> tuple[str, ...]:
    found = (match.group() for pattern in _CONSTRAINTS for match in pattern.finditer(question))
    return tuple(dict.fromkeys(found))

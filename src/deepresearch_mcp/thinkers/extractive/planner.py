"""Plan: a question split by its form, and search queries for each part."""

import re
from collections.abc import Sequence
from dataclasses import replace

from deepresearch_mcp.records.plan import Brief, Plan, Scope, SubQuestion
from deepresearch_mcp.text.addresses import with_pages_named
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.thinkers.extractive.clauses import clauses, is_english
from deepresearch_mcp.thinkers.extractive.forms import parts_of
from deepresearch_mcp.thinkers.extractive.leads import is_a_chain
from deepresearch_mcp.thinkers.extractive.parts import Piece, aspect, listed, sentence_case
from deepresearch_mcp.thinkers.extractive.patterns import ADVISE
from deepresearch_mcp.thinkers.extractive.prose import clip
from deepresearch_mcp.thinkers.extractive.queries import distinct, queries_for
from deepresearch_mcp.thinkers.extractive.scoping import scope_of

_LONGEST = 300
"""Characters of a sub-question."""
_FEWEST_QUERIES = 3
_A_PART = 3
"""Queries of one part; a part about several things has one for each of them."""
_MOST_PARTS = 7
"""`records.plan.Plan` takes no more of them beside the whole question."""


def plan(brief: Brief, parts: int, queries: int) -> Plan:
    """Split the question into 1 to `parts` sub-questions; about `queries` queries together, at least one for each."""
    # The dots and slashes of an address would split the question; what its page is called still says what is asked.
    question = " ".join(with_pages_named(brief.question).split()) or brief.question
    language = "en" if is_english(question) else guess(question) or brief.language
    pieces = split(question, max(1, min(parts, _MOST_PARTS)), language)
    chained = any(piece.rests_on or is_a_chain(piece.text) for piece in pieces)
    most = max(_FEWEST_QUERIES, queries if chained else min(queries, _A_PART * len(pieces)))
    asked = _shared_out(pieces, question, most, language)
    ids = {piece.text: f"q{number}" for number, piece in enumerate(pieces, start=1)}
    return Plan(
        goals=tuple(piece.text for piece in pieces if piece.priority == "high"),
        sub_questions=tuple(
            SubQuestion(
                id=ids[piece.text],
                text=piece.text,
                priority=piece.priority,
                queries=tuple(asked[piece.text]),
                depends_on=tuple(ids[text] for text in piece.rests_on if text in ids),
            )
            for piece in pieces
        ),
        scope=scope_of(question) if language in {"", "en"} else Scope(),
        made_by="extractive",
    )


def split(question: str, parts: int, language: str) -> list[Piece]:
    """Return the parts of the question in its order; if they are too many, the finest divisions go first."""
    if language not in {"", "en"}:
        return [Piece(clip(" ".join(question.split()), _LONGEST))]
    asked = [_JOINED.sub("", clause) for clause in clauses(question)]
    # What is to be recommended is no fact that a page has: without a model the facts are laid side by side.
    asked = [clause for clause in asked if not _ADVICE.match(clause)] or asked
    by_clause = [parts_of(clause) for clause in asked]
    if sum(map(len, by_clause)) > parts and sum(all(piece.subjects for piece in found) for found in by_clause) > 1:
        # Several things by many aspects: each aspect of all things, or their parts would not be alike.
        by_clause = [
            _fewer(found, clause) if len(found) > 1 else found for found, clause in zip(by_clause, asked, strict=True)
        ]
    while sum(map(len, by_clause)) > parts and any(len(found) > 1 for found in by_clause):
        widest = max(range(len(by_clause)), key=lambda at: (len(by_clause[at]), at))
        by_clause[widest] = _fewer(by_clause[widest], asked[widest])
    pieces = [piece for found in by_clause for piece in found][:parts]
    pieces = [pieces[0], *(_within(piece, pieces[0]) for piece in pieces[1:])]
    return [_clipped(piece) for piece in {piece.text: piece for piece in pieces}.values()]


_JOINED = re.compile(r"[,;]?\s+(?:and|or)\s*(?=[?.]?$)")
"""What joined a clause to the next one: `(a) how is it set and (b) …`."""


def _fewer(found: list[Piece], clause: str) -> list[Piece]:
    """Ask of all things at once, leave out parts of lower priority, or else undo the division."""
    topics = dict.fromkeys(piece.topic for piece in found)
    if all(piece.subjects and piece.topic for piece in found) and len(topics) < len(found):
        return [_of_all(topic, [piece for piece in found if piece.topic == topic]) for topic in topics]
    kept = [piece for piece in found if piece.priority == "high"]
    if 1 < len(kept) < len(found):
        return kept
    return [Piece(_as_question(clause), aspect(clause))]


def _within(piece: Piece, first: Piece) -> Piece:
    """What is asked of the same things as the first part, in what the question is about: its `default settings`."""
    same = piece.subjects and set(piece.subjects) <= set(first.subjects) and first.topic != piece.topic
    return replace(piece, context=first.topic) if same and first.text.split(": ")[-1].startswith("how they") else piece


def _of_all(topic: str, pieces: Sequence[Piece]) -> Piece:
    """One part for an aspect of several things: `SQLite and PostgreSQL: locks`."""
    subjects = tuple(name for piece in pieces for name in piece.subjects)
    title = f"{listed(subjects)}: {topic}"
    return Piece(
        title if pieces[0].text.endswith(f": {topic}") else f"{listed(subjects)}: how they {topic}",
        topic=topic,
        subjects=subjects,
        context=pieces[0].context,
    )


_ADVICE = re.compile(rf"^(?:[^:]{{1,80}}: )?(?:{ADVISE})\b(?!\s+\w+\s+\w+\s*\?)", re.IGNORECASE)
_COMPARE = re.compile(r"^compare\s+(?P<things>.+?\s(?:and|with|to)\s\S+)(?:\s+(?P<rest>.+))?$", re.IGNORECASE)


def _as_question(clause: str) -> str:
    """Return a clause as a heading: `Compare A and B on price` becomes `How do A and B compare on price?`."""
    if match := _COMPARE.match(clause.rstrip("?. ")):
        return " ".join(filter(None, ("How do", match["things"], "compare", match["rest"]))) + "?"
    return sentence_case(clause)


def _clipped(piece: Piece) -> Piece:
    texts = tuple(clip(text, _LONGEST) for text in piece.rests_on)
    return replace(piece, text=clip(piece.text, _LONGEST), rests_on=texts)


def _shared_out(pieces: list[Piece], question: str, queries: int, language: str) -> dict[str, list[str]]:
    """Give each part its best query, then second ones in turn until there are enough; no query twice."""
    offered = {piece.text: queries_for(piece, question, language) for piece in pieces}
    by_text = {piece.text: piece for piece in pieces}
    given: dict[str, list[str]] = {piece.text: [] for piece in pieces}
    taken: list[str] = []
    for place in range(max((len(found) for found in offered.values()), default=0)):
        for text, found in offered.items():
            needed = place < len(by_text[text].subjects)
            if (place > 0 and len(taken) >= queries and not needed) or place >= len(found):
                continue
            if len(distinct([*taken, found[place]])) > len(taken):
                taken.append(found[place])
                given[text].append(found[place])
    for text, found in given.items():
        if not found:
            # The query is one word or repeats another part; the part's own text still finds its pages.
            found.append(
                text.rstrip("?")
                if len(text.split()) > 1 or language not in {"", "en"}
                else f"{text.rstrip('?')} overview"
            )
    return given

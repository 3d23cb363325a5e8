"""Plan: a question split by its form, and search queries for each part."""

from deepresearch_mcp.records.plan import Brief, Plan, SubQuestion
from deepresearch_mcp.text.addresses import without_addresses
from deepresearch_mcp.text.language import guess
from deepresearch_mcp.thinkers.extractive.clauses import clauses, is_english
from deepresearch_mcp.thinkers.extractive.forms import parts_of
from deepresearch_mcp.thinkers.extractive.parts import Piece, aspect, sentence_case
from deepresearch_mcp.thinkers.extractive.prose import clip
from deepresearch_mcp.thinkers.extractive.queries import distinct, queries_for

_LONGEST = 300
"""Characters of a sub-question."""
_FEWEST_QUERIES = 3
_MOST_PARTS = 7
"""`records.plan.Plan` takes no more of them beside the whole question."""


def plan(brief: Brief, parts: int, queries: int) -> Plan:
    """Split the question into 1 to `parts` sub-questions; about `queries` queries together, at least one for each."""
    # An address says nothing about what is asked, and its dots and slashes would split the question.
    question = " ".join(without_addresses(brief.question).split()) or brief.question
    language = "en" if is_english(question) else guess(question) or brief.language
    pieces = split(question, max(1, min(parts, _MOST_PARTS)), language)
    asked = _shared_out(pieces, question, max(queries, _FEWEST_QUERIES), language)
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
        made_by="extractive",
    )


def split(question: str, parts: int, language: str) -> list[Piece]:
    """Return the parts of the question in its order; if they are too many, the finest divisions go first."""
    if language not in {"", "en"}:
        return [Piece(clip(" ".join(question.split()), _LONGEST))]
    asked = clauses(question)
    by_clause = [parts_of(clause) for clause in asked]
    while sum(map(len, by_clause)) > parts and any(len(found) > 1 for found in by_clause):
        widest = max(range(len(by_clause)), key=lambda at: (len(by_clause[at]), at))
        by_clause[widest] = _fewer(by_clause[widest], asked[widest])
    pieces = [piece for found in by_clause for piece in found][:parts]
    return [_clipped(piece) for piece in {piece.text: piece for piece in pieces}.values()]


def _fewer(found: list[Piece], clause: str) -> list[Piece]:
    """Remove a clause's parts of lower priority, or else undo the division."""
    kept = [piece for piece in found if piece.priority == "high"]
    if 1 < len(kept) < len(found):
        return kept
    return [Piece(sentence_case(clause), aspect(clause))]


def _clipped(piece: Piece) -> Piece:
    texts = tuple(clip(text, _LONGEST) for text in piece.rests_on)
    return Piece(clip(piece.text, _LONGEST), piece.aspect, piece.priority, texts)


def _shared_out(pieces: list[Piece], question: str, queries: int, language: str) -> dict[str, list[str]]:
    """Give each part its best query, then second ones in turn until there are enough; no query twice."""
    offered = {piece.text: queries_for(piece, question, language) for piece in pieces}
    given: dict[str, list[str]] = {piece.text: [] for piece in pieces}
    taken: list[str] = []
    for place in range(max((len(found) for found in offered.values()), default=0)):
        for text, found in offered.items():
            if (place > 0 and len(taken) >= queries) or place >= len(found):
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

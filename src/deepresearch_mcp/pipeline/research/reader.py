"""Read passages: the thinker proposes claims, and every quote is located in its snapshot."""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import anyio.to_thread

from deepresearch_mcp.entailment.check import NEGATION, details_missing_from
from deepresearch_mcp.injection.fitness import fit_around, is_fit
from deepresearch_mcp.injection.screen import clean_around, is_beside_the_point, may_ask, readable_heading, unwanted_in
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, ClaimDraft, Lead, Quote
from deepresearch_mcp.records.plan import Brief, Hypothesis, SubQuestion
from deepresearch_mcp.records.sources import Document, Passage
from deepresearch_mcp.text.entries import enclosing, entries
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.passages import headings_at, path_of
from deepresearch_mcp.text.quotes import locate
from deepresearch_mcp.text.sentences import Span, sentences
from deepresearch_mcp.text.surroundings import WIDEST, surroundings
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import ReadPassages

_OVER = 1.15
"""A group may be longer than asked for by this factor, so that no scrap is left over."""
_LONG = 100_000
"""Characters of a page from which quotes are located in a thread."""

_A_CLAIM = 350
"""Characters of passages for each claim that is taken at most."""
_FEWEST = 8
_MOST = 40
_CONTEXT = 160
"""Characters around a quote that a judge sees, in whole sentences."""


@dataclass(frozen=True, slots=True)
class BatchReading:
    """What one call of the reader gave."""

    claims: tuple[Claim, ...]
    unlocated: int
    """Claims that were dropped, because their words are not on the page or may not become a claim."""
    leads: tuple[Lead, ...]
    key: str
    """The key of the step that read them."""


def batches(passages: Sequence[Passage], chars: int) -> list[list[Passage]]:
    """The passages in their order, in as few groups of about `chars` characters as it takes, all about equally long.

    A longer passage is a group of its own.
    """
    whole = sum(len(passage.text) for passage in passages)
    number = max(1, math.ceil(whole / (_OVER * chars)))
    even = whole / number
    groups: list[list[Passage]] = []
    size = 0
    for passage in passages:
        full = size + len(passage.text) / 2 > even and len(groups) < number
        if not groups or full or size + len(passage.text) > _OVER * chars:
            groups.append([])
            size = 0
        groups[-1].append(passage)
        size += len(passage.text)
    return groups


@dataclass(frozen=True, slots=True)
class Material:
    """What one call of the reader is about."""

    sub_question: SubQuestion
    passages: Sequence[Passage]
    documents: Mapping[str, Document]
    """The pages of the passages, by source id."""
    hypotheses: tuple[Hypothesis, ...] = ()
    """What to confirm, correct or refute."""
    needs: tuple[str, ...] = ()
    """The steps that fetched the pages."""
    most: int = 0
    """The most claims that are taken; 0: as many as such passages can hold."""
    own: tuple[Hypothesis, ...] = ()
    """The hypotheses that the passages were chosen for."""
    homes: Mapping[str, SubQuestion] = field(default_factory=lambda: MappingProxyType(dict[str, SubQuestion]()))
    """Passage → the sub-question that it was chosen for, where that is not the same for all."""

    @property
    def parts(self) -> tuple[SubQuestion, ...]:
        """All sub-questions that the passages were chosen for, each once."""
        found = {(one.id, one.text): one for one in (self.sub_question, *self.homes.values())}
        return tuple(found.values())

    def home(self, passage_id: str) -> SubQuestion:
        """The sub-question that a passage is read for."""
        return self.homes.get(passage_id, self.sub_question)

    @property
    def limit(self) -> int:
        """The most claims that are taken: a bound for a careless reader, not a wish."""
        if self.most:
            return self.most
        pages = len({passage.source_id for passage in self.passages})
        said = sum(len(passage.text) for passage in self.passages) // _A_CLAIM
        # A batch may hold many short pages, and each may say something.
        return max(_FEWEST, pages, min(_MOST, said))


async def read(brief: Brief, material: Material, thinker: Thinker) -> BatchReading:
    """Read some passages. Each claim has a quote that is really in a snapshot.

    Raises:
        ProviderError: The passages could not be read.
        BudgetExceeded: A ceiling was met.
    """
    sub_question, passages, documents, limit = (
        material.sub_question,
        material.passages,
        material.documents,
        material.limit,
    )
    step = Step(steps.read(sub_question, passages), material.needs)
    cards = {name: document.card() for name, document in documents.items()}
    parts = material.parts
    reading = await thinker.ask(
        ReadPassages(brief, sub_question, passages, limit, material.hypotheses, cards, parts[1:]), step
    )
    every = dict.fromkeys((sub_question.text, brief.question, *(one.text for one in parts)))
    asked_of_all = (*every, *(query for one in parts for query in one.queries))
    by_id = {passage.passage_id: passage for passage in passages}
    claims: dict[str, Claim] = {}
    unlocated = 0
    for draft in reading.claims[:limit]:
        passage = by_id.get(draft.passage_id)
        home = material.home(draft.passage_id)
        asked = (home.text, brief.question, *home.queries)
        claim = passage and await _located(draft, passage, documents[passage.source_id], home, asked)
        if claim and is_acceptable(claim, documents[claim.quotes[0].source_id], asked):
            claims.setdefault(claim.claim_id, claim)
        else:
            unlocated += 1
    # A page may put words into the reader's mouth: a query that is off the subject is not asked.
    known = (*asked_of_all, *(claim.text for claim in claims.values()))
    unwanted = unwanted_in(passages, documents, asked_of_all) if reading.leads else []
    asking = (lead if may_ask(lead.query, known, unwanted) else Lead(url=lead.url) for lead in reading.leads)
    return BatchReading(
        tuple(claims.values()), unlocated, tuple(one for one in asking if one.query or one.url), step.key
    )


def is_acceptable(claim: Claim, document: Document, asked: Sequence[str]) -> bool:
    """Whether a claim may go to the judge: it is about what was `asked`, and addresses no machine.

    `asked` begins with the sub-question and the question. All claims pass here.
    """
    if any(is_beside_the_point(said, asked) for said in (claim.text, claim.quotes[0].text)):
        return False
    return is_fit(claim, document, asked)


async def _located(
    draft: ClaimDraft, passage: Passage, document: Document, sub_question: SubQuestion, asked: Sequence[str]
) -> Claim | None:
    if len(document.text) < _LONG:
        return locate_claim(draft, passage, document, sub_question, asked)
    return await anyio.to_thread.run_sync(
        locate_claim, draft, passage, document, sub_question, asked, abandon_on_cancel=True
    )


def locate_claim(
    draft: ClaimDraft, passage: Passage, document: Document, sub_question: SubQuestion, asked: Sequence[str] = ()
) -> Claim | None:
    """The claim with its quote located in its passage, or else elsewhere on the page; None if it is nowhere.

    The context of the quote ends before text that may not become a claim for what was `asked`.
    """
    text = " ".join(draft.text.split())
    if not text or not draft.quote.strip():
        return None
    base, where = passage.start, locate(draft.quote, passage.text)
    if where is None:
        base, where = 0, locate(draft.quote, document.text)
    if where is None:
        return None
    low, high = fit_around(document, base + where.start, base + where.end, asked)
    start, end = widened(text, document, base + where.start, base + where.end)
    start = start if start >= low else base + where.start
    # A passage may hold several sections, and the quote may stand elsewhere on the page.
    above = readable_heading(document, headings_at(document.text, start, end), asked)
    heading = path_of(document.title, above)
    quote = Quote(
        source_id=document.source_id,
        snapshot=document.snapshot,
        start=start,
        end=end,
        text=document.text[start:end],
        context=_naming(text, heading, document.text[low:high], (start - low, end - low)),
        heading=heading,
        published=document.published,
        page=document.page_at(start),
        how=where.how,
    )
    digest = hashlib.sha256(f"{text}\0{document.source_id}\0{start}\0{end}".encode()).hexdigest()
    return Claim(
        claim_id=f"c{digest[:10]}",
        sub_question=sub_question.id,
        text=text,
        quotes=(quote,),
        kind=draft.kind,
        confidence=draft.confidence,
        dated=draft.dated,
        weight=min(3, max(1, draft.weight)),
        covers=draft.covers,
        score=passage.score,
    )


def widened(claim: str, document: Document, start: int, end: int) -> tuple[int, int]:
    """The quote with sentences before it added, if they hold numbers and dates of the claim; else as it was.

    "A 2018 analysis of 142 groups … The researchers found …": a claim with the year of the first sentence is right,
    although only the second one was quoted.
    """
    own, text = names_in(claim), document.text

    def lacking(begin: int) -> set[str]:
        return {one for one in details_missing_from(claim, text[begin:end]) if one not in own and one != NEGATION}

    if not lacking(start):
        return start, end
    # Never across words that address a machine: they are no part of what the page says.
    clean, _ = clean_around(document, start, end)
    # Nor across the start of an entry: the text before it is about another entry.
    own_entry = enclosing(entries(text), start, end)
    clean = max(clean, own_entry[-1].start) if own_entry else clean
    return next((one.start for one in _before(text, clean, start) if not lacking(one.start)), start), end


def _before(text: str, bound: int, start: int) -> Iterator[Span]:
    """The whole sentences before a place, the nearest first, as far as is searched. None begins before `bound`."""
    low = max(bound, start - WIDEST)
    # A window that starts inside the text most likely cuts its first sentence.
    for span in reversed(sentences(text[low:start])[1 if low > bound else 0 :]):
        yield Span(low + span.start, low + span.end)


def _naming(claim: str, heading: str, text: str, quote: tuple[int, int]) -> str:
    """The context of a quote. It starts earlier if a name of the claim is only there."""
    begin, end = surroundings(text, *quote, _CONTEXT)
    own = names_in(claim)
    lost = [one for one in details_missing_from(claim, f"{heading}\n{text[begin:end]}") if one in own]
    whole = _before(text, 0, begin) if lost else ()
    named = (one.start for one in whole if any(name in text[one.start : one.end] for name in lost))
    return text[next(named, begin) : end]

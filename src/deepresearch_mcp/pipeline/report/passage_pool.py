"""All passages of the pages that a research has read, ranked for anything that is asked."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from deepresearch_mcp.pipeline.report.asked_words import AskedWords
from deepresearch_mcp.pipeline.report.document_ranking import ranked_passages
from deepresearch_mcp.pipeline.report.foreign_words import ForeignQuestions
from deepresearch_mcp.pipeline.report.homes import Homes
from deepresearch_mcp.pipeline.report.meant_documents import Meant, MeantDocuments
from deepresearch_mcp.pipeline.report.pool_passage import (
    PoolPassage,
    fit_passages,
    is_log,
    is_named,
    own_title,
    spans_of,
)
from deepresearch_mcp.pipeline.report.ranked_passage import RankedPassage, ranked_passage
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.text.library_urls import LIBRARY
from deepresearch_mcp.text.ranking import Ranker, term_counts
from deepresearch_mcp.thinkers.extractive.answers import fits
from deepresearch_mcp.thinkers.extractive.joined import in_turn
from deepresearch_mcp.thinkers.extractive.relevance import Relevance
from deepresearch_mcp.thinkers.extractive.terms import asked, names, names_and_owners

_LOOKED_AT = 40
"""Passages that are scored for one question, the best by their words first."""
_AROUND = 0.2
"""The share of the words of its context that a passage must hold."""
_WORD = re.compile(r"\w+")


class PassagePool:
    """The passages of some pages, without what is planted on them."""

    def __init__(self, documents: Mapping[str, Document], claims: Iterable[Claim], asked: Sequence[str]) -> None:
        """`claims`: each once, as they stand; `asked`: all that the pages were read for."""
        self._asked = asked
        self._on_page: dict[str, list[tuple[int, int, Claim]]] = {}
        for claim in claims:
            for quote in claim.quotes:
                self._on_page.setdefault(quote.source_id, []).append((quote.start, quote.end, claim))
        # Only what is looked at is screened: most of a page is never near an answer.
        self._spans = [
            (document, piece)
            for document in documents.values()
            if "paywalled" not in document.flags
            for piece in spans_of(document.text, whole_tables=document.url.startswith(LIBRARY))
        ]
        self._fit: dict[int, tuple[PoolPassage, ...]] = {}
        self._counts = [
            term_counts(f"{document.title}\n{piece.heading}\n{document.text[piece.start : piece.end]}")
            for document, piece in self._spans
        ]
        self._ranker = Ranker(self._counts)
        self._homes = Homes(documents, asked)
        self._foreign = ForeignQuestions(self._counts, self._homes)
        self._meant = MeantDocuments(documents.values(), asked[0] if asked else "")

    def meant(self, question: str) -> int:
        """How many documents of a library a question means; 0 if it names none of several."""
        found = self._meant.of(question)
        return len(found.source_ids) if found else 0

    def ranked(
        self,
        question: str,
        words_too: Sequence[str] = (),
        language: str = "en",
        subject: str = "",
        context: Sequence[str] = (),
        *,
        chained: bool = False,
    ) -> list[RankedPassage]:
        """Return the passages that answer the question, best first; none where none does.

        Args:
            question: What is asked; a topic before a colon is its `subject`, where one is given.
            words_too: Such as its queries; they count only for what is looked at first.
            language: ISO 639-1 of the question.
            subject: What a passage must be about: it or a heading names it, or its site is about it.
            context: Words that say in which sense the question is meant; a passage must hold some of them.
            chained: The answer is a chain of facts, each of which has a part of the words.
        """
        about = question.partition(": ")[2] if subject and ": " in question else question
        about = self._in_their_words(about, language)
        if meant := self._meant.of(about):
            return self._in_documents(meant)
        ask = AskedWords(about, subject, language, self._rarity, self._homes)
        found = self._looked_at(ask, words_too)
        # Where no site is about a thing that is named, several pages may hold the answer, each a part of the words.
        least = 0.0 if chained or not (ask.things or ask.short) else ask.least
        around = {stem(word) for word in context}
        kept = (
            one
            for one in found
            if one.relevance.is_relevant
            and (one.held >= least or ask.one_of_each(one.passage.text, one.passage.heading) >= least)
            and self._may_say(one.passage, ask)
            and (chained or not ask.date or fits("date", one.passage.text))
            and (not around or one.passage.share_of(around) >= _AROUND)
            and self._foreign.may_answer(one.passage, question, language, ask)
        )
        best = sorted(kept, key=lambda one: -one.merit)
        turns = in_turn(ask.joined, [f"{one.passage.heading}\n{one.passage.text}" for one in best])
        return list(map(best.__getitem__, turns))

    def nearest(self, question: str, words_too: Sequence[str] = (), language: str = "en") -> list[RankedPassage]:
        """Return the passages that come near the question, best first, for one that none answers.

        Near to two words is anything with one of them, unless they are asked of a thing that a site is about.
        """
        ask = AskedWords(self._in_their_words(question, language), "", language, self._rarity, self._homes)
        if ask.short and not ask.things:
            return []
        kept = (
            one
            for one in self._looked_at(ask, words_too)
            if one.is_near
            and self._may_say(one.passage, ask)
            and self._foreign.may_answer(one.passage, question, language, ask)
        )
        return sorted(kept, key=lambda one: -one.merit)

    def _looked_at(self, ask: AskedWords, words_too: Sequence[str]) -> list[RankedPassage]:
        """The passages with the rarest words of what is asked, each with how far it answers."""
        scores = self._ranker.scores(" ".join((ask.subject, ask.question, *words_too)))
        most = max(scores, default=0.0)
        order = sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:_LOOKED_AT]
        focus = self._focus(ask)
        return [
            ranked_passage(one, ask, scores[at] / most, focus, self._homes)
            for at in order
            if scores[at] > 0
            for one in self._at(at)
        ]

    def _in_documents(self, meant: Meant) -> list[RankedPassage]:
        """What answers in the documents that are meant: the best of each in turn, the newest document first."""
        own: dict[str, list[RankedPassage]] = {name: [] for name in meant.source_ids}
        places = [at for at, (document, _) in enumerate(self._spans) if document.source_id in own]
        cut = [(self._spans[at], self._counts[at]) for at in places]
        passages = [(one.heading, page.text[one.start : one.end], counts) for (page, one), counts in cut]
        for found in ranked_passages(meant.topic, passages, meant.whole):
            held = own[cut[found.at][0][0].source_id]
            if len(held) < _LOOKED_AT:
                said = Relevance(found.held, 0, found.held)
                held += [RankedPassage(one, said, found.merit, found.held) for one in self._at(places[found.at])]
        return [one for row in zip_longest(*own.values()) for one in row if one]

    def sections(self, document: Document) -> list[PoolPassage]:
        """The passages of a page, in its order."""
        return [one for at, (page, _) in enumerate(self._spans) if page is document for one in self._at(at)]

    @property
    def documents(self) -> list[Document]:
        """The pages that have a passage."""
        return list({document.source_id: document for document, _ in self._spans}.values())

    def _focus(self, ask: AskedWords) -> dict[str, float]:
        """How much of what is asked the passages of each page hold on average, 0 to 1; its title counts for all."""
        sums: dict[str, list[float]] = {}
        for (document, _), counts in zip(self._spans, self._counts, strict=True):
            sums.setdefault(document.source_id, []).append(ask.share_of(counts))
        return {name: sum(shares) / (len(shares) + 1) for name, shares in sums.items()}

    def _at(self, at: int) -> tuple[PoolPassage, ...]:
        """What of a passage may be shown."""
        if at not in self._fit:
            document, piece = self._spans[at]
            opens = at == 0 or self._spans[at - 1][0] is not document or self._spans[at - 1][1].heading != piece.heading
            read = self._on_page.get(document.source_id, ())
            self._fit[at] = tuple(fit_passages(document, piece, read, self._asked, opens=opens))
        return self._fit[at]

    def _may_say(self, one: PoolPassage, ask: AskedWords) -> bool:
        """Where a site is about the thing, another one must speak of it under a heading, and not in a change log.

        A passage on statements is none on the `with statement`.
        """
        if not ask.names_kind(one.text, one.heading):
            return False
        homes = self._homes.of(one.document)
        if homes & ask.things or not any(map(self._homes.has_home, ask.things)):
            return True
        above = set(words(one.heading))
        return not is_log(one) and any(set(thing.split()) <= above for thing in ask.things)

    def is_at_home(self, *texts: str) -> bool:
        """Tell whether a site is about a thing that the texts name: then its pages answer, and no chain of others."""
        return any(map(self._homes.has_home, (name for text in texts for name in names_and_owners(text))))

    def _in_their_words(self, question: str, language: str) -> str:
        """The question, or of one in another language than the pages only what they hold of it: its names."""
        if language == "en":
            return question
        said = asked(question, language)
        held = [word for word in said if any(stem(word) in counts for counts in self._counts)]
        named = {word for name in names(question) for word in words(name)}
        foreign = 0 < len(held) < len(said) and not named.isdisjoint(held)
        return " ".join(one for one in _WORD.findall(question) if one.casefold() in held) if foreign else question

    def _rarity(self, word: str) -> float:
        holding = sum(word in counts for counts in self._counts)
        return math.log(1 + (len(self._counts) + 1) / (holding + 0.5))

    def around(
        self, claims: Iterable[Claim], question: str, language: str = "en", named_by: Sequence[str] | None = None
    ) -> list[RankedPassage]:
        """Return the passages that these claims were read from, whether they answer or not, in the claims' order.

        The first passages of pages that are called like a thing in the question follow. With `named_by` also those of
        pages that are called like a thing in one of these texts, then the best passage of each other page.
        """
        wanted = {claim.claim_id: None for claim in claims}
        holding: dict[str, PoolPassage] = {}
        for at, (document, piece) in enumerate(self._spans):
            own = self._on_page.get(document.source_id, ())
            if any(piece.start < end and start < piece.end and one.claim_id in wanted for start, end, one in own):
                for passage in self._at(at):
                    for claim in passage.claims:
                        holding.setdefault(claim.claim_id, passage)
        kept = dict.fromkeys(id(holding[name]) for name in wanted if name in holding)
        by_id = {id(one): one for one in holding.values()}
        found = [by_id[name] for name in kept]
        read = {one.document.source_id for one in found}
        for at, (document, _) in enumerate(self._spans):
            opens = at == 0 or self._spans[at - 1][0] is not document
            title = own_title([document.title])
            named = opens and document.source_id not in read
            if named and any(is_named(title, text) for text in (question, *(named_by or ()))):
                found.extend(self._at(at)[:1])
                read.add(document.source_id)
        if named_by is not None:
            found.extend(self._best_of_pages(question, read))
        ask = AskedWords(question, "", language, self._rarity, self._homes)
        return [ranked_passage(one, ask, 0.0, {}, self._homes) for one in found]

    def _best_of_pages(self, question: str, known: set[str]) -> Iterator[PoolPassage]:
        """The best passage of each page that is not `known`, by the question's words."""
        scores = self._ranker.scores(question)
        seen = set(known)
        for at in sorted(range(len(scores)), key=lambda at: (-scores[at], at)):
            name = self._spans[at][0].source_id
            if scores[at] > 0 and name not in seen and (fit := self._at(at)):
                seen.add(name)
                yield fit[0]

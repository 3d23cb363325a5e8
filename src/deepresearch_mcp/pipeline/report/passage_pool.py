"""All passages of the pages that a research has read, ranked for anything that is asked."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from deepresearch_mcp.injection.about_reading import is_about_reading
from deepresearch_mcp.injection.orders import is_order
from deepresearch_mcp.injection.screen import is_beside_the_point, readable
from deepresearch_mcp.pipeline.report.homes import Homes, bare_name
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.blocks import blocks
from deepresearch_mcp.text.entries import entries
from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.text.passages import PassageSpan, headings_of, path_of, pieces
from deepresearch_mcp.text.ranking import Ranker, term_counts
from deepresearch_mcp.text.reference_lists import is_reference_list
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.extractive.answers import expected
from deepresearch_mcp.thinkers.extractive.prose import clean, is_prose
from deepresearch_mcp.thinkers.extractive.relevance import Relevance, relevance_of, sentences_in
from deepresearch_mcp.thinkers.extractive.terms import asked, names, pairs, stems, weight

_SIZE = 900
"""Characters of a passage, about: paragraphs, entries and tables are kept whole where they fit."""
_FEWEST = 8
"""Words of a passage; fewer say nothing by themselves."""
_LOOKED_AT = 40
"""Passages that are scored for one question, the best by their words first."""
_RANK = 0.5
"""The weight of the rank by rare words, 0 to 1, beside the relevance."""
_HOLDS = 0.5
"""The weight of the share of what is asked, rare words weighing more, that a passage and its headings hold."""
_HEADS = 0.6
"""The weight of the share that the headings above it hold, its page's own title among them."""
_HEADED = 0.2
"""What a heading adds that names all that is asked for."""
_ABOUT = 0.3
"""What it adds that the page is about a thing that the question names."""
_AT_HOME = 0.25
"""What it adds that the site is about what is asked about, and what it costs that only another one is."""
_OPENS = 0.15
"""What it adds to open a page or section that is called like what is asked for."""
_FOCUS = 0.4
"""What it adds that all passages of its page hold what is asked, as those of a page on it do; less for fewer."""
_EARLY = 0.25
"""What it adds to stand at the top of its page, where the essence is; less further down, nothing at the end."""
_CODE = 1.5
"""How many times the weight of the rarest word an identifier has that the question names."""
_LOG = 0.4
"""What a line of a change log loses: it tells of one change, not of how things are."""
_AGREED = 0.1
"""What it adds that two or more independent sources say the same."""
_READ = 0.1
"""What it adds that the reader took a sentence from the passage."""
_NO_PROSE = 0.2
"""What a passage loses that is a listing or loose lines."""
_ROOT = 6
"""Letters that make two words kin: `concurrent` and `concurrency`."""
_SHORT_ROOT = 4
_KIN = 0.7
_LEAST_HELD = 0.5
"""The share of what is asked that a passage with its headings must hold."""
_LEAST_OF_FEW = 0.65
"""The same for a question of few words, of which each counts."""
_FEW = 3
_TWO = 2
_AROUND = 0.2
"""The share of the words of its context that a passage must hold."""
_PAIRED = 0.3
"""What it adds that neighbouring words of the question are neighbours in it: `functional index`."""
_DEFINES = 0.5
"""What the top of a page adds, and a title that is the thing's name, where only that is asked what a thing is."""
_LOGS = re.compile(
    r"change ?log|release ?(?:notes|log|history)|\breleases?/|what.?s new|version history|migrati(?:on|ng) (?:to|guide)"
    r"|\bnews\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PoolPassage:
    """A passage of a page, with the claims that were read from it."""

    document: Document
    start: int
    end: int
    heading: str
    """The page's title and the headings above the passage."""
    claims: tuple[Claim, ...] = ()
    prose: bool = True
    opens: bool = False
    """It is the first under its heading."""

    @property
    def text(self) -> str:
        """Its words as they stand on the page."""
        return self.document.text[self.start : self.end]

    @property
    def independent(self) -> int:
        """Independent sources that say what one of its claims says, the page itself included."""
        return max((claim.independent for claim in self.claims), default=1)

    @property
    def backing(self) -> int:
        """Of these, the sources that are good enough to corroborate."""
        return max((claim.backing for claim in self.claims), default=1)


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage, and how far it answers one question."""

    passage: PoolPassage
    relevance: Relevance
    merit: float
    """Orders the passages that answer one question."""
    held: float = 1.0
    """The share of what is asked that it and its headings hold, rare words weighing more."""


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
            for piece in _by_entry(document.text)
        ]
        self._fit: dict[int, tuple[PoolPassage, ...]] = {}
        self._counts = [
            term_counts(f"{document.title}\n{piece.heading}\n{document.text[piece.start : piece.end]}")
            for document, piece in self._spans
        ]
        self._ranker = Ranker(self._counts)
        self._homes = Homes(documents, asked)

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
        scores = self._ranker.scores(" ".join((subject, about, *words_too)))
        best = max(scores, default=0.0)
        order = sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:_LOOKED_AT]
        ask = _Ask(about, subject, language, self._rarity, self._homes)
        focus = self._focus(ask)
        found = [
            self._ranked(one, ask, scores[at] / best, focus) for at in order if scores[at] > 0 for one in self._at(at)
        ]
        # Where no site is about a thing that is named, several pages may hold the answer, each a part of the words.
        least = 0.0 if chained or not (ask.things or ask.short) else ask.least
        around = {stem(word) for word in context}
        kept = (
            one
            for one in found
            if one.relevance.is_relevant
            and one.held >= least
            and self._may_say(one.passage, ask)
            and (not around or _holds_of(around, one.passage) >= _AROUND)
        )
        return sorted(kept, key=lambda one: -one.merit)

    def sections(self, document: Document) -> list[PoolPassage]:
        """The passages of a page, in its order."""
        return [one for at, (page, _) in enumerate(self._spans) if page is document for one in self._at(at)]

    @property
    def documents(self) -> list[Document]:
        """The pages that have a passage."""
        return list({document.source_id: document for document, _ in self._spans}.values())

    def _focus(self, ask: "_Ask") -> dict[str, float]:
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
            self._fit[at] = tuple(_fit(document, piece, self._on_page.get(document.source_id, ()), self._asked, opens))
        return self._fit[at]

    def _may_say(self, one: PoolPassage, ask: "_Ask") -> bool:
        """Where a site is about the thing, another one must speak of it under a heading, and not in a change log."""
        homes = self._homes.of(one.document)
        if homes & ask.things or not any(map(self._homes.has_home, ask.things)):
            return True
        above = set(words(one.heading))
        return not is_log(one) and any(set(thing.split()) <= above for thing in ask.things)

    def is_at_home(self, *texts: str) -> bool:
        """Tell whether a site is about a thing that the texts name: then its pages answer, and no chain of others."""
        return any(map(self._homes.has_home, (name for text in texts for name in names(text))))

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

    def around(self, claims: Iterable[Claim], question: str, language: str = "en") -> list[RankedPassage]:
        """Return the passages that these claims were read from, whether they answer or not, in the claims' order."""
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
        ask = _Ask(question, "", language, self._rarity, self._homes)
        return [self._ranked(by_id[name], ask, 0.0, {}) for name in kept]

    def _ranked(self, one: PoolPassage, ask: "_Ask", rank: float, focus: Mapping[str, float]) -> RankedPassage:
        homes = self._homes.of(one.document)
        trail = headings_of(one.heading)
        # What a site is about need not be said on each of its pages.
        called = f"{trail[0] if trail else ''} ({', '.join(sorted(homes))})" if homes else ""
        heading = path_of(called, *trail[1:]) if called else one.heading
        found = relevance_of(ask.question, sentences_in(one.text), heading, ask.language)
        if ask.subject and not ask.is_about(one, homes):
            return RankedPassage(one, replace(found, to_the_point=False, headed=False), 0.0, 0.0)
        heads = ask.share(own_title(trail), *trail[1:])
        held = ask.share(one.text, *trail, *homes)
        merit = found.score + _RANK * rank + _HOLDS * held + _HEADS * heads + _HEADED * found.headed
        merit += (
            _ABOUT * found.about + _AGREED * (one.backing > 1) + _READ * bool(one.claims) - _NO_PROSE * (not one.prose)
        )
        if ask.pairs:
            merit += _PAIRED * len(ask.pairs & pairs(one.text)) / len(ask.pairs)
        if ask.defines:
            merit += _DEFINES * (1 - one.start / max(1, len(one.document.text)) + ask.called(own_title(trail)))
        at_home = bool(homes & ask.things)
        elsewhere = not at_home and any(map(self._homes.has_home, ask.things))
        merit += _AT_HOME * (at_home - elsewhere) + _OPENS * heads * one.opens
        centred = focus.get(one.document.source_id, 0.0)
        merit += _FOCUS * centred + _EARLY * held * (1 - one.start / max(1, len(one.document.text)))
        logged = is_log(one) and not ask.of_changes
        return RankedPassage(one, found, round(merit - _LOG * logged, 4), held)


class _Ask:
    """What is asked, in the forms that passages are held against."""

    def __init__(
        self, question: str, subject: str, language: str, rarity: Callable[[str], float], homes: Homes
    ) -> None:
        self.question = question
        self.subject = subject
        self.language = language
        self.things = {bare_name(name) for name in (*names(question), *([subject] if subject else []))}
        self.things = {thing for thing in self.things if homes.has_home(thing)} | {bare_name(subject)} - {""}
        # What a site is about need not be said by its passages; any other name must be.
        own = {word for thing in self.things for word in thing.split()}
        own |= {word for word in words(question) if word[0].isdigit()}
        asked_words = [word for word in asked(question, language) if word not in own] or list(asked(question, language))
        self._weights = {stem(word): weight(stem(word)) * rarity(stem(word)) for word in asked_words}
        heaviest = max(self._weights.values(), default=1.0)
        self._codes = [one for one in names(question) if _IDENTIFIER.search(one)]
        self._code = _CODE * heaviest
        self._whole = sum(self._weights.values())
        self._heads = {word: word[: min(_ROOT, len(word) - 1)] for word in self._weights if len(word) >= _ROOT}
        self.of_changes = expected(question) == "date" or bool(_CHANGES.search(question))

        self.least = (_LEAST_OF_FEW if len(asked_words) <= _FEW else _LEAST_HELD) if self._weights else 0.0
        self.short = len(asked_words) <= _TWO
        self.pairs = pairs(question)
        self.defines = set(self._weights) <= {stem(word) for word in own}

    def called(self, title: str) -> float:
        """How far a title is the name of what is asked for and no more, 0 to 1."""
        found = [stem(word) for word in words(title)]
        return len(self._weights) / len(found) if found and set(self._weights) <= set(found) else 0.0

    def share(self, *texts: str) -> float:
        """The share of what is asked, names apart and rare words weighing more, that texts hold together."""
        share = self.share_of({stem(word) for text in texts for word in words(text)})
        if not self._codes:
            return share
        named = sum(any(_stands(code, text) for text in texts) for code in self._codes)
        whole = self._whole + self._code * len(self._codes)
        return (share * self._whole + self._code * named) / whole

    def share_of(self, found: Collection[str]) -> float:
        """The same for stems; a word with the same root counts in part."""
        if not self._whole:
            return 1.0
        whole = 0.0
        for word, heavy in self._weights.items():
            if word in found:
                whole += heavy
            elif (head := self._heads.get(word)) and any(_kin(head, other) for other in found):
                whole += _KIN * heavy
        return whole / self._whole

    def is_about(self, one: PoolPassage, homes: frozenset[str]) -> bool:
        """Whether a passage, what stands above it, or its site names the subject."""
        thing = bare_name(self.subject)
        return thing in homes or set(thing.split()) <= set(words(f"{one.heading}\n{one.text}"))


_IDENTIFIER = re.compile(r"\w[._]\w|\(\)")


def _stands(code: str, text: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(code)}(?!\w)", text) is not None


_CHANGES = re.compile(
    r"\b(?:new in|changed?|changes|added|introduced|deprecated|removed|since when|release)\b", re.IGNORECASE
)
_SITE = re.compile(r"\s+[—–|·]\s+")


def _kin(head: str, word: str) -> bool:
    return word.startswith(head) or (len(word) >= _SHORT_ROOT and head.startswith(word))


def own_title(trail: Sequence[str]) -> str:
    """Return the title of a page, the first of its headings, without its site's name."""
    return _SITE.split(trail[0])[0] if trail else ""


_WORD = re.compile(r"\w+")


def _holds_of(wanted: set[str], one: PoolPassage) -> float:
    found = {stem(word) for word in words(f"{one.heading}\n{one.text}")}
    return len(wanted & found) / len(wanted)


def is_log(one: PoolPassage) -> bool:
    """Tell whether a passage is of a change log or of release notes."""
    return bool(_LOGS.search(f"{one.heading} {one.document.url}"))


def repeats(one: PoolPassage, other: PoolPassage) -> bool:
    """Tell whether two passages are nearly the same words, as copies of a text on two pages are."""
    if one.document.source_id == other.document.source_id:
        return one.start < other.end and other.start < one.end
    mine, theirs = set(stems(one.text)), set(stems(other.text))
    return len(mine & theirs) >= _COPY * max(1, len(mine | theirs))


_COPY = 0.8
_PROSE = 0.3
"""The share of a passage that must be sentences; less is a menu, an index or a site map."""


def _addressed_to_readers(
    document: Document, found: Iterable[PassageSpan], asked: Sequence[str]
) -> Iterator[PassageSpan]:
    """Cut out of passages the sentences that order somebody to do what nobody asked about."""
    known = "\n".join(asked)
    for piece in found:
        start = piece.start
        for span in sentences(document.text[piece.start : piece.end]):
            said = document.text[piece.start + span.start : piece.start + span.end]
            if (is_order(said) and is_beside_the_point(said, asked)) or is_about_reading(said, known):
                if document.text[start : piece.start + span.start].strip():
                    yield PassageSpan(start, piece.start + len(_rstripped(document, piece, span.start)), piece.heading)
                start = piece.start + span.end
        text = document.text[start : piece.end]
        if text.strip():
            yield PassageSpan(start + len(text) - len(text.lstrip()), piece.end, piece.heading)


def _rstripped(document: Document, piece: PassageSpan, end: int) -> str:
    return document.text[piece.start : piece.start + end].rstrip()


def _is_made_up(text: str) -> bool:
    """Tell a table, a listing, a list of items or an entry of definitions: they say something without prose."""
    return any(block.kind in {"table", "code"} for block in blocks(text)) or bool(_ITEMS.search(text))


_ITEMS = re.compile(r"^ *(?:: |[-*] |\d+\. )\S", re.MULTILINE)


def _by_entry(text: str) -> Iterator[PassageSpan]:
    """Cut a page into passages; of several entries in one, such as settings of a reference, each is its own."""
    known = entries(text)
    for piece in pieces(text, _SIZE):
        inside = [one for one in known if piece.start <= one.start and one.end <= piece.end]
        inside = [
            one
            for one in inside
            if not any(other is not one and other.start <= one.start and one.end <= other.end for other in inside)
        ]
        if len(inside) < _ENTRIES or min(one.end - one.start for one in inside) < _ENTRY:
            yield piece
            continue
        start = piece.start
        for one in inside:
            if text[start : one.start].strip():
                yield PassageSpan(start, start + len(text[start : one.start].rstrip()), piece.heading)
            yield PassageSpan(
                one.start, one.start + len(text[one.start : one.end].rstrip()), path_of(piece.heading, one.title)
            )
            start = one.end
        if text[start : piece.end].strip():
            yield PassageSpan(
                start + len(text[start : piece.end]) - len(text[start : piece.end].lstrip()), piece.end, piece.heading
            )


_ENTRIES = 2
_ENTRY = 120
"""Characters from which an entry of a definition list says enough alone."""


def _fit(
    document: Document, span: PassageSpan, read: Sequence[tuple[int, int, Claim]], asked: Sequence[str], opens: bool
) -> Iterator[PoolPassage]:
    """What of a passage is said to readers and says something."""
    for piece in _addressed_to_readers(document, readable(document, [span], asked), asked):
        text = document.text[piece.start : piece.end]
        if len(words(text)) < _FEWEST or is_reference_list(piece.heading, text):
            continue
        held = tuple(claim for start, end, claim in read if start < piece.end and piece.start < end)
        said = [clean(one) for one in sentences_in(text)]
        prose = sum(len(one) for one in said if is_prose(one)) >= _PROSE * sum(map(len, said))
        if prose or _is_made_up(text):
            heading = path_of(document.title, piece.heading)
            yield PoolPassage(document, piece.start, piece.end, heading, held, prose, opens)

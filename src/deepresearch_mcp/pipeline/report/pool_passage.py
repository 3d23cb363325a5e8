"""One passage of a page, as it may be shown: whole entries, without what is planted, with something to say."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from deepresearch_mcp.injection.about_reading import is_about_reading
from deepresearch_mcp.injection.orders import is_order
from deepresearch_mcp.injection.screen import is_beside_the_point, readable
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.blocks import Block, blocks
from deepresearch_mcp.text.entries import entries
from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.text.passages import PassageSpan, headings_of, path_of, pieces
from deepresearch_mcp.text.reference_lists import is_reference_list
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.extractive.prose import clean, is_prose
from deepresearch_mcp.thinkers.extractive.relevance import sentences_in
from deepresearch_mcp.thinkers.extractive.terms import stems

_SIZE = 900
"""Characters of a passage, about: paragraphs, entries and tables are kept whole where they fit."""
_FEWEST = 8
"""Words of a passage; fewer say nothing by themselves."""
_FEWEST_OF_ALL = 5
"""Words of one that opens the page on a thing that is asked about: `Torm is a district of Varn.`"""
_LONG = 100
"""Characters of a title or a heading in a source line."""
_LOGS = re.compile(
    r"change ?log|release ?(?:notes|log|history)|\breleases?/|what.?s new|version history|migrati(?:on|ng) (?:to|guide)"
    r"|\bnews\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"^\s*(?:>>>|\.\.\.)(?:\s|$)|[=(){}\[\]]", re.MULTILINE)
"""Signs of code: `... try:` in a listing orders no reader."""
_SITE = re.compile(r"\s+[—–|·]\s+")
_COPY = 0.8
_PROSE = 0.3
"""The share of a passage that must be sentences; less is a menu, an index or a site map."""


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
    def title(self) -> str:
        """Where the passage stands, of when it is, and how many sources agree."""
        document = self.document
        called, *trail = headings_of(self.heading) or [document.url]
        # A page's first heading mostly repeats its title.
        below = [one for one in trail if one.casefold() not in called.casefold()][-1:]
        told = [document.site, document.published.isoformat() if document.published else ""]
        if self.backing > 1:
            told.append(f"{self.backing} independent sources agree in part")
        place = path_of(own_title([called])[:_LONG], *(one[:_LONG] for one in below))
        return f"{place} ({', '.join(filter(None, told))})"

    def share_of(self, wanted: Collection[str]) -> float:
        """The share of some stems that its headings and words hold."""
        found = {stem(word) for word in words(f"{self.heading}\n{self.text}")}
        return len(found.intersection(wanted)) / len(wanted)

    @property
    def independent(self) -> int:
        """Independent sources that say what one of its claims says, the page itself included."""
        return max((claim.independent for claim in self.claims), default=1)

    @property
    def backing(self) -> int:
        """Of these, the sources that are good enough to corroborate."""
        return max((claim.backing for claim in self.claims), default=1)


def own_title(trail: Sequence[str]) -> str:
    """Return the title of a page, the first of its headings, without its site's name."""
    return _SITE.split(trail[0])[0] if trail else ""


def is_named(title: str, question: str) -> bool:
    """Tell whether a question names what a page is called.

    A kind in brackets and the place behind a comma need not be named: `Dinosaur (film)`, `Varn, Ohio`.
    """
    bare = _KIND.sub("", title).partition(", ")[0].strip()
    return bare != bare.casefold() and re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", question) is not None


def names_thing(text: str, name: str) -> bool:
    """Tell whether a text holds a name, in any case."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


_KIND = re.compile(r"\s+\([^()]*\)$")


def is_log(one: PoolPassage) -> bool:
    """Tell whether a passage is of a change log or of release notes."""
    return bool(_LOGS.search(f"{one.heading} {one.document.url}"))


def repeats(one: PoolPassage, other: PoolPassage) -> bool:
    """Tell whether two passages are nearly the same words, as copies of a text on two pages are."""
    if one.document.source_id == other.document.source_id:
        return one.start < other.end and other.start < one.end
    mine, theirs = set(stems(one.text)), set(stems(other.text))
    return len(mine & theirs) >= _COPY * max(1, len(mine | theirs))


def _addressed_to_readers(
    document: Document, found: Iterable[PassageSpan], asked: Sequence[str]
) -> Iterator[PassageSpan]:
    """Cut out of passages the sentences that order what was not asked about."""
    known = "\n".join(asked)
    for piece in found:
        start = piece.start
        text = document.text[piece.start : piece.end]
        code = [one for one in blocks(text) if one.kind == "code"]
        for span in sentences(text):
            said = text[span.start : span.end]
            if _CODE.search(said) and any(one.start <= span.start and span.end <= one.end for one in code):
                continue
            if (is_order(said) and is_beside_the_point(said, asked)) or is_about_reading(said, known):
                if document.text[start : piece.start + span.start].strip():
                    yield PassageSpan(start, piece.start + len(_rstripped(document, piece, span.start)), piece.heading)
                start = piece.start + span.end
        rest = document.text[start : piece.end]
        if rest.strip():
            yield PassageSpan(start + len(rest) - len(rest.lstrip()), piece.end, piece.heading)


def _rstripped(document: Document, piece: PassageSpan, end: int) -> str:
    return document.text[piece.start : piece.start + end].rstrip()


def _is_made_up(text: str) -> bool:
    """Tell a table, a listing, a list of items or an entry of definitions: they say something without prose."""
    if any(block.kind in {"table", "code"} for block in blocks(text)):
        return True
    return bool(_ITEMS.search(text)) and not _is_contents(text)


def _is_contents(text: str) -> bool:
    """Tell a table of contents or an index: many short lines, and no sentence among them."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    short = sum(len(line.split()) <= _CONTENTS_WORDS and not _SAYS.search(line) for line in lines)
    return len(lines) >= _CONTENTS_LINES and short >= _CONTENTS * len(lines)


_CONTENTS_LINES = 5
_CONTENTS_WORDS = 9
_CONTENTS = 0.8
"""The share of such lines from which a list is one of contents."""
_SAYS = re.compile(r"[.;?!:](?:\s|$)(?!\s*$)|\S[.;?!]$|^: ")
"""A line that says something: it has an end of a sentence, or a term and what it means."""
_ITEMS = re.compile(r"^ *(?:: |[-*] |\d+\. )\S", re.MULTILINE)


def spans_of(text: str, *, whole_tables: bool = False) -> Iterator[PassageSpan]:
    """Cut a page into passages; of several entries in one, such as settings of a reference, each is its own.

    One that leads in to a listing, a list or a table goes on to its end; the next passage may begin with it too. With
    `whole_tables` a table of up to `_WHOLE` characters is in one passage, with the words right before it.
    """
    found = _tables_joined(text, _spans(text)) if whole_tables else _spans(text)
    listings = [one for one in blocks(text) if one.kind == "code"] if "```" in text else []
    for piece in found:
        yield _with_whole_listings(_with_what_follows(text, piece), listings)


def _with_whole_listings(piece: PassageSpan, listings: Sequence[Block]) -> PassageSpan:
    """Begin and end a passage outside a listing, unless that makes it too long; its neighbour may hold it too."""
    start, end = piece.start, piece.end
    for one in listings:
        if one.start < start < one.end and end - one.start <= _WHOLE:
            start = one.start
        if one.start < end < one.end and one.end - start <= _WHOLE:
            end = one.end
    return replace(piece, start=start, end=end) if (start, end) != (piece.start, piece.end) else piece


def _tables_joined(text: str, found: Iterable[PassageSpan]) -> Iterator[PassageSpan]:
    """Join neighbours that a table lies in, unless they are too long together."""
    tables = [(one.start, one.end) for one in blocks(text) if one.kind == "table"]
    held: PassageSpan | None = None
    at = 0
    for piece in found:
        if held is None:
            held = piece
            continue
        while at < len(tables) and tables[at][1] <= held.end:
            at += 1
        shared = at < len(tables) and tables[at][0] < held.end and piece.start < tables[at][1]
        if shared and piece.end - held.start <= _WHOLE and piece.heading == held.heading:
            held = replace(held, end=piece.end)
        else:
            yield held
            held = piece
    if held is not None:
        yield held


_WHOLE = 3_000
"""Characters of a table that is shown as a whole: a statement of accounts has 20 to 40 rows."""


def _with_what_follows(text: str, piece: PassageSpan) -> PassageSpan:
    if not text[piece.start : piece.end].rstrip().endswith(":"):
        return piece
    rest = text[piece.end : piece.end + 3 * _FOLLOWS]
    first = next(blocks(rest), None)
    if first is None or first.kind == "heading":
        return piece
    end = first.end
    if end - first.start > _FOLLOWS:
        # Whole lines, or of a paragraph whole sentences.
        within = rest[first.start : first.start + _FOLLOWS]
        cut = max(within.rfind("\n"), within.rfind(". ") + 1 if first.kind == "prose" else 0)
        end = first.start + cut if cut > 0 else 0
    return replace(piece, end=piece.end + len(rest[:end].rstrip())) if end else piece


_FOLLOWS = 700
"""Characters of what a passage leads in to, at most."""


def _spans(text: str) -> Iterator[PassageSpan]:
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


def fit_passages(
    document: Document, span: PassageSpan, read: Sequence[tuple[int, int, Claim]], asked: Sequence[str], *, opens: bool
) -> Iterator[PoolPassage]:
    """What of a passage is said to readers and says something.

    What opens a page that is called like a thing in the question says what that is, however short or crowded.
    """
    opens_page = not document.text[: span.start].strip()
    called = opens_page and any(is_named(own_title([document.title]), text) for text in asked)
    for piece in _addressed_to_readers(document, readable(document, [span], asked), asked):
        text = document.text[piece.start : piece.end]
        stub = called and not document.text[: piece.start].strip() and len(words(text)) >= _FEWEST_OF_ALL
        if not stub and (len(words(text)) < _FEWEST or is_reference_list(piece.heading, text)):
            continue
        held = tuple(claim for start, end, claim in read if start < piece.end and piece.start < end)
        said = [clean(one) for one in sentences_in(text)]
        prose = sum(len(one) for one in said if is_prose(one)) >= _PROSE * sum(map(len, said))
        if prose or stub or _is_made_up(text):
            heading = path_of(document.title, piece.heading)
            yield PoolPassage(document, piece.start, piece.end, heading, held, prose, opens)

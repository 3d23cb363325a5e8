"""Joins the pages of a printed document, without page numbers and running titles, and keeps where each page begins."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from deepresearch_mcp.text.wrapping import Line, goes_on
from deepresearch_mcp.web.documents.paragraphs import Block, Vocabulary

_EDGE = 4
"""Blocks at the head and at the foot of a page that may be its number or running titles."""
_OFTEN = 3
"""Pages on which a line must recur to be a running title, or a number must count up to be a page number."""
_FIGURE = re.compile(r"\d{1,6}")
_MOST_FIGURES = 6
_LONGEST = 200
"""Characters of a running title."""
_LETTER = re.compile(r"[^\W\d_]")
_BESIDES_LETTERS = re.compile(r"[\W_]+")
_CLOSED = re.compile(r"[.!?:;…。！？]['\"”’»)\]]*$")


class JoinedPages(NamedTuple):
    """A document's text, and on which pages its parts stand."""

    text: str
    pages: list[tuple[int, int]]
    """From which offset on the text stands on which page (the first is 1), by rising offset."""


def joined_pages(pages: Sequence[Sequence[Block]], vocabulary: Vocabulary) -> JoinedPages:
    """Join the blocks of pages; a blank line separates two blocks.

    Page numbers are dropped, and running titles but for their first occurrence. A paragraph that goes on over the
    end of a page is one; footnotes then stand behind it.
    """
    split = [_Page(number, list(blocks)) for number, blocks in enumerate(pages) if blocks]
    furniture = _Furniture(split)
    writer = _Writer(vocabulary)
    for page in split:
        own = furniture.without(page)
        body = [block for block in own if block.kind != "note"]
        writer.add(page.number + 1, body, [block for block in own if block.kind == "note"])
    return writer.result()


class _Writer:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._parts: list[str] = []
        self._length = 0
        self._pages: list[tuple[int, int]] = []
        self._last: Block | None = None
        """The last paragraph, if the next page may continue it."""
        self._notes: tuple[int, list[Block]] = (0, [])
        """Footnotes of the page before, which wait for its last paragraph to end."""

    def add(self, number: int, body: Sequence[Block], notes: list[Block]) -> None:
        rest, tail = list(body), None
        if rest and self._last is not None and rest[0].kind == "text" and _runs_on(self._last.text, rest[0].text):
            former = self._last.text
            whole = self._vocabulary.joined(former, rest[0].text)
            # A divided word belongs to the page on which it begins.
            kept = former if whole.startswith(former) else former[:-1]
            self._drop(len(former) - len(kept))
            added = whole[len(kept) :]
            self._mark(number, self._length + len(added) - len(rest[0].text))
            self._append(added)
            rest.pop(0)
            tail = Block(added)
        self._flush()
        for block in rest:
            self._write(number, block)
        if body:
            last = rest[-1] if rest else tail
            self._last = last if last is not None and last.kind == "text" else None
        self._notes = (number, notes)

    def result(self) -> JoinedPages:
        self._flush()
        return JoinedPages("".join(self._parts), self._pages)

    def _flush(self) -> None:
        number, notes = self._notes
        for block in notes:
            self._write(number, block)
        self._notes = (0, [])

    def _write(self, number: int, block: Block) -> None:
        if self._length:
            self._append("\n\n")
        self._mark(number, self._length)
        self._append(block.text)

    def _mark(self, number: int, at: int) -> None:
        if not self._pages or self._pages[-1][1] != number:
            self._pages.append((at, number))

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _drop(self, count: int) -> None:
        if count:
            self._parts[-1] = self._parts[-1][:-count]
            self._length -= count


class _Page(NamedTuple):
    number: int
    blocks: list[Block]


class _Furniture:
    """Page numbers and running titles of a document: short blocks that recur at the edges of its pages.

    A number that differs from page to page without counting the pages belongs to the text.
    """

    def __init__(self, pages: Iterable[_Page]) -> None:
        self._count: Counter[str] = Counter()
        self._shown: set[str] = set()
        for page in pages:
            edges = (page.blocks[:_EDGE], page.blocks[-_EDGE:])
            self._count.update({form for edge in edges for one in edge for form in _forms(one.text, page.number)})

    def without(self, page: _Page) -> list[Block]:
        """Return the blocks of a page without its number and the running titles that stood on a page before."""
        head = self._outside(page.number, page.blocks[:_EDGE])
        rest = page.blocks[head:]
        foot = self._outside(page.number, list(reversed(rest[-_EDGE:])))
        body = rest[: len(rest) - foot]
        return [*self._new(page.number, page.blocks[:head]), *body, *self._new(page.number, rest[len(body) :])]

    def _new(self, number: int, titles: Iterable[Block]) -> Iterator[Block]:
        """Yield the running titles that did not stand on a page before."""
        for title in titles:
            forms = [form for form in _forms(title.text, number) if self._count[form] >= _OFTEN]
            if _LETTER.search(title.text) and not self._shown.intersection(forms):
                yield title
            self._shown.update(forms)

    def _outside(self, number: int, blocks: Sequence[Block]) -> int:
        """Count running titles and at most one page number, from the outside in."""
        found = 0
        numbered = False
        for at, block in enumerate(blocks, 1):
            bare = not _LETTER.search(block.text)
            if bare and not _FIGURE.search(block.text):
                continue
            if bare and numbered:
                break
            if not any(self._count[form] >= _OFTEN for form in _forms(block.text, number)):
                break
            numbered = numbered or bare
            found = at
        return found


def _forms(text: str, number: int) -> Iterator[str]:
    """Yield the forms in which a line would recur on other pages if it were a running title or a page number.

    They are its words and numbers as they are (if it has letters), and with each number in turn as "page + offset".
    """
    if len(text) > _LONGEST or "\n" in text:
        return
    figures = [int(found) for found in _FIGURE.findall(text)]
    words = _BESIDES_LETTERS.sub(" ", _FIGURE.sub(" # ", text)).strip()
    if len(figures) > _MOST_FIGURES or not (words or figures):
        return
    if _LETTER.search(text):
        yield f"{words} {figures}"
    for at, figure in enumerate(figures):
        yield f"{words} {[*figures[:at], f'page+{figure - number}', *figures[at + 1 :]]}"


def _runs_on(last: str, first: str) -> bool:
    """Return whether a page begins within a sentence, without knowing the line width."""
    former, latter = last.strip(), first.strip()
    if not former or not latter or _CLOSED.search(former):
        return False
    return goes_on(Line(former, len(former)), Line(latter, len(latter)), 0, opens=False)

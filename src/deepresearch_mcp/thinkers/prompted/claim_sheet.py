"""The claims that a judge is asked about, by page."""

import re
from collections.abc import Iterable, Sequence

from deepresearch_mcp.prompts.templates import fence, one_line
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.text.passages import SEPARATOR
from deepresearch_mcp.thinkers.prompted.deciding import GAP, Line, Section, in_order, sections_of
from deepresearch_mcp.thinkers.prompted.material import HEADINGS, Labels, headings


class ClaimSheet:
    """Claims by page, with the sentences that can decide on them: each sentence once, numbered throughout."""

    def __init__(self, labels: Labels[Claim], nonce: str) -> None:
        self._last = 0
        self._numbers: dict[tuple[str, str, Line], int] = {}
        self._shown: dict[str, dict[int, str]] = {}
        """The sentences shown of each page, by number."""
        self._own: dict[str, list[int]] = {}
        """The numbers of the sentences that each claim rests on."""
        self._page_of: dict[str, tuple[str, ...]] = {}
        """The pages of each claim."""
        own = {name: (claim, sections_of(claim)) for name, claim in labels.named()}
        pages: dict[str, list[Section]] = {}
        home: dict[str, list[str]] = {}
        for name, (claim, sections) in own.items():
            home.setdefault(sections[0].source_id, []).append(name)
            self._page_of[claim.claim_id] = tuple(dict.fromkeys(one.source_id for one in sections))
            for one in sections:
                pages.setdefault(one.source_id, []).append(one)
        # A claim with quotes of several pages names sentences of each: all are numbered before any claim is shown.
        shown = {page: self._page(sections) for page, sections in pages.items()}
        blocks: list[str] = []
        for page, lines in shown.items():
            said = [self._claim(name, *own[name]) for name in home.get(page, ())]
            first = pages[page][0]
            dated = first.published.isoformat() if first.published else ""
            text = "\n".join((*lines, *(("Claims:", *said) if said else ())))
            blocks.append(fence("page", "", text, nonce, under=_title(first.heading), dated=dated))
        self.text = "\n".join(blocks)

    def sentence(self, claim: Claim, number: str) -> str:
        """The sentence with this number, if it stands on a page of the claim; else the only one it rests on, or ""."""
        found = re.fullmatch(r"\W*(\d{1,6})\W*", number)
        pages = self._page_of.get(claim.claim_id, ())
        shown = {at: text for page in pages for at, text in self._shown.get(page, {}).items()}
        own = self._own.get(claim.claim_id, [])
        alone = shown[own[0]] if len(own) == 1 else ""
        return (found and shown.get(int(found.group(1)))) or alone

    def _page(self, sections: Sequence[Section]) -> list[str]:
        """The lines of one page, its places in their order."""
        by_heading: dict[str, dict[Line, None]] = {}
        for section in sorted(sections, key=lambda one: one.lines[0].start if one.lines else 0):
            by_heading.setdefault(section.heading, {}).update(dict.fromkeys(section.lines))
        text: list[str] = []
        page = sections[0].source_id
        for heading, found in by_heading.items():
            if above := _beneath(heading):
                text.append(f"Under “{above}”:")
            numbered: list[str] = []
            whole = [one for one in found if _holder(one, found) is one]
            for line, gap in in_order(whole):
                self._last += 1
                self._shown.setdefault(page, {})[self._last] = line.text
                numbered += [*([GAP] if gap else ()), f"{self._last}. {line.text}"]
                # The surroundings of another quote may end within this sentence.
                self._numbers |= {(page, heading, one): self._last for one in found if _holder(one, found) is line}
            text += numbered
        return text

    def _claim(self, name: str, claim: Claim, sections: Sequence[Section]) -> str:
        numbers = {self._numbers[one.source_id, one.heading, line] for one in sections for line in one.lines}
        self._own[claim.claim_id] = sorted(numbers)
        return f"{name} ({', '.join(_runs(sorted(numbers)))}): {one_line(claim.text)}"


def _holder(line: Line, lines: Iterable[Line]) -> Line:
    """The longest of the lines that this one is a part of, itself if none is longer."""
    if line.start < 0:
        return line
    around = (one for one in lines if 0 <= one.start <= line.start and line.end <= one.end)
    return max(around, key=lambda one: (one.end - one.start, one.text))


def _runs(numbers: Sequence[int]) -> Iterable[str]:
    """Numbers in a row as `3-5`."""
    first = 0
    for at, number in enumerate(numbers):
        if at + 1 == len(numbers) or numbers[at + 1] != number + 1:
            yield str(number) if numbers[first] == number else f"{numbers[first]}-{number}"
            first = at + 1


def _title(heading: str) -> str:
    return one_line(heading.split(SEPARATOR, 1)[0], HEADINGS)


def _beneath(heading: str) -> str:
    """The headings below the title of the page, without those that the title has too."""
    title, *rest = headings(heading).split(SEPARATOR)
    return SEPARATOR.join(one for one in rest if one not in title)

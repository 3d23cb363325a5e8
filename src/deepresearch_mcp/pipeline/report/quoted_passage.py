"""A passage of a digest as Markdown: a quotation that keeps code, tables and lists, and is cut where it is long."""

import re
from collections.abc import Iterator, Sequence

from deepresearch_mcp.text.markdown import inline, visible

_WORDS = 150
"""Words that are shown of a passage; the rest stands behind its mark."""
_OVER = 1.2
"""A passage that is longer by this factor is shown whole: a cut would save nothing."""
_LISTING = 80
"""Words that a listing may have beyond these: half of one says nothing."""
_FENCE = re.compile(r"^\s*(?:`{3,}+(?![^\n]*`)|~~~)\s*(?P<language>[\w+-]{0,20})")
_ONE_LINE = re.compile(
    r"^\s*`{3,}(?!`)(?P<language>(?:bash|console|html|ini|javascript|js|json|python|py|sh|shell|sql|text|toml|xml|yaml)\s)?"
    r"\s*(?P<code>[^`]*[^`\s])\s*`{3,}\s*$"
)
_SPAN = re.compile(r"(?<!`)```(?!`)\s*([^`\n]+?)\s*```(?!`)")
_TERM = re.compile(r"^(?P<indent> *)\* (?P<term>\S.*)$")
_SAID = re.compile(r"^(?P<indent> *): ?(?P<said>.*)$")
_ITEM = re.compile(r"^(?P<indent> *)(?P<mark>[-*+]|\d{1,3}[.)]) +(?P<said>\S.*)$")
_ROW = re.compile(r"^\s*\|(?P<cells>.*?)\|?\s*$")
_RULE = re.compile(r"^\s*\|[\s:|-]+\|?\s*$")
_CELL = re.compile(r"(?<!\\)\|")
_STOPS = re.compile(r"(?<=[.!?;:])\s+")
_LONG_LINE = 400
"""Characters of a line of code; a longer one is data."""


def quoted_passage(text: str, mark: str) -> str:
    """Return a passage's words as a quotation that ends with `mark`, cut behind about 150 words.

    Nothing in them takes effect: code is fenced, all else is made safe, and every line is quoted.
    """
    kept, cut = _shortened(text)
    lines = list(_shown(_closed(kept.split("\n"))))
    while lines and _SAYS_NOTHING.match(lines[-1]):
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    ending = " ".join(filter(None, ("…" if cut else "", mark)))
    if lines and lines[-1] != "```" and not lines[-1].startswith("|"):
        # The mark stands behind the full stop, as the words are the page's own; there it cites the whole paragraph.
        lines[-1] = f"{lines[-1]} {ending}".rstrip()
    elif ending:
        lines += ["", ending]
    return "\n".join(f"> {line}".rstrip() for line in lines)


_SAYS_NOTHING = re.compile(r"^[ .,;:]*$")


def _closed(lines: list[str]) -> list[str]:
    """Make the fences of a passage pairs: it may begin within a listing, or end with the fence that opens one."""
    fences = [at for at, line in enumerate(lines) if _FENCE.match(line)]
    if len(fences) % 2 == 0:
        return lines
    first, last = fences[0], fences[-1]
    before, behind = "".join(lines[first - 1 : first]).strip(), "".join(lines[first + 1 : first + 2]).strip()
    if not "".join(lines[:first]).strip() and not behind:
        # The listing that it closes stands before the passage.
        return lines[first + 1 :]
    if before and not behind and lines[first].strip() in {"```", "~~~"}:
        return ["```", *lines]
    return lines if any(line.strip() for line in lines[last + 1 :]) else lines[:last]


def _shortened(text: str) -> tuple[str, bool]:
    """Cut behind a line or a sentence, not within a listing; tell whether anything was cut."""
    if _size(text) <= _WORDS * _OVER:
        return text, False
    kept: list[str] = []
    left = _WORDS
    for line in _whole_listings(text):
        size = _size(line)
        if size > left:
            if "\n" in line:
                kept += _part(line, left, size)
                return "\n".join(kept) or text, True
            part: list[str] = []
            for said in _STOPS.split(line):
                if (left := left - len(said.split())) < 0:
                    break
                part.append(said)
            return "\n".join([*kept, " ".join(part)] if part else kept) or " ".join(text.split()[:_WORDS]), True
        left -= size
        kept.append(line)
    return "\n".join(kept), False


def _size(text: str) -> int:
    """Words; the bars of a table are none."""
    return sum(1 for word in text.split() if word != "|")


def _part(listing: str, left: int, size: int) -> Iterator[str]:
    """What is shown of a listing for which `left` words are left: all, or nothing, unless it is what a passage has."""
    if size <= left + _LISTING:
        yield listing
    elif left > _WORDS // 2:
        for line in listing.split("\n"):
            if (left := left - len(line.split())) < 0:
                return
            yield line


def _whole_listings(text: str) -> Iterator[str]:
    """The lines of a text; those of a listing together."""
    listing: list[str] = []
    for line in text.split("\n"):
        fence = _FENCE.match(line) is not None
        if not listing and not fence:
            yield line
            continue
        listing.append(line)
        if fence and len(listing) > 1:
            yield "\n".join(listing)
            listing = []
    yield from listing


def _shown(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines as Markdown of our own."""
    depth, fenced, rows = 0, False, 0
    for at, raw in enumerate(lines):
        line = _dedented(visible(raw.expandtabs(4)), depth)
        if not fenced and (one := _ONE_LINE.match(line)):
            yield from (f"```{(one['language'] or '').strip()}", one["code"], "```")
            continue
        if fence := _FENCE.match(line):
            fenced = not fenced
            yield f"```{fence['language']}" if fenced else "```"
            continue
        if fenced:
            yield line[:_LONG_LINE]
            continue
        line = _SPAN.sub(r"`\1`", line)
        if row := _ROW.match(line) if line.lstrip().startswith("|") else None:
            rows += 1
            yield from _row(line, row["cells"], rows, lines[at + 1] if at + 1 < len(lines) else "")
            continue
        rows = 0
        if line.strip() and not any(map(str.isalnum, line)):
            # A stop or a rule that the page sets on a line of its own says nothing.
            continue
        following = next((one for one in lines[at + 1 :] if one.strip()), "")
        if (term := _TERM.match(line)) and _SAID.match(_dedented(following, depth)):
            yield from ("", f"**{inline(term['term'])}**", "")
        elif said := _SAID.match(line):
            depth += len(said["indent"]) + 2
            yield from _shown_again(said["said"])
            fenced = bool(_FENCE.match(said["said"]))
        elif item := _ITEM.match(line):
            depth = depth if line.startswith(" ") or raw.startswith(" " * depth) else 0
            indent = " " * min(len(item["indent"]), 4)
            mark = item["mark"] if item["mark"][0].isdigit() else "-"
            yield f"{indent}{mark} {inline(item['said'])}"
        else:
            depth = 0 if line.strip() and not raw.startswith(" ") else depth
            yield inline(line)
    if fenced:
        yield "```"


def _shown_again(said: str) -> Iterator[str]:
    """What stands behind the colon of an explanation: a listing may begin there."""
    if fence := _FENCE.match(said):
        yield f"```{fence['language']}"
    elif item := _ITEM.match(said):
        mark = item["mark"] if item["mark"][0].isdigit() else "-"
        yield f"{mark} {inline(item['said'])}"
    else:
        yield inline(said)


def _row(line: str, cells: str, number: int, following: str) -> Iterator[str]:
    """A row of a table; without its head row, which stood before the passage, its cells are an item."""
    if _RULE.match(line):
        if number == 2:
            yield f"|{' --- |' * len(_CELL.split(cells))}"
        return
    said = [inline(cell.replace("\\|", "|"), cell=True) for cell in _CELL.split(cells)]
    if number == 1 and not _RULE.match(following):
        yield f"| {' | '.join([''] * len(said))} |"
        yield f"|{' --- |' * len(said)}"
    yield f"| {' | '.join(said)} |"


def _dedented(line: str, depth: int) -> str:
    lead = len(line) - len(line.lstrip(" "))
    return line[min(depth, lead) :]

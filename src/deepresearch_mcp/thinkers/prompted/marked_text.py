"""Markdown with marks: how a writer names the claims behind a sentence, read into blocks.

`[c3, c7]` behind a sentence or in a cell: it states these claims; `[=c3, c7]`: it compares, contrasts, sums up or
orders them; `[!c3]`: a judgement that rests on them. `[n1]` names a claim that the writer proposes itself; `[s2]`, in
an edit, what a source shows by its title or date. `[?]`: the sources that were read do not say it.
"""

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from deepresearch_mcp.records.report import Block, BlockKind, Sentence, WrittenSection
from deepresearch_mcp.text.markdown import code_masked
from deepresearch_mcp.text.sentences import sentences

Resolve = Callable[[str], str | None]
"""From a local name (`c3`) to the id of its claim; None: there is no such claim."""

EMPTY = "–"
"""A cell with nothing in it."""
BAR = "\\|"
"""A bar inside a cell."""
DESCRIBED = "Described:"
"""Opens the paragraph that says which versions and dates the sources describe."""

_NAME = r"[=!?]?\s*[cns]?\d{1,4}"
_MARK = rf"(?<![\w)`])\[\s*(?P<kind>[=!?]?)\s*(?P<names>{_NAME}(?:\s*(?:[,;&]|and|\s)\s*{_NAME})*)?\s*\](?!\()"
_CODE = r"`[^`\n]+`"
_MARK_OR_CODE = re.compile(rf"(?P<code>{_CODE})|[ \t]*{_MARK}", re.IGNORECASE)
_LED = re.compile(rf"{_MARK}[ \t]+(?=\w)", re.IGNORECASE)
_EMPHASIS = re.compile(
    rf"(?P<code>{_CODE})|\*\*(?P<bold>[^*\n]+?)\*\*|(?<![\w*])\*(?P<soft>[^*\s][^*\n]*?)\*(?![\w*])"
    r"|(?<!\w)__(?P<low>[^_\n]+?)__(?!\w)|(?<!\w)_(?P<under>[^_\s][^_\n]*?)_(?!\w)"
)
_LABEL = re.compile(r"^\*\*(?P<label>(?:(?!\.\s)[^*\n]){1,80}?)(?:[.:]\*\*|\*\*\s?[.:–—])\s+(?=\S)")
"""In bold letters at the head of a paragraph or item, or the same with its colon behind the bold letters."""
_ALONE = re.compile(r"^\*\*(?P<title>[^*\n]{1,100}?)[.:]?\*\*$")
_HEADING = re.compile(r"^\s{0,3}(?P<level>#{1,6})\s+(?P<title>.*?)\s*#*\s*$")
_ITEM = re.compile(r"^\s*(?P<sign>[-*+•]|\d{1,3}[.)])\s+(?P<text>.*)$")
_STEP = re.compile(r"^(?P<number>\d{1,3})[.)]\s+")
_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$|^\s*(?:-{3,}|\*{3,}|_{3,})\s*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_WRAPPED = re.compile(r"\s*(?:```|~~~)\s*(?:markdown|md|text)?\s*")
_NAMES = re.compile(r"[cns]?\d{1,4}", re.IGNORECASE)
_ABSENT = re.compile(
    r"\b(?:documentation|docs|sources?|pages?|manuals?|articles?|filings?|reports?|studies|material)\b[^.;:]{0,60}?"
    r"\b(?:(?:do|does|did) not (?:say|state|give|name|mention|specify|tell|show|describe|cover)"
    r"|(?:say|state|give|name|mention|specify|tell|show|describe|contain)s? (?:no|nothing|neither|none))\b",
    re.IGNORECASE,
)
"""A sentence without a mark that says what sources do not say."""
_MARKED_CELL = re.compile(r"\]\s*$")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|>~])")


class Marked(NamedTuple):
    """A whole report as an editor writes it."""

    title: str
    opening: tuple[Sentence, ...]
    described: tuple[Sentence, ...]
    sections: tuple[WrittenSection, ...]


class _Mark(NamedTuple):
    at: int
    """Its place in the text without marks."""
    kind: str
    names: tuple[str, ...]


def parse_blocks(text: str, resolve: Resolve) -> tuple[Block, ...]:
    """The blocks of a section. Headings become titles; unknown names are dropped where a sentence has others."""
    return tuple(block for _, blocks in _sections(text, resolve, level=1) for block in blocks)


def parse_report(text: str, resolve: Resolve) -> Marked:
    """A whole report: `# title`, the opening, perhaps a paragraph `Described: …`, then `## sections`."""
    title, opening, described = "", list[Sentence](), list[Sentence]()
    found: list[WrittenSection] = []
    for heading, blocks in _sections(text, resolve, level=2):
        if heading.startswith("# "):
            title = title or _plain(heading[2:])
        elif heading:
            if blocks:
                found.append(WrittenSection(heading=_plain(heading[3:]), blocks=blocks))
            continue
        for block in blocks:
            told = _opening_paragraphs(block)
            if told and (told[0].text.startswith(DESCRIBED) or f"{told[0].label}:" == DESCRIBED):
                text = told[0].text.removeprefix(DESCRIBED).strip()
                text = text[:1].upper() + text[1:]
                first = told[0].model_copy(update={"text": text, "label": ""})
                described += (one.model_copy(update={"opens": False}) for one in (first, *told[1:]) if one.text)
            else:
                opening += told
    # What stands first begins no new paragraph.
    opening[:1] = [one.model_copy(update={"opens": False}) for one in opening[:1]]
    return Marked(title, tuple(opening), tuple(described), tuple(found))


def _opening_paragraphs(block: Block) -> tuple[Sentence, ...]:
    """The sentences of a block; the first of each paragraph or item opens one, under the block's title as its label."""
    titles = [block.title, *[""] * len(block.rows)]
    return tuple(
        one if at else one.model_copy(update={"opens": True, "label": one.label or title})
        for title, row in zip(titles, block.rows, strict=False)
        for at, one in enumerate(row)
    )


def _sections(text: str, resolve: Resolve, level: int) -> Iterator[tuple[str, tuple[Block, ...]]]:
    """Each heading of at most this level with the blocks below it; what stands before the first has none."""
    heading, lines, fenced = "", list[str](), False
    for line in _unwrapped(text).splitlines():
        fenced ^= _FENCE.match(line) is not None
        # A comment of a shell or of Python is no heading.
        found = None if fenced else _HEADING.match(line)
        if found and len(found["level"]) <= level and found["title"]:
            if heading or any(map(str.strip, lines)):
                yield heading, tuple(_blocks(lines, resolve))
            heading, lines = f"{found['level']} {found['title']}", []
        else:
            lines.append(line)
    yield heading, tuple(_blocks(lines, resolve))


def _unwrapped(text: str) -> str:
    """The text without the fence that some models put around all of it."""
    lines = text.strip().splitlines()
    if len(lines) > 1 and _WRAPPED.fullmatch(lines[0]) and _FENCE.match(lines[-1]):
        return "\n".join(lines[1:-1])
    return text


def _blocks(lines: Sequence[str], resolve: Resolve) -> Iterator[Block]:
    title = ""
    groups = list(_grouped(lines))
    for at, (kind, group) in enumerate(groups):
        if kind == "title":
            title = _plain(_without_marks(group[0])[0])
            continue
        if kind == "code":
            behind = groups[at + 1][1][0] if groups[at + 1 :] and groups[at + 1][0] == "prose" else ""
            if led := _LED.match(behind):
                # The mark of the code may stand at the head of the paragraph behind it.
                groups[at + 1] = ("prose", [behind[led.end() :], *groups[at + 1][1][1:]])
                behind = led.group()
            block = _code(group, behind, resolve)
        else:
            block = _block(_KINDS[kind], group, resolve)
        if block.rows:
            yield block.model_copy(update={"title": title}) if title else block
            title = ""


_KINDS: dict[str, BlockKind] = {"prose": "prose", "list": "list", "steps": "steps", "table": "table"}


def _block(kind: BlockKind, group: Sequence[str], resolve: Resolve) -> Block:
    if kind == "steps":
        items = [_STEP.sub("", text) for text in group]
        found = _STEP.match(group[0])
        rows_ = tuple(row for text in items if (row := _cited(text, resolve)))
        return Block(kind=kind, rows=rows_, first=int(found["number"]) if found else 1)
    if kind != "table":
        return Block(kind=kind, rows=tuple(row for text in group if (row := _cited(text, resolve))))
    table = [_cells(line) for line in group if not _RULE.match(line)]
    ruled = len(group) > 1 and _RULE.match(group[1])
    head = [_plain(_without_marks(cell)[0]) for cell in table[0]] if ruled else [""] * max(map(len, table), default=0)
    rows: list[tuple[Sentence, ...]] = []
    for cells in table[1:] if ruled else table:
        padded = [*_joined(cells, len(head)), *[""] * len(head)][: len(head)]
        rows.append(tuple(_whole(cell, resolve) for cell in padded))
    return Block(kind="table", head=tuple(head), rows=tuple(rows))


def _code(lines: Sequence[str], behind: str, resolve: Resolve) -> Block:
    """An example of code, its language first. It is the writer's own, from what the mark on the line `behind` names."""
    language, *rows = lines
    said = textwrap.dedent("\n".join(rows)).strip("\n")
    plain, marks = _without_marks(behind)
    names = () if re.search(r"\w", plain) else (name for mark in marks for name in mark.names)
    premises = tuple(dict.fromkeys(one for name in names if (one := resolve(name))))
    sentence = Sentence(text=said, kind="judgement", premises=premises)
    head = (language,) if language else ()
    return Block(kind="code", head=head, rows=((sentence,),) if re.search(r"\w", said) else ())


def _cells(line: str) -> list[str]:
    """The cells of a row; a bar that is escaped or inside a code span divides none."""
    inner = re.sub(_CODE, lambda code: code.group().replace("|", "\0"), line.strip().replace(BAR, "\0"))
    return [cell.replace("\0", "|").strip() for cell in inner.removeprefix("|").removesuffix("|").split("|")]


def _joined(cells: Sequence[str], width: int) -> list[str]:
    """The cells of a row that a bare bar parted too often, as in `?|`: a piece without a mark joins its neighbour."""
    whole = list(cells)
    while len(whole) > width:
        bare = (at for at in range(1, len(whole) - 1) if whole[at] != EMPTY and not _MARKED_CELL.search(whole[at]))
        at = next(bare, len(whole) - 2)
        whole[at : at + 2] = [f"{whole[at]} | {whole[at + 1]}".strip()]
    return whole


def _grouped(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Lines put together to titles, paragraphs, lists, tables and code with its language, in order."""
    kind: str = ""
    group: list[str] = []
    code: list[str] | None = None
    for line in (*lines, ""):
        if found := _FENCE.match(line):
            if group:
                yield kind, group
            kind, group = "", []
            if code is not None:
                yield "code", code
            code = [_LANGUAGE.sub("", line[found.end() :])[:20]] if code is None else None
            continue
        if code is not None:
            code.append(line.rstrip())
            continue
        now, text = _line(line, kind)
        if now == "more":
            group[-1] = f"{group[-1]} {text}".strip()
            continue
        if group and (now != kind or now in {"title", "prose"}):
            yield kind, group
            group = []
        if now:
            group.append(text)
        elif kind in {"list", "steps"} and not line.strip():
            # Items may have blank lines between them.
            kind = ""
            continue
        kind = now
    if group:
        yield kind, group
    if code is not None and len(code) > 1:
        yield "code", code


_LANGUAGE = re.compile(r"[^\w+#.-]+")


def _line(line: str, kind: str) -> tuple[str, str]:
    """What a line is behind one of this kind, and its text; `more`: it goes on with the text before."""
    said = line.strip()
    if not said:
        return "", ""
    if found := _HEADING.match(line):
        return "title", found["title"]
    if (found := _ALONE.match(said)) and kind not in {"prose", "list", "steps"}:
        return "title", found["title"]
    if said.startswith("|") or (kind == "table" and "|" in said):
        return "table", said
    if _RULE.match(line):
        return "", ""
    if item := _ITEM.match(line):
        return ("steps", said) if item["sign"][0].isdigit() else ("list", item["text"].strip())
    said = re.sub(r"^(?:>\s?)+", "", said)
    return ("more", said) if kind in {"prose", "list", "steps"} else ("prose", said)


def _cited(text: str, resolve: Resolve) -> tuple[Sentence, ...]:
    """The sentences of a paragraph or item, each with what its marks name."""
    label = _LABEL.match(text)
    plain, marks = _without_marks(text[label.end() :] if label else text)
    ends = _ends(plain, marks)
    starts = [0, *ends[:-1]]
    found: list[Sentence] = []
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        last = number == len(ends) - 1
        # A mark behind a full stop belongs to the sentence before it.
        own = [one for one in marks if (one.at > start or number == 0) and (one.at <= end or last)]
        said = _plain(plain[start:end])
        if said and re.search(r"\w", said):
            found.append(_made(said, own, resolve))
    if label and found:
        found[0] = found[0].model_copy(update={"label": _plain(_without_marks(label["label"])[0])})
    return tuple(found)


def _whole(cell: str, resolve: Resolve) -> Sentence:
    plain, marks = _without_marks(cell)
    return _made(_plain(plain) or EMPTY, marks, resolve)


def _made(text: str, marks: Iterable[_Mark], resolve: Resolve) -> Sentence:
    marks = list(marks)
    names = tuple(dict.fromkeys(name for mark in marks for name in mark.names))
    # One that names only claims that do not exist keeps their names: it must not pass for one without a mark.
    ids = tuple(dict.fromkeys(one for name in names if (one := resolve(name)))) or names
    kinds = {mark.kind for mark in marks}
    if "!" in kinds:
        return Sentence(text=text, kind="judgement", premises=ids)
    if not ids and ("?" in kinds or _ABSENT.search(text)):
        return Sentence(text=text, absence=True)
    # A synthesis is of two or more claims.
    return Sentence(text=text, claim_ids=ids, kind="synthesis" if "=" in kinds and len(ids) > 1 else "fact")


def _without_marks(text: str) -> tuple[str, list[_Mark]]:
    pieces, marks, at, size = list[str](), list[_Mark](), 0, 0
    for found in _MARK_OR_CODE.finditer(text):
        if found["code"] or not (found["kind"] or found["names"]):
            continue
        before = text[at : found.start()]
        pieces.append(before)
        size += len(before)
        kinds = found["kind"] + "".join(re.findall(r"[=!?]", found["names"] or ""))
        kind = "!" if "!" in kinds else kinds[:1]
        marks.append(_Mark(size, kind, tuple(name.lower() for name in _NAMES.findall(found["names"] or ""))))
        at = found.end()
    return "".join((*pieces, text[at:])), marks


def _ends(text: str, marks: Iterable[_Mark]) -> list[int]:
    """Where the sentences end: none in a code span, and one at each mark with a full stop beside it."""
    masked = code_masked(text)
    ends = {span.end for span in sentences(masked)}
    for mark in marks:
        if masked[: mark.at].endswith(_STOPS):
            ends.add(mark.at)
        elif masked[mark.at : mark.at + 1] in _STOPS and not masked[mark.at + 1 : mark.at + 2].strip():
            ends.add(mark.at + 1)
    return [*sorted(one for one in ends if one < len(text.rstrip())), len(text)]


_STOPS = (".", "!", "?")


def _plain(text: str) -> str:
    """The text on one line, without emphasis and escapes; code spans stay."""

    def bare(found: re.Match[str]) -> str:
        return found["code"] or found["bold"] or found["soft"] or found["low"] or found["under"]

    parts = re.split(f"({_CODE})", _EMPHASIS.sub(bare, text))
    shown = (part if part.startswith("`") and len(part) > 1 else _ESCAPED.sub(r"\1", part) for part in parts)
    return " ".join("".join(shown).split())

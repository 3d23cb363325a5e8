"""The plain text of a language-reference topic as HTML: headings, paragraphs, lists, tables, code, links."""

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import pairwise

Link = Callable[[str], str]
"""HTML of a phrase that may be a reference; it gets plain text and returns it escaped, with links or without."""

_UNDERLINE = re.compile(r"(\*{2,}|={2,}|-{2,}|~{2,}|\^{2,}|\"{2,})\s*$")
_LEVELS = '*=-~^"'
_ITEM = re.compile(r"(?:\*|\d+\.|\[\d+\]) +(?=\S)")
_RULE = re.compile(r"[+|][-=+|]{3,}[+|]\s*$")
_SIGNATURE = re.compile(r"(?:(?:class|classmethod|static|async|coroutine) )?[\w.]+(?:\(.*\))?(?: -> \S+)?")
_INLINE = re.compile(
    r'"(?P<code>[^"]+)"|\*\*(?P<strong>[^*]+)\*\*|(?<![\w*])\*(?P<em>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])'
)
_CODE = re.compile(r"\s*>>>|.*::=|.* = |\s*(?:def|class|for|while|if|with|try|import|from|async|match|return)\b.*:?$")


def plain(text: str) -> str:
    """A heading or phrase without the marks of code and emphasis: `The "try" statement` → `The try statement`."""
    return " ".join(_INLINE.sub(lambda found: found[found.lastgroup or 0], text).split())


def topic_title(text: str) -> str:
    """A topic's first heading, plain; empty where it has none."""
    lines = text.strip().splitlines()
    return plain(lines[0]) if len(lines) > 1 and _UNDERLINE.match(lines[1]) else ""


def paragraphs_of(text: str) -> list[str]:
    """Its paragraphs of prose and code, each on one line: what two topics may have in common."""
    return [joined for chunk in re.split(r"\n\s*\n", text) if len(joined := " ".join(chunk.split())) > 60]


def html_of(text: str, link: Link = escape) -> str:
    """The topic's body as HTML; nothing in it is a tag but ours."""
    return "\n".join(_blocks(text.expandtabs().splitlines(), link))


def _blocks(lines: Sequence[str], link: Link) -> Iterator[str]:
    at, before = 0, ""
    while at < len(lines):
        line = lines[at]
        end = at + 1
        if not line.strip():
            pass
        elif _indent(line):
            end = _run(lines, at, lambda one: bool(_indent(one)) or not one.strip())
            yield _indented(_dedent(lines[at:end]), before, link)
        elif end < len(lines) and _UNDERLINE.match(lines[end]) and len(lines[end].rstrip()) >= len(line.rstrip()):
            level = _LEVELS.index(lines[end][0]) + 1
            yield f"<h{level}>{_inline(line.strip(), escape)}</h{level}>"
            end += 1
        elif line.startswith("-[") and line.rstrip().endswith("]-"):
            yield f"<h2>{escape(line.strip(' -[]'))}</h2>"
        elif _ITEM.match(line):
            end = _run(lines, at, lambda one: bool(_indent(one) or _ITEM.match(one)) or not one.strip())
            yield _list(lines[at:end], link)
        elif _RULE.match(line):
            end = _run(lines, at, lambda one: one.startswith(("+", "|")))
            yield _table(lines[at:end], link)
        else:
            end = _run(lines, at, lambda one: bool(one.strip()) and not _indent(one))
            yield _paragraph(_joined(lines[at:end]), following=_next(lines, end), link=link)
        if line.strip():
            before = lines[end - 1].strip() or before
        at = end


def _paragraph(text: str, following: str, link: Link) -> str:
    if _indent(following) and _SIGNATURE.fullmatch(text):
        return f"<h3><code>{escape(text)}</code></h3>"
    return f"<p>{_inline(text, link)}</p>"


def _indented(lines: Sequence[str], before: str, link: Link) -> str:
    """What stands further right: an explanation, or code."""
    if _is_prose(lines, before):
        return f"<div>{''.join(_blocks(lines, link))}</div>"
    return f"<pre><code>{escape(chr(10).join(lines).strip(chr(10)))}</code></pre>"


def _is_prose(lines: Sequence[str], before: str) -> bool:
    first = [line for line in lines[: _run(lines, 0, lambda one: bool(one.strip()))] if line.strip()]
    if not first or (_CODE.match(first[0]) and not before.endswith(("Note:", "See also:", "Warning:"))):
        return False
    if first[0].rstrip().endswith(":") and len(lines) > 1 and _indent(lines[1]):
        return False
    if _ITEM.match(first[0]) or _RULE.match(first[0]) or (_SIGNATURE.fullmatch(first[0].strip()) and len(lines) > 1):
        return True
    words = " ".join(first).split()
    wordy = sum(bool(re.fullmatch(r"[\"*(“‘]?[A-Za-z][\w’'-]*[\"*)”’]?[,.;:]?", word)) for word in words)
    return len(words) >= 4 and wordy >= 0.6 * len(words) and not _indent(lines[0])


def _list(lines: Sequence[str], link: Link) -> str:
    items: list[list[str]] = []
    for line in lines:
        if mark := _ITEM.match(line):
            items.append([line[mark.end() :]])
        else:
            items[-1].append(line)
    ordered = not lines[0].startswith("*")
    tag = "ol" if ordered else "ul"
    return f"<{tag}>{''.join(f'<li>{_item(item, link)}</li>' for item in items)}</{tag}>"


def _item(lines: list[str], link: Link) -> str:
    """An item's own words, then whatever is nested in it."""
    end = _run(lines, 0, lambda one: bool(one.strip()))
    rest = "".join(_blocks(_dedent(lines[end:]), link))
    return f"{_inline(_joined(lines[:end]), link)}{rest}"


def _table(lines: Sequence[str], link: Link) -> str:
    """A grid table; its columns stand where the first border has its crossings."""
    edges = [at for at, char in enumerate(lines[0]) if char == "+"]
    rows: list[list[list[str]]] = []
    for line in lines:
        if _RULE.match(line):
            rows.append([[] for _ in edges[1:]])
        else:
            for cell, (left, right) in zip(rows[-1], pairwise(edges), strict=True):
                cell.append(line[left + 1 : right])
    shown = ["".join(f"<td>{_inline(_joined(cell), link)}</td>" for cell in row) for row in rows if any(row)]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in shown)}</table>"


def _inline(text: str, link: Link) -> str:
    parts: list[str] = []
    at = 0
    for found in _INLINE.finditer(text):
        parts.append(link(text[at : found.start()]))
        tag = found.lastgroup
        parts.append(f"<{tag}>{escape(found[tag or 0])}</{tag}>")
        at = found.end()
    return "".join([*parts, link(text[at:])])


def _joined(lines: Sequence[str]) -> str:
    """Lines as one; a word that was broken at its own hyphen grows together again."""
    text = " ".join(line.strip() for line in lines)
    return re.sub(r"\s+", " ", re.sub(r"(?<=[a-z]-) (?=[a-z])", "", text)).strip()


def _next(lines: Sequence[str], at: int) -> str:
    return next((line for line in lines[at:] if line.strip()), "")


def _run(lines: Sequence[str], at: int, belongs: Callable[[str], bool]) -> int:
    """The position behind the last line from `at` on that belongs, blank lines at the end left out."""
    end = at
    while end < len(lines) and belongs(lines[end]):
        end += 1
    while end > at + 1 and not lines[end - 1].strip():
        end -= 1
    return max(end, at + 1) if at < len(lines) else at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" ")) if line.strip() else 0


def _dedent(lines: Sequence[str]) -> list[str]:
    least = min((_indent(line) for line in lines if line.strip()), default=0)
    return [line[least:] for line in lines]

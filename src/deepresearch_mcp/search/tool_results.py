"""Finds links in what a tool of another MCP server returned: structured content, resources, JSON, Markdown or text.

Every function takes time in proportion to what it reads, since the answer is a stranger's.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast

from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.search.rows import hit

_MOST_HITS = 100
_MOST_TEXT = 500_000
"""Characters of one text that are read."""
_DEEPEST = 6
"""Levels of lists and objects that are searched for links."""
_SNIPPET = 2_000
"""Most characters of a snippet."""
_ADDRESS = ("url", "link", "href", "uri", "page_url", "source_url", "html_url", "source")
_TITLE = ("title", "name", "headline", "heading")
_WORDS = ("snippet", "description", "summary", "content", "text", "abstract", "excerpt", "body", "highlights")
_DATE = ("published", "published_date", "publisheddate", "publishedat", "date", "page_age", "published_at")
"""Names of fields as services have them, likeliest first; compared in lower case."""

_URL = re.compile(r"https?://[^\s<>\"'`\\]{1,2000}")
_MARKDOWN = re.compile(r"\[([^\[\]\n]{1,500})\]\((https?://[^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,500})?)")
_NEXT_ITEM = re.compile(r"\n[ \t]{0,8}\d{1,3}[.)][ \t]{0,8}$")
"""The number of the next item of a list."""
_LABEL = re.compile(r"^[\s>*#\-\d.)]{0,12}\**([A-Za-z]{2,12})\**\s?:\**[ \t]*(.*)$")
"""A line such as `**Title:** Ice` or `URL: https://…`."""
_LABELS = {
    **dict.fromkeys(("title", "name"), "title"),
    **dict.fromkeys(("url", "link", "source", "uri"), "url"),
    **dict.fromkeys(("description", "snippet", "summary", "content", "text", "abstract", "highlights"), "words"),
}


def hits_of(engine: str, content: Sequence[Any], structured: object = None) -> list[Hit]:
    """Return the links of a tool's result, each once, in their order.

    Structured content with links is all that is read, since the text beside it repeats it.

    Args:
        engine: The name that the hits carry.
        content: Content blocks of the SDK.
        structured: The result's structured content, if it has any.
    """
    found = list(_in_json(engine, structured))
    if not found:
        found = [one for block in content for one in _in_block(engine, block)]
    found = found or list(islice(_in_strings(engine, structured), _MOST_HITS))
    return list({one.url: one for one in reversed(found)}.values())[::-1][:_MOST_HITS]


def _in_block(engine: str, block: Any) -> list[Hit]:  # noqa: ANN401 - the SDK is imported late
    kind = getattr(block, "type", "")
    if kind == "resource_link":
        return _made(engine, str(block.uri), block.title or block.name or "", block.description or "")
    if kind == "resource":
        inner = block.resource
        text = getattr(inner, "text", "") or ""
        return _made(engine, str(inner.uri), "", text) or list(_in_text(engine, text))
    return list(_in_text(engine, block.text)) if kind == "text" else []


def _in_text(engine: str, text: str) -> Iterator[Hit]:
    text = text[:_MOST_TEXT]
    if text.lstrip()[:1] in {"{", "["}:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if value is not None:
            yield from list(_in_json(engine, value)) or islice(_in_strings(engine, value), _MOST_HITS)
            return
    yield from _labelled(engine, text) or _linked(engine, text)


def _in_json(engine: str, value: object, depth: int = 0) -> Iterator[Hit]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _in_json(engine, item, depth + 1)
    elif isinstance(value, dict):
        row = {str(name).lower(): field for name, field in cast("dict[object, object]", value).items()}
        address = next((one for name in _ADDRESS if _is_address(one := row.get(name))), None)
        if address is not None:
            yield from _made(engine, str(address), _text(row, _TITLE), _text(row, _WORDS), _text(row, _DATE))
            return
        for item in row.values():
            if isinstance(item, str):
                # FastMCP wraps what a tool returns as text: {"result": "…"}.
                yield from _in_text(engine, item) if depth == 0 else ()
            else:
                yield from _in_json(engine, item, depth + 1)


def _in_strings(engine: str, value: object, depth: int = 0) -> Iterator[Hit]:
    """Find links inside the texts of objects without a field for an address: notes, nodes of a graph, plain lists."""
    row: Mapping[str, object] = {}
    if isinstance(value, dict):
        row = {str(name).lower(): field for name, field in cast("dict[object, object]", value).items()}
    elif isinstance(value, list):
        row = {"": cast("list[object]", value)}
    if not row or depth > _DEEPEST:
        return
    items = [
        item for field in row.values() for item in (cast("list[object]", field) if isinstance(field, list) else [field])
    ]
    title = _text(row, _TITLE)
    words = "\n".join(item for item in items if isinstance(item, str) and item != title)[:_MOST_TEXT]
    for one in _URL.finditer(words):
        yield from _made(engine, _trimmed(one[0]), title, words)
    for item in items:
        yield from _in_strings(engine, item, depth + 1)


def _is_address(value: object) -> bool:
    return isinstance(value, str) and value.startswith(("http://", "https://")) and not re.search(r"\s", value.strip())


def _text(row: Mapping[str, object], names: Sequence[str]) -> str:
    for name in names:
        value = row.get(name)
        if isinstance(value, list):
            value = " … ".join(one for one in cast("list[object]", value) if isinstance(one, str))
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _labelled(engine: str, text: str) -> list[Hit]:
    """Read blocks of lines such as `Title: …`, `URL: …`; a second title or address begins the next block."""
    blocks: list[dict[str, list[str]]] = [{}]
    open_label = ""
    for line in text.splitlines():
        match = _LABEL.match(line[:4_000])
        label = _LABELS.get(match[1].lower(), "") if match else ""
        if match and label:
            if label in {"title", "url"} and label in blocks[-1]:
                blocks.append({})
            blocks[-1].setdefault(label, []).append(match[2])
            open_label = label
        elif open_label == "words":
            blocks[-1]["words"].append(line)
    found: list[Hit] = []
    for block in blocks:
        if address := _URL.search(" ".join(block.get("url", ()))):
            title, words = " ".join(block.get("title", ())), " ".join(block.get("words", ()))
            found += _made(engine, _trimmed(address[0]), title.strip("* "), words)
    return found


def _linked(engine: str, text: str) -> Iterator[Hit]:
    """Read Markdown links and bare addresses; what stands between one and the next is the snippet."""
    links = [(one.start(), one.end(), one[2], one[1]) for one in _MARKDOWN.finditer(text)]
    taken = [(start, end) for start, end, *_ in links]
    at = 0
    for one in _URL.finditer(text):
        while at < len(taken) and taken[at][1] <= one.start():
            at += 1
        if at == len(taken) or one.start() < taken[at][0]:
            line = text.rfind("\n", max(0, one.start() - 300), one.start()) + 1
            before = text[max(line, one.start() - 300) : one.start()]
            links.append((one.start(), one.end(), _trimmed(one[0]), before.strip(" -*:#>0123456789.()[]{}\t")))
    links.sort()
    for number, (_, end, url, title) in enumerate(links):
        until = links[number + 1][0] if number + 1 < len(links) else len(text)
        words = _NEXT_ITEM.sub("", text[end : min(until, end + _SNIPPET)])
        yield from _made(engine, url, title, words.lstrip("),.;: \n").strip(" \n-*:#>."))


def _trimmed(address: str) -> str:
    address = address.rstrip(".,;:!?*]}")
    return address.rstrip(")") if address.count("(") < address.count(")") else address


def _made(engine: str, url: str, title: str, words: str, date: str = "") -> list[Hit]:
    if not url.startswith(("http://", "https://")):
        return []
    return [hit(engine, url, title, words[:_SNIPPET], date)]

"""Removes Markdown, makes text safe inside it, and cuts it into sections and pages."""

import re
from collections.abc import Iterator

from deepresearch_mcp.text.blocks import blocks
from deepresearch_mcp.text.normalise import link_marks


def without_markdown(text: str) -> str:
    """Return the text without Markdown marks, for a terminal or a prompt.

    Links and images become their words; a citation link `[3](…)` becomes the mark `[3]`. Listings, list marks and table
    rows stay.
    """
    kept: list[str] = []
    at = 0
    for block in blocks(text):
        kept.append(text[at : block.start])
        body = text[block.start : block.end]
        match block.kind:
            case "heading":
                kept.append(_inline(block.title))
            case "code":
                kept.append(_FENCES.sub("", body))
            case "table":
                kept.append(_inline(_CODE.sub(_bars_bare, _RULE.sub("", body))))
            case "prose":
                kept.append(_inline(_QUOTED.sub("", body)))
        at = block.end
    return "".join([*kept, text[at:]])


def visible(text: str) -> str:
    """Remove control sequences and invisible characters.

    These are control characters except tabs and line ends, lone surrogates, characters that change the writing
    direction of the following text, and tag characters, which can hide whole sentences for a model.
    """
    return _UNSEEN.sub("", text)


def escape(text: str) -> str:
    """Make text from a page safe inside our Markdown: it reads the same, and no markup in it takes effect.

    That covers links, bare addresses and hosts, images, HTML, entities, emphasis, strikethrough, code and table cells,
    and at the start of a line headings, list marks, quotations, rules and indented listings. Characters that are not
    `visible` are removed.
    """
    text = visible(re.sub(r"\r\n?|[\u2028\u2029\x85\x0b\x0c]", "\n", text))
    text = _ALIVE.sub(lambda match: "\\" + match.group(), text)
    text = _SCHEME.sub(r"\1\\:", text)
    text = _ADDRESS.sub(lambda match: "\\" + match.group(), text)
    return _LINE_START.sub(_dulled, text)


def inline(text: str, *, cell: bool = False) -> str:
    """A writer's words on one line, made safe as by `escape`, but with code spans as code.

    Inside code nothing is markup, so what renderers might still act on keeps a span from being one: an address, or a
    bracketed number that reads as a citation. In a `cell` of a table a bar inside code is escaped.
    """
    text = " ".join(visible(text).split())
    if _HELD in text:
        return escape(text)
    kept: list[str] = []

    def hold(span: re.Match[str]) -> str:
        code = span["code"].strip()
        if not code or _LIVE_IN_CODE.search(code) or (cell and "\\|" in code):
            return span.group()
        kept.append(code.replace("|", "\\|") if cell else code)
        return _HELD

    first, *rest = escape(_SPAN.sub(hold, text)).split(_HELD)
    return first + "".join(f"`{code}`{part}" for code, part in zip(kept, rest, strict=True))


def section(markdown: str, name: str) -> str:
    """Return the section under the heading `name`, with its heading and subsections; "" if there is none.

    Case and marks are ignored. An equal heading is preferred to one that only begins with `name`.
    """
    wanted = " ".join(_inline(name).casefold().split())
    if not wanted:
        return ""
    headings = [block for block in blocks(markdown) if block.kind == "heading"]
    titles = [" ".join(_inline(heading.title).casefold().split()) for heading in headings]
    found = next((i for i, title in enumerate(titles) if title == wanted), None)
    if found is None:
        found = next((i for i, title in enumerate(titles) if title.startswith(wanted)), None)
    if found is None:
        return ""
    level = headings[found].level
    end = next((heading.start for heading in headings[found + 1 :] if heading.level <= level), len(markdown))
    return markdown[headings[found].start : end].rstrip()


def cut(markdown: str, offset: int, limit: int) -> tuple[str, int | None]:
    """Return at most `limit` characters from `offset`, and the offset of the next page (None at the end).

    The cut follows a paragraph that ends in the second half of the page, otherwise a line, otherwise a word. The pages
    joined give the whole text.
    """
    offset, limit = max(0, offset), max(1, limit)
    stop = offset + limit
    if stop >= len(markdown):
        return markdown[offset:], None
    for mark in ("\n\n", "\n", " "):
        at = markdown.rfind(mark, offset + limit // 2, stop)
        if at >= 0:
            stop = at + len(mark)
            break
    return markdown[offset:stop], stop


_FENCES = re.compile(r"\A[^\n]*\n?|\n?[ ]{0,3}(?:(?<!`)`{3,}+|(?<!~)~{3,}+)[ \t]*\Z")
_RULE = re.compile(r"(?m)^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?:\n|\Z)")
_QUOTED = re.compile(r"(?m)^[ \t]{0,3}(?:>[ \t]?)++")


def code_masked(text: str) -> str:
    """The text with each code span as capitals, of the same length: it may open a sentence and ends none within."""
    return _CODE.sub(lambda found: "X" * len(found.group()), text)


_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]+)\1(?!`)")
_EMPHASIS = re.compile(
    r"(?<![\\\w*_])[*_]{1,3}+(?=[^\s*_])|(?<=[^\s*_\\])[*_]{1,3}+(?![\w*_])"
    r"|(?<=[^\W\d_])\*\*(?=[^\W\d_])|~~"
)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~&:@/])")


def _bars_bare(code: re.Match[str]) -> str:
    """A code span of a table's cell, where a bar has a backslash."""
    return code.group().replace("\\|", "|")


def _inline(text: str) -> str:
    return "".join(_inline_parts(_unlinked(text) if "](" in text else text))


def _inline_parts(text: str) -> Iterator[str]:
    at = 0
    for code in _CODE.finditer(text):
        yield _prose(text[at : code.start()])
        yield code.group(2)
        at = code.end()
    yield _prose(text[at:])


def _prose(text: str) -> str:
    return _ESCAPED.sub(r"\1", _EMPHASIS.sub("", text))


_DIGITS = re.compile(r"\d+")
_MARK = re.compile(r"\d+\]")


def _unlinked(text: str) -> str:
    kept: list[str] = []
    at = 0
    opened: list[int] = []
    for start, stop in sorted(link_marks(text).items()):
        kept.append(text[at:start])
        if text[start] == "]":
            # The brackets are not removed, because links can contain links.
            kept.append("]" if _DIGITS.fullmatch(text, opened.pop(), start) else "")
        else:
            opened.append(stop)
            kept.append("[" if _MARK.match(text, stop) else "")
        at = stop
    return "".join([*kept, text[at:]])


_HELD = "\ue000"
"""Stands for a code span while the words around it are escaped; it has no meaning of its own in any text."""
_SPAN = re.compile(r"(?<![`\\])(?P<fence>`{1,2})(?!`)(?P<code>[^`\n]{1,200})(?P=fence)(?!`)")
_LIVE_IN_CODE = re.compile(
    r"\b(?:https?|ftp|file|mailto|javascript|data|xmpp):\S|\bwww\.\S|(?<!\S)\[\d{1,4}[a-z]{0,2}(?:[,;–-][^\]]*)?\]",
    re.IGNORECASE,
)
"""What a careless renderer, or a reader, takes for a link or a citation even inside code. `row[3]` is an index."""
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
_ALIVE = re.compile(r"[\\`\[\]|]|(?<![^\W_])_|_(?![^\W_])|\*|(?<!\s)~|~(?=~)|<(?=[A-Za-z/!?])|&(?=#?\w{1,32};)")
"""A single ~ strikes out too; after a blank it could only open, and no other ~ is left to close it."""
_SCHEME = re.compile(r"(https?|ftp|\b(?:file|mailto|javascript|data|xmpp)):(?=\S)", re.IGNORECASE)
_ENDINGS = (
    "com|org|net|edu|gov|mil|int|info|biz|name|pro|app|dev|page|cloud|online|site|website|web|store|shop|blog|news|live"
    "|link|click|top|xyz|club|vip|icu|space|tech|email|zip|mov|wiki|world|today|life|media|agency|social|asia|coop"
    "|museum|aero|xxx|рф|xn--[a-z0-9-]+"
    "|a[c-gilmnoq-uwxz]|b[abd-jm-orstvwyz]|c[acdfghiklmnoruvwxyz]|d[ejkmoz]|e[cegrstu]|f[ijkmor]|g[abd-ilmnp-uwy]"
    "|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]|l[abcikr-vy]|m[acdeghk-z]|n[acefgilopruz]|om|p[aefghk-nrstwy]|qa"
    "|r[eosuw]|s[a-eg-ort-vxyz]|t[cdfghj-ortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]"
)
"""Host endings by which renderers turn a bare `host.end` into a link."""
_ADDRESS = re.compile(
    rf"(?<=/)/(?=\S)|(?<=\S)@(?=\w)|(?<=www)\.(?=\S)|(?<=\w)\.(?=(?:{_ENDINGS})(?![\w-]))", re.IGNORECASE
)
"""The points at which words become an address: split there, no part looks like a bare address to a renderer."""
_LINE_START = re.compile(r"(?m)^([ \t]*)(#{1,6}(?=[ \t]|$)|[>=+-]|\d{1,9}(?=[.)](?:[ \t]|$))|~)?")


def _dulled(match: re.Match[str]) -> str:
    indent, mark = match.groups()
    lead = " " if indent else ""
    if mark is None:
        return lead
    return f"{lead}{mark}\\" if mark.isdigit() else f"{lead}\\{mark}"

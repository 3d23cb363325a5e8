"""Finds who wrote a page: by its metadata, its JSON-LD, its microdata or its byline."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast

from deepresearch_mcp.text.stopwords import word_set
from deepresearch_mcp.web.pages.tree import Node

_NAMED = ("author", "citation_author", "article:author", "dc.creator", "parsely-author", "sailthru.author")
_SEVERAL = frozenset({"citation_author", "dc.creator", "author"})
"""Meta tags that stand once for each author."""
_MOST = 8
"""Authors that are named."""
_LONGEST = 200
"""Characters of all names."""
_NAME = 60
"""Characters of one name in a byline; a longer text is a sentence."""
_BYLINE = re.compile(
    r"(?:^|[\s_-])(?:byline(?:[_-]{1,2}(?:name|author))?|(?:post|entry|article|blog|story|meta)[_-]{1,2}author"
    r"(?:[_-]{1,2}name)?|author(?:[_-]{1,2}(?:name|link|title))?|p-author|contributor(?:[_-]{1,2}name)?)(?:$|\s)",
    re.IGNORECASE,
)
_POSTER = re.compile(
    r"(?:^|[\s_-])(?:username|user-name|poster|topic-author|post-author|bigusername)(?:$|\s)", re.IGNORECASE
)
_ELSEWHERE = re.compile(r"comment|related|recommend|sidebar|widget|teaser|popular|card|footer|nav|menu", re.IGNORECASE)
_BY = re.compile(
    r"\A(?:(?:story|words|text|article|posted|published|written|reviewed|post)\s+)?(?:by|von|par|por|di|door|av|af)\b[\s:]+"
    r"|\A(?:authors?|autor(?:in)?|auteure?)\s*:\s*",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\s*(?:[|•·–—»\n\t(]|\s-\s|\bon\s\w+\s\d|\bupdated\b|\bpublished\b|\d{1,2}[./]\d|\b(?:19|20)\d\d\b)", re.IGNORECASE
)
_NOBODY = word_set(
    "admin administrator author authors by guest root none null undefined editor user anonymous unknown name post "
    "written"
)
_LOOKED_AT = 3_000
"""Elements of a page that are looked at, of those that may name an author."""
_NO_NAMES = frozenset({"html", "head", "body", "meta", "script", "style", "form"})
_TELLING = re.compile("[Aa]uthor|[Bb]yline|[Cc]ontributor")

_POSTS = (
    "//*[(@data-author and (self::article or self::div or self::li)) or ((self::a or self::span or self::td)"
    " and (contains(@class, 'user') or contains(@class, 'poster') or contains(@class, 'author')))]"
)


def author_of(tree: Node, named: Mapping[str, str], things: Sequence[Mapping[str, Any]]) -> str:
    """Return the authors of a page, separated by commas; "" if it names none.

    What it declares for machines counts before what it shows: microdata, a link or an element that is named for an
    author, and on a forum the writer of the first post. Addresses, and names of no person, are skipped.
    """
    sources = (
        _tagged(tree, named),
        _declared(things),
        (one for element in _marked(tree) for one in _shown(element)),
        islice(_first_poster(tree), 1),
    )
    for names in sources:
        found = list(dict.fromkeys(name for one in islice(names, _MOST) if (name := _plain(one))))
        if found:
            return ", ".join(found)[:_LONGEST].strip(" ,")
    return ""


def _tagged(tree: Node, named: Mapping[str, str]) -> Iterator[str]:
    """Yield the authors of the first kind of meta tag that names any."""
    kind = next((one for one in _NAMED if _plain(named.get(one, ""))), "")
    if kind not in _SEVERAL:
        yield named.get(kind, "")
        return
    for meta in tree.iter("meta"):
        if (meta.get("name") or meta.get("property") or meta.get("itemprop") or "").strip().lower() == kind:
            last, comma, first = (meta.get("content") or "").partition(", ")
            # Libraries write the family name first.
            is_turned = comma and kind == "citation_author" and "," not in first
            yield f"{first} {last}" if is_turned else last + comma + first


def _declared(things: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the names of the authors of the first object that has any; an author may be named by its id alone."""
    by_id = {str(thing.get("@id")): thing for thing in things if thing.get("@id") and thing.get("name")}
    for thing in _with_parts(things):
        value: object = thing.get("author") or thing.get("creator")
        several = cast("list[object]", value) if isinstance(value, list) else [value]
        names = [name for one in several[:_MOST] if (name := _name(one, by_id))]
        if any(map(_plain, names)):
            yield from names
            return


def _with_parts(things: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the objects, then what they are about: the question of a page of answers."""
    yield from things
    for thing in things:
        for key in ("mainEntity", "mainEntityOfPage"):
            if isinstance(part := thing.get(key), dict):
                yield cast("Mapping[str, Any]", part)


def _name(value: object, by_id: Mapping[str, Mapping[str, Any]]) -> str:
    if isinstance(value, dict):
        thing = cast("Mapping[str, Any]", value)
        found = thing.get("name") or by_id.get(str(thing.get("@id")), thing).get("name")
        return found if isinstance(found, str) else ""
    return value if isinstance(value, str) else ""


def _marked(tree: Node) -> Iterator[Node]:
    """Yield the elements that the page marks as its author's name: the first of the surest kind, and those beside it.

    Others are most often the writers of other posts or pages.
    """
    firsts: dict[int, Node] = {}
    for element in islice(_candidates(tree), _LOOKED_AT):
        kind = _kind(element)
        if kind and kind not in firsts and not _is_elsewhere(element) and any(map(_plain, _shown(element))):
            firsts[kind] = element
            if kind == 1:
                break
    if not firsts:
        return
    kind = min(firsts)
    above = firsts[kind].getparent()
    yield from (one for one in (above if above is not None else [firsts[kind]]) if _kind(one) == kind)


def _candidates(tree: Node) -> Iterator[Node]:
    for element in tree.iter():
        get = element.get
        named = get("class")
        if (named and _TELLING.search(named)) or get("itemprop") is not None or get("rel") is not None:
            yield element


def _kind(element: Node) -> int:
    """Return how surely an element is the author's name, from 1; 0 if it is not."""
    if not isinstance(cast("object", element.tag), str) or element.tag in _NO_NAMES:
        return 0
    if "author" in (element.get("itemprop") or "").lower().split():
        return 1
    if "author" in (element.get("rel") or "").lower().split():
        return 2
    named = element.get("class") or ""
    return 3 if named and len(named) < 200 and _BYLINE.search(named) else 0


def _shown(element: Node) -> Iterator[str]:
    """Yield the name in an element: what it declares within, else its words."""
    for inner in islice(element.iter(), 30):
        if isinstance(cast("object", inner.tag), str) and "name" in (inner.get("itemprop") or "").lower().split():
            yield inner.get("content") or _words(inner)
            return
    link = element.find(".//a")
    text = _words(link) if link is not None and element.tag != "a" else ""
    yield _without_by(text if _plain(_without_by(text)) else element.get("content") or _words(element))


def _words(element: Node) -> str:
    """Return the text inside, its pieces apart."""
    return " ".join(islice(element.itertext(), 20))[:400]


def _first_poster(tree: Node) -> Iterator[str]:
    for element in tree.xpath(_POSTS)[:_LOOKED_AT]:
        if name := element.get("data-author"):
            yield name
        elif _POSTER.search((element.get("class") or "")[:200]):
            yield _words(element)


def _is_elsewhere(element: Node) -> bool:
    above = element.getparent()
    for _ in range(6):
        if above is None:
            return False
        if above.tag in {"footer", "nav", "aside"} or _ELSEWHERE.search(
            f"{above.get('class') or ''} {above.get('id') or ''}"[:400]
        ):
            return above.tag not in {"body", "html"}
        above = above.getparent()
    return False


def _without_by(text: str) -> str:
    """Return a byline without what stands before and behind the name."""
    line = " ".join(text[:400].split(" ")).strip()
    line = _BY.sub("", " ".join(line.split()), count=1)
    end = _ENDS.search(line)
    return (line[: end.start()] if end else line).strip(" ,:;")


def _plain(name: str) -> str:
    """Return a name in one line; "" if it is an address, a template's variable, a sentence or no person."""
    line = " ".join("".join(char if char.isprintable() else " " for char in name[:400]).split()).strip(" ,;")
    if (
        not line
        or len(line) > 2 * _NAME
        or "//" in line
        or "@" in line
        or "{" in line
        or line.casefold().removesuffix(" by") in _NOBODY
    ):
        return ""
    is_path = "." in line and " " not in line and line.islower() and line.count(".") > 1
    return "" if is_path or not any(char.isalpha() for char in line) else line

"""Measures blocks of a page for the trees that tell its main text: one column of numbers for each feature."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log1p
from typing import Any, Final, cast
from urllib.parse import urlsplit

from deepresearch_mcp.web.pages.name_groups import GROUPS
from deepresearch_mcp.web.pages.page_blocks import TAG_BITS, Block, Frame

Column = list[float]

ARTICLES: Final = frozenset({"article", "newsarticle", "blogposting", "reportagenewsarticle", "techarticle"})
PRODUCTS: Final = frozenset({"product", "productgroup", "offer", "og:product", "product.item"})
"""Types of pages in JSON-LD and og:type, in lower case."""
REVIEWS: Final = 1 << list(GROUPS).index("reviews")
_READ = 240
"""Characters at a block's beginning whose kinds are counted."""
_FAR = 100_000.0
_DIGITS = str.maketrans("", "", "0123456789")
_WORD = re.compile(r"\w+")
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|£|zł|kr\b|USD|EUR)")
_DAY = re.compile(r"\b(?:19|20)\d\d\b|\bago\b|\d{1,2}:\d\d")
_LABELS = re.compile(
    r"read more|learn more|view (?:all|more)|see (?:all|more)|show more|load more|shop (?:now|all)"
    r"|add to (?:cart|bag|basket)"
    r"|buy now|sign (?:in|up)|log ?in|subscribe|newsletter|cookie|privacy|terms of|all rights|©|skip to|share|tweet"
    r"|follow us|contact us|get started|book a|free trial|download|back to|previous|next|home|menu|search|close"
)
"""Labels in lower case: without re.IGNORECASE the search takes half the time."""
_ASIDE_HEADS = re.compile(
    r"related|you (?:may|might) also|recommend|more (?:from|in|like|stories|articles)|popular|trending|latest|recent"
    r"|comments?\b|repl(?:y|ies)|share|newsletter|subscribe|sign up|follow|about the author|tags|categories|archive"
    r"|customers also|similar|sponsored|advertis|contact|navigation|links|popul[aä]r|ähnlich|kommentare|weitere|à lire"
    r"|read next|up next|further reading|explore",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PageSigns:
    """What is known of a page beside its blocks."""

    url: str
    title: str
    description: str
    """What the metadata says of the page."""
    kinds: frozenset[str]
    """Types in its JSON-LD, and its og:type, in lower case."""
    declared: str
    """The longer texts of its JSON-LD, white space collapsed, in lower case."""


class Measured:
    """The blocks of a page with what several features share."""

    def __init__(self, blocks: Sequence[Block], signs: PageSigns) -> None:
        self.blocks = blocks
        self.signs = signs
        self.frames = [block.frame for block in blocks]
        self.parents = [frame.parent or frame for frame in self.frames]
        self.grand = [frame.parent or frame for frame in self.parents]
        self.great = [frame.parent or frame for frame in self.grand]
        self.size = len(blocks)
        self.before = [0, *accumulate(block.chars for block in blocks)]
        self.total = max(1, self.before[-1])
        self.heads = [block.text[:_READ] for block in blocks]
        self.digits = [1 - len(text.translate(_DIGITS)) / len(text) for text in self.heads]
        self.lower = [block.text[:80].lower() for block in blocks]
        self.tags = [frame.tags for frame in self.frames]
        self.groups = [frame.groups for frame in self.frames]
        self.near = [frame.near for frame in self.frames]
        self.keys = [(frame.tag, frame.names, above.tag, above.names) for frame, above in self._pairs()]
        self.texts = Counter(self.lower)
        kinds: dict[object, list[float]] = {}
        for key, block in zip(self.keys, blocks, strict=True):
            sums = kinds.setdefault(key, [0.0, 0.0, 0.0])
            sums[0] += 1
            sums[1] += block.chars
            sums[2] += block.linked
        self.alike = [kinds[key] for key in self.keys]
        self._headings()
        self.is_long = [block.chars > 120 and block.linked * 3 < block.chars for block in blocks]
        self.long_before = [0, *accumulate(self.is_long)]

    def in_groups(self, bit: int) -> float:
        """Return the share of the page's text that stands in elements of a group."""
        return sum(block.chars for block in self.blocks if block.frame.groups & bit) / self.total

    def shares(self) -> "zip[tuple[str, float]]":
        """Yield each block's beginning with its share of digits."""
        return zip(self.heads, self.digits, strict=True)

    def _pairs(self) -> "zip[tuple[Frame, Frame]]":
        return zip(self.frames, self.parents, strict=True)

    def _headings(self) -> None:
        since, aside = 99.0, 0.0
        self.since: Column = []
        self.aside: Column = []
        first = -1
        for at, block in enumerate(self.blocks):
            if found := block.frame.heading:
                since = 0.0
                if not aside or found <= aside:
                    aside = float(found) if _ASIDE_HEADS.search(self.lower[at]) and block.chars < 60 else 0.0
                if found == 1 and first < 0:
                    first = at
            self.since.append(since)
            self.aside.append(aside)
            since += 1
        self.first = first


Feature = Callable[[Measured], Column]


def _group(name: str) -> int:
    return 1 << list(GROUPS).index(name)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _has_figures(share: float, text: str) -> bool:
    """Return whether a text may have a digit, given its share of ASCII's: searches for prices begin with that."""
    return share > 0 or not text.isascii()


def _shift(column: Sequence[float], by: int, fill: float) -> Column:
    """The column of the neighbours, `by` blocks further."""
    size = len(column)
    if by > 0:
        return [*column[by:], *[fill] * min(by, size)]
    return [*[fill] * min(-by, size), *column[: max(0, size + by)]]


def _same_on_page(value: Callable[[Measured], float]) -> Feature:
    return lambda page: [value(page)] * page.size


def _of_frame(frames: Callable[[Measured], Sequence[Frame]], value: Callable[[Frame], float]) -> Feature:
    return lambda page: [value(frame) for frame in frames(page)]


def _bit(column: Callable[[Measured], Sequence[int]], bit: int) -> Feature:
    return lambda page: [1.0 if bits & bit else 0.0 for bits in column(page)]


def _title_share(page: Measured) -> Column:
    title = set(_WORD.findall(page.signs.title.lower()))
    found: Column = []
    for block, lower in zip(page.blocks, page.lower, strict=True):
        words = _WORD.findall(lower) if block.chars < 160 else ()
        found.append(_share(sum(word in title for word in words), len(words)))
    return found


def _declared(page: Measured) -> Column:
    said = page.signs.declared + page.signs.description.lower()
    return [
        float(block.chars > 24 and lower[:60] in said) for block, lower in zip(page.blocks, page.lower, strict=True)
    ]


def _density(page: Measured) -> Column:
    return [block.linked / block.chars for block in page.blocks]


def _size(page: Measured) -> Column:
    return [log1p(block.chars) for block in page.blocks]


def _next_long(page: Measured) -> Column:
    """Blocks until the next long one."""
    found: Column = []
    since = 99.0
    for is_long in reversed(page.is_long):
        since = 0.0 if is_long else min(99.0, since + 1)
        found.append(since)
    return found[::-1]


def _last_long(page: Measured) -> Column:
    found: Column = []
    since = 99.0
    for is_long in page.is_long:
        since = 0.0 if is_long else min(99.0, since + 1)
        found.append(since)
    return found


def _window(column: Sequence[float], reach: int) -> Column:
    """The mean over the blocks up to `reach` away."""
    sums = [0.0, *accumulate(column)]
    size = len(column)
    found: Column = []
    for at in range(size):
        begin, end = max(0, at - reach), min(size, at + reach + 1)
        found.append((sums[end] - sums[begin]) / (end - begin))
    return found


def _kind(*names: str) -> Feature:
    wanted = frozenset(names)
    return _same_on_page(lambda page: float(not wanted.isdisjoint(page.signs.kinds)))


def _path_depth(page: Measured) -> float:
    try:
        return float(len([part for part in urlsplit(page.signs.url).path.split("/") if part]))
    except ValueError:
        return 0.0


def _tagged(page: Measured, tag: str) -> float:
    return _share(sum(block.chars for block in page.blocks if block.frame.tag == tag), page.total)


def _in_group(name: str) -> Feature:
    bit = _group(name)
    return _same_on_page(lambda page: page.in_groups(bit))


_AROUND: Final[tuple[tuple[str, Callable[[Measured], Sequence[Frame]]], ...]] = (
    ("parent", lambda page: page.parents),
    ("grand", lambda page: page.grand),
    ("great", lambda page: page.great),
)
_SUMS: Final[tuple[tuple[str, Callable[[Frame], float]], ...]] = (
    ("chars", lambda frame: log1p(frame.chars)),
    ("linked", lambda frame: _share(frame.linked, frame.chars)),
    ("points", lambda frame: _share(frame.points, frame.chars)),
    ("blocks", lambda frame: float(frame.blocks)),
)
FEATURES: Final[Mapping[str, Feature]] = {
    "size": _size,
    "links": lambda page: [float(block.links) for block in page.blocks],
    "ends": lambda page: [float(block.text[-1] in ".!?。:") + (block.text[-1] == ":") for block in page.blocks],
    "digits": lambda page: page.digits,
    "price": lambda page: [
        float(_has_figures(share, text) and bool(_PRICE.search(text))) for text, share in page.shares()
    ],
    "label": lambda page: [
        float(block.chars < 60 and bool(_LABELS.search(text)))
        for block, text in zip(page.blocks, page.lower, strict=True)
    ],
    "paragraph": lambda page: [float(frame.tag == "p") for frame in page.frames],
    "heading": lambda page: [float(frame.heading) for frame in page.frames],
    "cell": lambda page: [float(frame.cell is not None) for frame in page.frames],
    "depth": lambda page: [float(frame.depth) for frame in page.frames],
    "place": lambda page: [at / page.total for at in page.before[:-1]],
    "chars_after": lambda page: [log1p(page.total - at) for at in page.before[1:]],
    "after_title": lambda page: [
        _FAR if page.first < 0 else float(page.before[at] - page.before[page.first]) for at in range(page.size)
    ],
    "title": _title_share,
    "declared": _declared,
    "same": lambda page: [float(page.texts[text]) for text in page.lower],
    "alike": lambda page: [sums[0] for sums in page.alike],
    "alike_size": lambda page: [sums[1] / sums[0] for sums in page.alike],
    "alike_share": lambda page: [sums[1] / page.total for sums in page.alike],
    "since_heading": lambda page: page.since,
    "aside": lambda page: page.aside,
    "size_before": lambda page: _shift(_size(page), -1, 0),
    "size_near": lambda page: _window(_size(page), 4),
    "linked_near": lambda page: _window(_density(page), 4),
    "until_long": _next_long,
    "since_long": _last_long,
    "long_before": lambda page: [float(count) for count in page.long_before[:-1]],
    "long_after": lambda page: [float(page.long_before[-1] - count) for count in page.long_before[1:]],
    **{f"{name}_{what}": _of_frame(frames, value) for name, frames in _AROUND for what, value in _SUMS},
    "parent_share": lambda page: [frame.chars / page.total for frame in page.parents],
    "great_share": lambda page: [frame.chars / page.total for frame in page.great],
    "page_chars": _same_on_page(lambda page: log1p(page.total)),
    "page_blocks": _same_on_page(lambda page: float(page.size)),
    "page_linked": _same_on_page(lambda page: sum(block.linked for block in page.blocks) / page.total),
    "page_paragraphs": _same_on_page(lambda page: _tagged(page, "p")),
    "page_long": _same_on_page(lambda page: float(page.long_before[-1])),
    "page_prices": _same_on_page(
        lambda page: float(
            sum(_has_figures(share, text) and bool(_PRICE.search(text[:40])) for text, share in page.shares())
        )
    ),
    "page_days": _same_on_page(
        lambda page: (
            sum(
                (_has_figures(share, text) or "ago" in text) and bool(_DAY.search(text[:40]))
                for text, share in page.shares()
            )
            / page.size
        )
    ),
    "page_path": _same_on_page(_path_depth),
    "page_articles": _same_on_page(
        lambda page: sum(bool(frame.tags & TAG_BITS["article"]) for frame in page.frames) / page.size
    ),
    "is_article": _kind(*ARTICLES),
    "is_product": _kind(*PRODUCTS),
    "is_forum": _kind("discussionforumposting", "qapage", "question"),
    "is_service": _kind("service", "localbusiness", "organization", "faqpage"),
    **{
        f"tag {tags}": _bit(lambda page: page.tags, TAG_BITS[tags])
        for tags in ("nav", "header", "footer", "aside", "main", "article", "form")
    },
    **{
        f"in {name}": _bit(lambda page: page.groups, _group(name))
        for name in ("navigation", "foot", "side", "comments", "related", "promo", "dialog", "product", "reviews")
    },
    **{
        f"near {name}": _bit(lambda page: page.near, _group(name))
        for name in ("comments", "share", "content", "product", "meta", "search")
    },
    **{f"page {name}": _in_group(name) for name in ("comments", "forum", "product", "reviews", "user")},
}
"""Features of a block, of its neighbours, of the elements around it and of its page."""


def quick_columns(page: Measured, quick: Sequence[str]) -> dict[str, Column]:
    """Columns about what trafilatura's quick extraction keeps: of a block, near it, around it and in all.

    `quick` are the pieces of its text.
    """
    lines = {key for piece in quick if (key := _key(piece))}
    whole = "\n".join(_key(piece) for piece in quick)
    flat = whole.replace("\n", "")
    kept: Column = []
    for block in page.blocks:
        key = _key(block.text[:_READ])
        kept.append(float(key in lines or (len(key) > 24 and key[:60] in flat)))
    frames: dict[int, list[float]] = {}
    for block, value in zip(page.blocks, kept, strict=True):
        frame: Frame | None = block.frame.parent or block.frame
        for _ in range(3):
            if frame is None:
                break
            sums = frames.setdefault(id(frame), [0.0, 0.0])
            sums[0] += value * block.chars
            sums[1] += block.chars
            frame = frame.parent
    share = sum(value * block.chars for block, value in zip(page.blocks, kept, strict=True)) / page.total
    return {
        "quick": kept,
        "quick_before": _shift(kept, -1, 0),
        "quick_after": _shift(kept, 1, 0),
        "quick_near": _window(kept, 3),
        "quick_wide": _window(kept, 12),
        "quick_parent": [_share(*frames[id(frame)]) for frame in page.parents],
        "quick_grand": [_share(*frames[id(frame)]) if id(frame) in frames else 0.0 for frame in page.grand],
        "quick_share": [share] * page.size,
        "quick_size": [log1p(len(flat))] * page.size,
    }


def _key(text: str) -> str:
    return "".join(text.split()).lower()


def signs_of(url: str, title: str, named: Mapping[str, str], things: Sequence[Mapping[str, Any]]) -> PageSigns:
    """Gather what a page's metadata and JSON-LD say of it."""
    kinds: set[str] = set()
    said: list[str] = []
    for thing in things[:50]:
        kind = thing.get("@type")
        several = cast("list[object]", kind) if isinstance(kind, list) else [kind]
        kinds.update(str(one).lower() for one in several[:5])
        for key in ("articleBody", "description", "text", "reviewBody", "headline", "name"):
            value = thing.get(key)
            if isinstance(value, str) and len(value) > 24:
                said.append(" ".join(value[:50_000].lower().split()))
    if own := named.get("og:type"):
        kinds.add(f"og:{own.lower()}" if own.lower() == "product" else own.lower())
    return PageSigns(
        url, title, named.get("description", named.get("og:description", "")), frozenset(kinds), "\n".join(said)
    )

"""The demo's small web: the language reference of CPython as linked pages that can be searched, a few of them bad."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Literal

from deepresearch_mcp.cli.demo.markup import html_of, paragraphs_of, plain, topic_title
from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.text.ranking import Ranker

Fault = Literal["", "disallowed", "missing", "slow", "mislabelled"]
"""What is wrong with a page: robots.txt forbids it, it is gone, it is slow, its header names a wrong charset."""

ROBOTS = "User-agent: *\nDisallow: /drafts/\n"
SITE = "The Python Language Reference"
HITS = 20
"""Results of one search, at most."""

_REPEATS = 0.5
"""A topic of which smaller ones hold more than this share is an overview, and left out."""
_SNIPPET = 220
_STYLE = "body{font:1rem/1.6 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}pre{overflow:auto}"


@dataclass(frozen=True, slots=True)
class SitePage:
    """One address of the site."""

    path: str
    title: str
    text: str
    """The topic as CPython carries it; what is searched."""
    fault: Fault = ""


@dataclass(frozen=True)
class Site:
    """All pages, by path."""

    pages: Mapping[str, SitePage]

    def html(self, page: SitePage) -> str:
        """The page with its links to others."""
        body = html_of(page.text, self._linked(page))
        also = "".join(f'<li><a href="{escape(path)}">{escape(title)}</a></li>' for path, title in self._related(page))
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(page.title)}</title>'
            f'<meta property="og:site_name" content="{SITE}"><style>{_STYLE}</style></head>'
            f'<body><nav><a href="/">{SITE}</a></nav><main><article>{body}</article></main>'
            f"<aside><h2>Read on</h2><ul>{also}</ul></aside>"
            f"<footer>As shipped with CPython · served by deepresearch-server demo</footer></body></html>"
        )

    def index(self) -> str:
        """The table of contents."""
        rows = "".join(
            f'<li><a href="{escape(page.path)}">{escape(page.title)}</a></li>' for page in self.pages.values()
        )
        return f'<!doctype html><html lang="en"><head><title>{SITE}</title></head><body><ul>{rows}</ul></body></html>'

    def search(self, query: str) -> list[tuple[SitePage, str]]:
        """The best pages for a query, best first, each with the paragraph that answers it best."""
        # What SearXNG takes as operators is no word of the text.
        words = re.sub(r"-?\b(?:site|filetype|lang):\S+|\bOR\b", " ", query)
        return [(page, self._snippets(page).best(words)) for page in self._top(words, HITS)]

    def _top(self, words: str, limit: int) -> list[SitePage]:
        pages = list(self.pages.values())
        return [pages[at] for at in self._ranker.top(words, limit)]

    @cached_property
    def _ranker(self) -> Ranker:
        return Ranker([f"{page.title} {page.title} {page.title} {page.text}" for page in self.pages.values()])

    @cached_property
    def _known(self) -> dict[str, "_Snippets"]:
        return {}

    def _snippets(self, page: SitePage) -> "_Snippets":
        if page.text not in self._known:
            self._known[page.text] = _Snippets(page.text)
        return self._known[page.text]

    def _related(self, page: SitePage) -> list[tuple[str, str]]:
        return [(other.path, other.title) for other in self._top(page.title, 7) if other.path != page.path]

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {page.title: page.path for page in self.pages.values() if not page.fault or page.fault == "mislabelled"}

    def _linked(self, page: SitePage) -> "_Links":
        return _Links({title: path for title, path in self._titles.items() if title != page.title})


class _Links:
    """Turns the first mention of another page's title, as in “see section The raise statement”, into a link."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        self._left = dict(titles)
        long = sorted((title for title in titles if " " in title), key=len, reverse=True)
        # A title of one word is a word like any other, unless it is said to be a section.
        short = [title for title in titles if " " not in title]
        self._any = re.compile(rf"\b(?:{_either(long)})\b|(?<=[Ss]ection )(?:{_either(short)})\b")

    def __call__(self, text: str) -> str:
        parts: list[str] = []
        at = 0
        for found in self._any.finditer(text):
            title = escape(found[0])
            path = self._left.pop(found[0], None)
            parts.append(escape(text[at : found.start()]))
            parts.append(f'<a href="{escape(path)}">{title}</a>' if path else title)
            at = found.end()
        return "".join([*parts, escape(text[at:])])


def _either(titles: Sequence[str]) -> str:
    return "|".join(re.escape(title) for title in titles) or "(?!)"


def reference() -> Mapping[str, str]:
    """The topics of the language reference, by the names that `help()` knows them under.

    Raises:
        SettingsError: This Python was packed without them.
    """
    try:
        from pydoc_data.topics import topics
    except ImportError:
        raise SettingsError(
            "This Python came without its language reference (pydoc_data), which the demo reads.",
            "Install the complete standard library, or research the real web: deepresearch-server research QUESTION.",
        ) from None
    return topics


def build(question: str, topics: Mapping[str, str] | None = None) -> Site:
    """The site, with bad pages where they meet the question: the best page for it has a forbidden draft, and so on.

    The two best pages have all of them: what is further down may not be among the hits that a run reads.
    """
    good = _pages(reference() if topics is None else topics)
    best = [page for page, _ in Site(good).search(question)] or list(good.values())
    bad: list[SitePage] = []
    for page, place, fault in zip((best * 2)[:2] + best[:1], ("drafts", "old", "slow"), _FAULTS, strict=True):
        bad.append(SitePage(f"/{place}/{page.path.rpartition('/')[2]}", page.title, page.text, fault))
    pages = {page.path: page for page in (*good.values(), *bad)}
    pages[best[-1 if len(best) < 2 else 1].path] = _mislabelled(best[-1 if len(best) < 2 else 1])
    return Site(pages)


_FAULTS: tuple[Fault, ...] = ("disallowed", "missing", "slow")


def _mislabelled(page: SitePage) -> SitePage:
    return SitePage(page.path, page.title, page.text, "mislabelled")


def _pages(topics: Mapping[str, str]) -> dict[str, SitePage]:
    pages: dict[str, SitePage] = {}
    seen: dict[str, str] = {}
    said = {name: set(paragraphs_of(text)) for name, text in topics.items()}
    for name in sorted(topics, key=lambda name: (len(topics[name]), name not in topics[name][:80], name)):
        text = topics[name]
        title = topic_title(text)
        smaller = set[str]().union(*(said[other] for other in seen.values()))
        repeated = len(said[name] & smaller) / max(1, len(said[name]))
        if not title or text in seen or repeated > _REPEATS:
            continue
        seen[text] = name
        path = f"/reference/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}"
        pages[path] = SitePage(path, title, text)
    return pages


class _Snippets:
    """The paragraphs of a page, for the one line under a search result."""

    def __init__(self, text: str) -> None:
        chunks = [chunk for chunk in re.split(r"\n\s*\n", text) if len(chunk) > 40 and "::=" not in chunk]
        self._chunks = chunks or [text]
        self._ranker = Ranker(self._chunks)

    def best(self, query: str) -> str:
        """The one that says most about the query, the first where none says anything."""
        found = plain(self._chunks[next(iter(self._ranker.top(query, 1)), 0)])
        return found if len(found) <= _SNIPPET else f"{found[:_SNIPPET].rsplit(' ', 1)[0]} …"

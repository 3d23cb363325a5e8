"""Recognises pages that a program makes without end to hold up or to poison crawlers."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from urllib.parse import urlsplit

from deepresearch_mcp.text.common_words import short_words
from deepresearch_mcp.text.language import guess

_SAMPLE = 60_000
"""Characters of a text that are looked at."""
_PROSE = 120
"""Characters from which a line counts as running text, where common words must occur."""
_LEAST_WORDS = 150
_UNCOMMON = 0.12
"""A lower share of common words, of any language, than that is no running text."""
_SENTENCE = 30
"""Characters of the shortest sentences that are counted; shorter ones are labels, which lists repeat."""
_LEAST_SENTENCES = 30
_DISTINCT = 0.1
"""A text of which fewer sentences are different says one thing again and again."""
_FEWEST_LINKS = 8
_NEARLY_ALL = 0.95
_LOOPS = 3
"""Times that one part of an address occurs in it: programs that join links without end make such addresses."""
_ASCII = 0.9
_END = re.compile(r"(?<=[.!?])\s+|\n")
_STOPS = frozenset(".!?")
_WORD = re.compile(r"[^\W\d_]+")


def is_trap(url: str, text: str, links: Sequence[tuple[str, str]]) -> bool:
    """Return whether a page is one of a crawler trap: by two signs of three, of which one is about its links.

    The signs: a text that is none (words at random, or one sentence repeated throughout), an address that repeats
    itself, and links that lead only deeper into the same folder of the same site. Fluent nonsense
    is not recognised, nor is one in other than Latin letters.
    """
    loops = _repeats_itself(url)
    leads_deeper = _leads_deeper(url, links)
    return (loops and leads_deeper) or ((loops or leads_deeper) and _is_nonsense(text))


def _is_nonsense(text: str) -> bool:
    sample = text[:_SAMPLE]
    sentences = [one for one in _END.split(sample) if len(one) >= _SENTENCE]
    if len(sentences) >= _LEAST_SENTENCES and len(set(sentences)) < _DISTINCT * len(sentences):
        return True
    prose = "\n".join(line for line in sample.splitlines() if len(line) >= _PROSE and line[-1] in _STOPS)
    found = _WORD.findall(prose.casefold())
    # A text in a language that is known has its common words; one in letters that none of the lists has is not judged.
    if len(found) < _LEAST_WORDS or guess(prose) or sum(map(str.isascii, found)) < _ASCII * len(found):
        return False
    known = short_words()
    return sum(word in known for word in found) < _UNCOMMON * len(found)


def _repeats_itself(url: str) -> bool:
    """Return whether a part of the path, or two in a row, occur again and again."""
    parts = _path(url)
    pairs = Counter(pairwise(parts))
    single = Counter(part for part in parts if not part.isdigit())
    return max(single.values(), default=0) >= _LOOPS or max(pairs.values(), default=0) >= _LOOPS


def _leads_deeper(url: str, links: Sequence[tuple[str, str]]) -> bool:
    """Return whether nearly all links lead into the page's own folder, each at least two levels below its first."""
    folder = _path(url)[:1]
    if not folder or len(links) < _FEWEST_LINKS:
        return False
    host = _host(url)
    paths = [_path(target) for target, _ in links if _host(target) == host]
    deeper = [path for path in paths if path[:1] == folder and len(path) > max(2, len(folder) + 1)]
    return len(deeper) >= _NEARLY_ALL * len(links)


def _path(url: str) -> list[str]:
    try:
        return [part for part in urlsplit(url).path.split("/") if part]
    except ValueError:
        return []


def _host(url: str) -> str:
    return url.split("/", 3)[2].casefold() if url.count("/") >= 2 else ""

"""Extracts the words of a text that carry its meaning."""

import re
from collections import Counter
from functools import lru_cache

from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.names import name_runs
from deepresearch_mcp.text.stopwords import STOPWORDS, word_set

__all__ = ["STOPWORDS", "content_words", "keywords", "stem", "words"]

_WIDE = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_THAI = r"\u0e00-\u0e7f"
_WORD = re.compile(rf"[{_WIDE}]+|[{_THAI}]+|[^\W_{_WIDE}{_THAI}]++(?:['’][^\W\d_{_WIDE}{_THAI}]++)*+")
_WIDE_START = re.compile(rf"[{_WIDE}{_THAI}]")


def words(text: str) -> list[str]:
    """Return the words in order, casefolded; a script without spaces gives overlapping pairs of characters."""
    found: list[str] = []
    for token in _WORD.findall(text):
        if not token.isascii() and _WIDE_START.match(token):
            found.extend(token[i : i + 2] for i in range(max(1, len(token) - 1)))
        else:
            found.append(token.casefold().replace("’", "'"))
    return found


_ENDINGS = (
    ("ational", "ate"), ("ization", "ize"), ("isation", "ize"), ("fulness", "ful"), ("iveness", "ive"),
    ("ousness", "ous"), ("ements", ""), ("ement", ""), ("ments", ""), ("ment", ""), ("ingly", ""), ("edly", ""),
    ("ness", ""), ("ings", ""), ("ing", ""), ("ies", "y"), ("ied", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"),
    ("shes", "sh"), ("ises", "ize"), ("izes", "ize"), ("ise", "ize"), ("ed", ""), ("ly", ""), ("es", "e"), ("s", ""),
)  # fmt: skip


@lru_cache(maxsize=50_000)  # ranking stems every word of every page, and most words are the same few thousand
def stem(word: str) -> str:
    """Strip the most common English endings of a casefolded word; leave short words and other scripts unchanged.

    The result is for matching a query with a text, not for display.
    """
    word = word.removesuffix("'s")
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    for ending, put in _ENDINGS:
        if word.endswith(ending):
            base = word[: -len(ending)]
            if len(base) < 3 or (ending == "s" and base[-1] in "siu") or not any(c in "aeiouy" for c in base):
                continue
            return _tidy(base + put)
    return _tidy(word)


def _tidy(base: str) -> str:
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
        return base[:-1]
    return base[:-1] if len(base) > 3 and base.endswith("e") else base


def content_words(text: str) -> list[str]:
    """Return the words in order without the stopwords of the text's language, and without the English ones."""
    stop = STOPWORDS["en"] | STOPWORDS.get(guess(text), frozenset())
    return [word for word in words(text) if word not in stop]


_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»\n]{2,80})[\"”“»]")
_TERM = re.compile(r"(?:(?![的是了在和与吗呢有不这那])[\u4e00-\u9fff\u30a0-\u30ff]){2,}|[\u0e00-\u0e7f]{2,}")
"""A run of Chinese characters or katakana between particles: the best approximation of a word without a dictionary."""
_ASKING = word_set(
    "explain describe compare discuss tell find give list summarize summarise overview please report research "
    "question answer know want need versus vs"
)
"""Words that a request uses about itself, not about its subject."""


def keywords(text: str, limit: int = 8) -> list[str]:
    """Return at most `limit` search terms, each once, in order of appearance.

    Quoted phrases, names and identifiers stay whole and as written; other words are casefolded. If there are too many,
    phrases and names come first, then the most frequent words.
    """
    found: dict[str, int] = {}
    rest = text
    phrases = [" ".join(match.split()) for match in _QUOTED.findall(text)]
    for phrase in [*phrases, *(" ".join(run) for run in name_runs(text))]:
        pattern = re.compile(r"\s+".join(map(re.escape, phrase.split())) + r"(?:['’]s?(?!\w))?")
        if not phrase or (match := pattern.search(rest)) is None:
            continue
        found.setdefault(phrase, match.start())
        # Replaced by blanks, not removed, so that offsets stay valid.
        rest = pattern.sub(lambda whole: " " * len(whole.group()), rest)
    plain = [word for word in content_words(rest) if word not in _ASKING and not _WIDE_START.match(word)]
    counts = Counter([*plain, *_TERM.findall(rest)])
    best = sorted(counts, key=lambda word: -counts[word])[: max(0, limit - len(found))]
    folded = rest.casefold()
    at = {word: folded.find(word) for word in best}
    return sorted([*found, *best], key=lambda item: found.get(item, at.get(item, 0)))[:limit]


_MARKED = re.compile(r"(?<![\w'’.])(?:[^\W_]+[+#]+|[b-hj-z])(?![\w'’])")
"""C++, C#, vitamin C: names that are a single letter or end in a sign."""
_TURNING = frozenset({"without", "not", "no", "never", "before", "after"})
"""Stopwords that reverse the meaning of a question."""


def discriminative_words(text: str) -> list[str]:
    """Return the words that distinguish a question: content words in order, then other names and reversing words."""
    return [
        *content_words(text),
        *_MARKED.findall(text.casefold()),
        *(word for word in words(text) if word in _TURNING),
    ]

"""Finds the names in a text: words that stand for one thing and cannot be replaced by others."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.normalise import normalise
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.text.stopwords import STOPWORDS, word_set

_DOTTED = r"(?<!\w)(?:[^\W\d_]\.)+[^\W\d_](?!\w)\.?"
_TOKEN = re.compile(rf"{_DOTTED}|\w+(?:['’&.-]\w+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_OPENS = re.compile(r"(?:[\"“„«‘:;(\[]|[•|>])\s?$|(?:^|\s)['’]$")
_SHOUTED = 0.6
"""With this share of capitals or more, a sentence is a headline, and its capitals mean nothing."""


def names_in(text: str) -> frozenset[str]:
    """Return the names of a text, as single words in their original spelling.

    Names are capitalised words that do not merely open a sentence, acronyms, CamelCase words and identifiers with
    underscores. "Configuring" before a name is not part of it; "New" and "Boeing" are. In German, where every noun has
    a capital, only two capitalised words in a row count.
    """
    return frozenset(name for run in name_runs(text) for name in run)


@lru_cache(maxsize=4096)  # several gates ask for the names of the same claim and quote
def name_runs(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the names of a text in order; each is the tuple of its consecutive words."""
    language = guess(text)
    german = language == "de"
    common = STOPWORDS["en"] | STOPWORDS.get(language, frozenset())
    found: list[tuple[str, ...]] = []
    for start, end in sentences(text):
        found.extend(
            run for run in _runs(text[start:end], common) if not german or len(run) > 1 or _is_marked("".join(run))
        )
    return tuple(found)


def initials(text: str) -> frozenset[str]:
    """Return the possible abbreviations of a text's capitalised words: "ecb" for European Central Bank."""
    found: set[str] = set()
    for run in re.findall(
        r"(?<!\w)[^\W\d_a-z]\w++(?:[\s-]{1,3}(?:(?:of|for|and|the|on|de|des|du|der|und)\s){0,2}[^\W\d_a-z]\w++){1,40}+",
        text,
    ):
        letters = [word[0].casefold() for word in re.findall(r"\w+", run) if word[0].isupper()][:40]
        found.update("".join(letters[i : i + n]) for n in range(2, 7) for i in range(len(letters) - n + 1))
    return frozenset(found)


def name_words(text: str) -> frozenset[str]:
    """Return all words of a text in the form used to compare names: casefolded, without accents, U.S. as us."""
    found = re.findall(r"[^\W_]+|\w+", normalise(_undotted(text)).text)
    return frozenset(word if word.isascii() else _unaccented(word) for word in found)


def _unaccented(word: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))


def _undotted(text: str) -> str:
    return re.sub(_DOTTED, lambda match: match.group().replace(".", "") + " ", text)


def _runs(sentence: str, common: frozenset[str]) -> Iterator[tuple[str, ...]]:
    capitals = sum(char.isupper() for char in sentence)
    shouted = capitals > _SHOUTED * max(1, sum(char.isalpha() for char in sentence))
    run: list[str] = []
    opening = ""
    reached = 0
    for match in _TOKEN.finditer(sentence):
        word = _POSSESSIVE.sub("", match.group())
        before = sentence[max(0, match.start() - 3) : match.start()]
        if run and sentence[reached : match.start()].strip(" \t\n"):
            yield tuple(run)
            run, opening = [], ""
        reached = match.end()
        if shouted or not _is_name(word, common):
            if run:
                yield tuple(run)
            run, opening = [], ""
        elif not _is_marked(word) and (not match.start() or _OPENS.search(before)):
            # A word that opens a sentence counts only if another name follows it directly.
            opening = "" if _is_ordinary(word) else word
        else:
            run += [opening, word] if opening else [word]
            opening = ""
    if run:
        yield tuple(run)


def _is_name(word: str, common: frozenset[str]) -> bool:
    if _is_marked(word):
        return True
    return len(word) > 1 and word[0].isupper() and word.casefold() not in common


_GERUND = re.compile(r"\w{2,}ing")
_VOWEL = re.compile(r"[aeiouy]")
_ADVERB = re.compile(r"\w{2,}(?:al|ent|ant|ous|ive|ed|ari|ate|ing|ic)ly", re.IGNORECASE)
_NO_GERUNDS = word_set(
    "beijing boeing chongqing kunming liaoning nanjing xining wyoming "
    "barking corning dorking epping flushing kettering lansing reading wapping woking worthing "
    "banting browning canning channing cushing darling deming downing ewing fielding fleming golding gosling harding "
    "herring irving keating kipling manning pauling pershing pickering redding rowling schelling schilling spalding "
    "starling sterling stirling viking waring whiting wilding "
    "advertising banking building engineering housing manufacturing marketing mining nursing planning shipping "
    "trading training"
)
"""Words in -ing that begin a name: places, families, and parts of the names of bodies and laws."""
_ORDINARY = word_set(
    "unlike besides beyond alongside amid despite per recent modern older newer current upgraded use set call pass "
    "install enable disable avoid configure upgrade import"
)
"""Words that often precede a name without being part of it; "new", "old" and the like may be part of one."""


def _is_ordinary(word: str) -> bool:
    """Return whether a word that opens a sentence is not part of the name after it: "Calling Session.commit()"."""
    flat = word.casefold()
    if _GERUND.fullmatch(flat) and _VOWEL.search(flat, 0, len(flat) - len("ing")):
        return flat not in _NO_GERUNDS
    return flat in _ORDINARY or bool(_ADVERB.fullmatch(flat))


def _is_marked(word: str) -> bool:
    """Return whether a word is a name at any position: an acronym, a CamelCase word or an identifier."""
    letters = [char for char in word if char.isalpha()]
    if "_" in word.strip("_"):
        return bool(letters)
    if re.search(r"[a-z][A-Z]|[A-Z]{2,}[a-z]", word):
        return True
    return sum(char.isupper() for char in letters) > 1 and not any(char.islower() for char in letters)

"""The words that match a question with a sentence: stems without noise, names, quoted phrases."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.text.stopwords import STOPWORDS

_ASKING_SPELT = (
    "explain describe discuss tell know find learn understand compare comparison difference differences differ "
    "different please give provide list kind kinds type types sort main name named called known regard happen "
    "happens happened work works use used using between versus vs important many much mean means like "
    "offer offers offered handle handles handled deal deals cope copes "
    "characterise characterises characterize characterizes allow allows allowed permit permits several possible"
)
_ASKING = frozenset(_ASKING_SPELT.split())
"""Words that shape a question and are rarely in its answer."""
_BARE_SPELT = (
    "a an the of in on at to by is are was were be do does did what which who whom whose how why when where and "
    "or it its they their that this there for with from into as about between during has have had can could should "
    "would will i you we he she his her him am me my us not no any some get gets"
)
_BARE = frozenset(_BARE_SPELT.split())
"""Noise even in a question with few other words, such as `What do finally and else do?`"""
_FRAMES_SPELT = "a an the is are was were be do does did what which who how why when where and or it"
_FRAMES = frozenset(_FRAMES_SPELT.split())
"""Words that go with anything, so a pair with one says no more than the other word."""
_GENERIC_SPELT = (
    "affect become begin best big bring call case cause change come common create current different effect end "
    "example exist fact find first follow form get give go good great group happen help high hold important "
    "include involve keep kind large last lead like long look low made main make mean need new number occur old "
    "part people place play point possible provide reason result role run set show small start state support take "
    "thing time try turn type use value way well went word work year"
)


@lru_cache(maxsize=32_768)
def _stem(word: str) -> str:
    if not word.isascii():
        # Some pages write names without their accents.
        word = "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
    # An adverb is a separate word: "finally" does not mean "final".
    return word if word.endswith("ly") else stem(word)


def stems(text: str, language: str = "en", also: frozenset[str] = frozenset()) -> list[str]:
    """Return the stems in order, without stopwords of English and the language, but with the words in `also`."""
    stop = STOPWORDS["en"]
    if language != "en":
        stop = stop | STOPWORDS.get(language, frozenset())
    return [_stem(word) for word in words(text) if word not in stop or word in also]


def wanted(question: str, language: str = "en") -> tuple[str, ...]:
    """Return the distinct stems that an answer should hold, in order and without question words."""
    return tuple(dict.fromkeys(_stem(word) for word in asked(question, language)))


def asked(question: str, language: str = "en") -> tuple[str, ...]:
    """Return the words of the question that carry its meaning, casefolded, in order, each once.

    A question that has almost only common words keeps them, except for pure noise.
    """
    stop = STOPWORDS["en"] | STOPWORDS.get(language, frozenset())
    found = tuple(dict.fromkeys(words(question)))
    kept = [word for word in found if word not in stop and word not in _ASKING]
    if len(kept) < 2:
        kept = [word for word in found if word not in _BARE and word not in _ASKING] or [
            word for word in found if word not in _BARE
        ]
    return tuple(kept)


def pairs(text: str) -> frozenset[tuple[str, str]]:
    """Return the pairs of neighbouring words in a text, as stems; at most one word of a pair is common.

    They distinguish "the with statement" from "the try statement", which single uncommon words cannot.
    """
    found = words(text)
    kinds = (words(name) for name in kind_names(text))
    return frozenset((_stem(one), _stem(other)) for name in kinds for one, other in pairwise(name)) | frozenset(
        (_stem(one), _stem(other))
        for one, other in pairwise(found)
        if not {one, other} <= _BARE and not {one, other} & _ASKING and (one not in _FRAMES and other not in _FRAMES)
    )


_KIND = (
    r"(?:argument|attribute|block|branch|clause|command|condition|constraint|construct|directive|element|expression|flag"
    r"|function|keyword|loop|method|operator|option|parameter|pattern|predicate|rule|setting|statement|tag)"
)
_LITTLE = (
    r"(?:after|all|and|any|as|at|before|between|by|do|else|for|from|has|if|in|into|is|not|of|off|on|or|over|then|to"
    r"|until|when|where|while|with|without)"
)
_KIND_NAME = re.compile(
    rf"(?:\b(?:the|an?|each|every)\s+|['’]s\s+)[`'\"“‘]?"
    rf"(?P<name>(?:{_LITTLE}(?:\s+\w+)?|\w+\s+(?:by|of|as|in|on|off|into))[`'\"”’]?\s+{_KIND})s?\b"
    rf"|\b(?P<loop>(?:for|while|until)\s+loop)s?\b"
    rf"|\b(?P<one>{_LITTLE})\s+(?:and|or)\s+(?P<other>{_LITTLE})\s+(?P<kind>{_KIND})s\b",
    re.IGNORECASE,
)


def kind_names(text: str) -> tuple[str, ...]:
    """Return names made of a common word and a kind, in order: `with statement`, `for loop`, `on delete option`.

    An article or a second such word tells them from the same words by chance: "what is operator overloading?"
    """
    found: list[str] = []
    for match in _KIND_NAME.finditer(text):
        whole = match["name"] or match["loop"]
        found += [whole] if whole else [f"{match['one']} {match['kind']}", f"{match['other']} {match['kind']}"]
    return unique(" ".join(re.sub(r"[`'\"“”‘’]", " ", name).split()) for name in found)


def names_kind(kinds: Iterable[str], *texts: str) -> bool:
    """Tell whether one of these names, as `kind_names` gives them, stands in a text: `the *with* statements`."""
    forms = [r"\W{1,4}".join(map(re.escape, name.split())) for name in kinds]
    return any(re.search(rf"\b{form}s?\b", text, re.IGNORECASE) for form in forms for text in texts)


_CAPITAL = r"[^\W\d_a-z][\w’'.+#&-]*"
_LINK = r"(?:of(?: the)?|de(?: la)?|del|der|di|du|la|le|von|van(?: der)?|bin|ibn|al|for the|and the|&|[IVX]+)"
_NAME = re.compile(rf"(?<![\w’'.@/-]){_CAPITAL}(?:[ \n](?:{_LINK}[ \n])?(?:{_CAPITAL}|\d[\d.]*(?![\w%])))*")
_LINKED = re.compile(r"\w+[ \n](?:[a-z&]+[ \n])+")
_QUOTED = re.compile(r"[\"“«]([^\"“”«»\n]{2,80})[\"”»]")
_IDENTIFIER = re.compile(r"(?<![\w.])(?:\w+_\w+|__\w+__|\w+(?:\.\w*[^\W\d]\w+)+(?:\(\))?|[a-z]+[A-Z]\w*|\w+\(\))(?!\w)")
_OPENS = re.compile(r"(?:^|[.!?:;\n]\s*|[\"“(]\s*)$")


def names(text: str) -> tuple[str, ...]:
    """Return names, quoted phrases and identifiers, in order of appearance, each once.

    A lone capitalised word that opens a sentence counts as a name only when it cannot be an ordinary word:
    it holds an inner capital or digit, or is capitalised inside a sentence as well.
    """
    found: list[tuple[int, str]] = [(match.start(1), match.group(1).strip(" ,.;")) for match in _QUOTED.finditer(text)]
    covered = [(start, start + len(phrase)) for start, phrase in found]
    for pattern in (_NAME, _IDENTIFIER):
        for match in pattern.finditer(text):
            start, name = _trimmed(text, match)
            if not name or any(low <= start < high for low, high in covered):
                continue
            found.append((start, name))
            covered.append((start, start + len(name)))
    return tuple(dict.fromkeys(" ".join(name.split()) for _, name in sorted(found)))


def names_and_owners(text: str) -> tuple[str, ...]:
    """The same, and of `SQLite's WAL` also `SQLite`: a site may be about the owner."""
    found = names(text)
    owners = (_OWNED.split(name)[0] for name in found if _OWNED.search(name))
    return tuple(dict.fromkeys((*found, *owners)))


_OWNED = re.compile(r"['’]s\s")


def _trimmed(text: str, match: re.Match[str]) -> tuple[int, str]:
    """Remove a leading common word and trailing marks from a run of capitalised words; "" if no name is left."""
    start, name = match.start(), match.group()
    opens = bool(_OPENS.search(text[max(0, start - 3) : start]))
    first, _, rest = name.partition(" ")
    while first.casefold().strip("’'.") in STOPWORDS["en"] and not (first.isupper() and len(first) > 1):
        if not rest or not rest[0].isupper():
            return start, ""
        start += len(first) + 1
        first, _, rest = rest.partition(" ")
        name = text[start : match.end()]
    name = re.sub(r"(?:['’]s|[.'’&-]+)$", "", name) if not re.search(r"\b(?:\w\.)+$", name) else name
    if opens and start == match.start() and (linked := _LINKED.match(name)) and name not in text[match.end() :]:
        # "Execution of Python" opens its sentence, so only the words after the first are surely a name.
        start += linked.end()
        name = name[linked.end() :]
    if " " in name or start != match.start() or not opens:
        return start, name if len(name) > 1 else ""
    inner = any(char.isupper() or char.isdigit() for char in name[1:])
    again = re.search(rf"(?<=[a-z,] ){re.escape(name)}(?!\w)", text)
    return start, name if len(name) > 1 and (inner or again) else ""


def phrases(question: str, language: str = "en") -> tuple[str, ...]:
    """Return search terms in order: whole names and quoted phrases, and other content words one by one."""
    kept = set(asked(question, language))
    spans: list[tuple[int, int, str]] = []
    for name in names(question):
        at = question.find(name)
        if at >= 0:
            spans.append((at, at + len(name), name))
    named = list(spans)
    for name in kind_names(question):
        opening, kind = name.split()[0], name.split()[-1]
        # Of "the and and or operators" both names end with the same word.
        match = re.search(rf"\b{re.escape(opening)}\b(?:\W+\w+){{0,3}}?\W+{re.escape(kind)}", question)
        if match and not any(low < match.end() and match.start() < high for low, high, _ in named):
            spans.append((match.start(), match.end(), name))
    found = list(spans)
    for match in re.finditer(r"[^\W_]+(?:[’'-][^\W_]+|(?<=\d)\.\d+)*", question):
        inside = any(low <= match.start() < high for low, high, _ in spans)
        parts = words(match.group())
        if not inside and any(part in kept for part in parts):
            found.append((match.start(), match.end(), re.sub(r"['’]s$", "", match.group())))
    return unique(phrase for _, _, phrase in sorted(found))


def unique(texts: Iterable[str]) -> tuple[str, ...]:
    """Drop texts that differ from an earlier one only in case."""
    return tuple({text.casefold(): text for text in reversed(tuple(texts))}.values())[::-1]


@lru_cache(maxsize=4_096)
def grams(text: str) -> frozenset[str]:
    """Return the runs of four characters in stems joined by blanks; words with a common root share some."""
    return frozenset(text[at : at + 4] for at in range(max(1, len(text) - 3))) if text else frozenset()


def split_topic(question: str) -> tuple[str, str]:
    """Split `Topic: what …?` into the topic and the question; otherwise the topic is ""."""
    topic, _, asks = question.partition(": ")
    return (topic, asks) if asks and len(topic.split()) <= 6 else ("", question)


_GENERIC = frozenset(_stem(word) for word in _GENERIC_SPELT.split())
_GENERIC_WEIGHT = 0.5
"""The weight of a word that pages of every sort have; a topic word counts 1."""


def coverage(question: tuple[str, ...], *texts: Iterable[str]) -> float:
    """Return the share of the question's stems found in any of the texts, 0 to 1; 0 for a question without any."""
    found = {word for text in texts for word in text}
    whole = sum(weight(word) for word in question)
    return sum(weight(word) for word in question if word in found) / whole if whole else 0.0


def weight(word: str) -> float:
    """Return the weight of a question's stem: half if pages of every sort have it, else 1."""
    return _GENERIC_WEIGHT if word in _GENERIC else 1.0


def telling(question: tuple[str, ...]) -> frozenset[str]:
    """Return the stems of a question that name its topic; all of them if none does."""
    return frozenset(word for word in question if word not in _GENERIC) or frozenset(question)

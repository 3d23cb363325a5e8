"""Recognises sentences addressed to the model that reads the page and writes the answer."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from deepresearch_mcp.injection.disguise import plainly
from deepresearch_mcp.injection.orders import asks_how
from deepresearch_mcp.injection.reading_words import Pattern, english, languages, letters_only, words_by_kind
from deepresearch_mcp.injection.rules import alternatives
from deepresearch_mcp.text.common_words import language_name, short_words
from deepresearch_mcp.text.language import guess

_LONGEST = 4_000
"""Most characters examined of a sentence or question."""
_RUN_TOGETHER = 25
"""Words with at least this many letters are split at inner capitals, as words that lost the blanks between them."""
_REST = 4
"""Words a sentence needs outside its quotations; with fewer, the quotations count as its own words."""
_LEAST_COMMON = 2
"""Common words of a language (or pairs of its letters) needed to assign a sentence to it."""

_WORD = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(
    r"“[^”]{1,400}[”\"]|\"[^\"]{1,400}\"|„[^“”]{1,400}[“”]|«[^»]{1,400}»|‘[^’]{1,400}’|「[^」]{1,400}」"
)
_STRUCK = re.compile("[\u0332-\u0338]")
_REPORTED = re.compile(
    rf", (?:[^\W\d_][\w'-]*\s){{1,5}}(?:{alternatives('about_reading.reporting')})\W*$"
    rf"|^(?:{alternatives('about_reading.according')})\b"
)
"""Words that attribute a sentence to another speaker, which makes it a report and not a message."""
_INNER_CAPITAL = re.compile(r"(?<=[a-z,])(?=[A-Z][a-z])")
_OF_ITS_OWN = (
    ("ru", "uk", "bg"), ("el",), ("he",), ("ar", "fa"), ("hi",), ("bn",), ("ta",), ("te",), ("ka",), ("hy",), ("th",),
    ("zh", "ja"), ("ko",),
)  # fmt: skip
"""Languages not written in Latin letters, grouped by script."""
_SIBLINGS = {"no": ("no", "da"), "da": ("da", "no"), "cs": ("cs", "sk"), "sk": ("sk", "cs"), "sl": ("hr",),
             "es": ("es", "pt", "ca"), "pt": ("pt", "es"), "ca": ("ca", "es")}  # fmt: skip
"""Languages that the detector confuses, so that the word lists of all of them are tried."""


def is_about_reading(said: str, asked: str = "", title: str = "", *, alone: bool = False) -> bool:
    """Whether a sentence tells the model that writes the answer what to do or to say.

    There are three cases. The sentence is an order or in the second person, and concerns the answer, its writer or the
    writer's instructions. Or it says what a machine reader, or a text written from this page, must say. Or, with
    `alone` (the sentence shares no word with the question and the title), it mentions such things at all. Sentences
    that name an agent or report an event do not count, and quoted words are ignored.

    `asked` is the question, `title` the page's title. If they name the machine, report or user that the sentence is
    about, that is the page's subject and the sentence does not count. If the question asks how to do something, orders
    do not count, since they are what it asks for.
    """
    text = _without_quotations(_STRUCK.sub("", said[:_LONGEST]))
    if _says_english(text, asked, title, alone=alone):
        return True
    return any(_says(text, code, asked, title) for code in _languages_of(text))


def _says_english(said: str, asked: str, title: str, *, alone: bool) -> bool:
    patterns = english()
    looked_for = (*patterns.addressed, *patterns.alone) if alone else patterns.addressed
    cells = [cell for part in said.split("|") if (cell := _folded(part))]
    return any(_holds(one, cell, asked, title) for cell in cells for one in looked_for)


def _holds(pattern: Pattern, said: str, asked: str, title: str) -> bool:
    if not pattern.found.search(said) or _REPORTED.search(said):
        return False
    if pattern.order and asks_how(asked):
        return False
    return pattern.names.isdisjoint(_named(f"{asked}\n{title}"))


def _says(said: str, code: str, asked: str, title: str) -> bool:
    words, text = words_by_kind(code), letters_only(plainly(said) if code in _LATIN else said)
    kinds = {kind for kind, pattern in words.items() if pattern.search(text)}
    if len(kinds) < 2:
        return False
    subject = _named(f"{asked}\n{title}")
    kinds -= subject & {"reader", "work", "rules"}
    if "order" in kinds and not asks_how(asked) and kinds & {"work", "yours", "rules", "reader"}:
        return True
    if "yours" in kinds and kinds & {"must", "say"}:
        return True
    return "must" in kinds and ({"work", "here"} <= kinds or {"reader", "say"} <= kinds)


@lru_cache(maxsize=512)
def _named(text: str) -> frozenset[str]:
    """The kinds of things (such as `reader`, `work`) that a question or title names."""
    folded = _folded(text[:_LONGEST])
    found = {name for name, pattern in english().subject.items() if pattern.search(folded)}
    for code in _languages_of(text[:_LONGEST]):
        found |= {
            kind for kind, pattern in words_by_kind(code).items() if pattern.search(letters_only(text[:_LONGEST]))
        }
    return frozenset(found)


@lru_cache(maxsize=2048)
def _languages_of(text: str) -> tuple[str, ...]:
    """The languages with word lists in which a sentence may be; never English, which has patterns of its own."""
    if not text.isascii() and (found := tuple(_by_letters(text))):
        return found
    code = guess(text)
    if code == "en":
        return ()
    likely = {one for known in (code, _by_common_words(text)) for one in _SIBLINGS.get(known, (known,))}
    return tuple(sorted(likely & languages()))


def _by_letters(text: str) -> Iterator[str]:
    for codes in _OF_ITS_OWN:
        if len(_LETTERS[codes].findall(text)) >= _LEAST_COMMON:
            yield from codes


_RANGES = (
    "\u0400-\u04ff", "\u0370-\u03ff\u1f00-\u1fff", "\u05d0-\u05ea", "\u0620-\u06ff", "\u0900-\u097f", "\u0980-\u09ff",
    "\u0b80-\u0bff", "\u0c00-\u0c7f", "\u10a0-\u10ff", "\u0530-\u058f", "\u0e00-\u0e7f", "\u3040-\u30ff\u3400-\u9fff",
    "\uac00-\ud7af",
)  # fmt: skip
_LETTERS = {codes: re.compile(f"[{bounds}]{{2}}") for codes, bounds in zip(_OF_ITS_OWN, _RANGES, strict=True)}
_LATIN = languages() - {code for codes in _OF_ITS_OWN for code in codes}
_NAMED = {language_name(code): code for code in _LATIN if language_name(code)} | {
    "Catalan": "ca", "Esperanto": "eo", "Latin": "la", "Tagalog": "tl", "Azerbaijani": "tr", "Malay": "id",
    "Serbo_Croatian": "hr", "Bosnian": "hr",
}  # fmt: skip


def _by_common_words(text: str) -> str:
    """The language with the most common words in a sentence; "" if none has enough."""
    known = short_words()
    met: dict[str, int] = {}
    for word in _WORD.findall(text.casefold()):
        for name in known.get(word, ()):
            if name in _NAMED:
                met[name] = met.get(name, 0) + 1
    best = max(met, key=lambda name: met[name], default="")
    return _NAMED[best] if best and met[best] >= _LEAST_COMMON else ""


def _without_quotations(said: str) -> str:
    rest = _QUOTED.sub(" … ", said)
    # A JSON object uses quotation marks without quoting anything.
    return rest if len(_WORD.findall(rest)) >= _REST and "{" not in said else said


def _folded(text: str) -> str:
    """Fold to lower case, plain apostrophes and single blanks; symbols such as emoji become blanks."""
    parted = " ".join(
        _INNER_CAPITAL.sub(" ", word) if len(word) >= _RUN_TOGETHER else word for word in plainly(text).split()
    )
    bare = "".join(
        " " if unicodedata.category(char) in {"So", "Sk", "Cf"} else char for char in _STRUCK.sub("", parted)
    )
    return " ".join(bare.casefold().replace("’", "'").split())

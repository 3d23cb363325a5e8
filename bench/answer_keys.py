"""Key facts of an answer, as a keys.json holds them, and where their words stand in a text.

A fact stands in a text if at least half of its sequences of four words do: some keys are shortened with "…", and pages
are not always extracted word for word. Every part between two such marks is looked for by itself.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

GRAM = 4
ENOUGH = 0.5
"""Share of a key's sequences of words that has to stand in one place."""
_STRETCH = 1.4
"""A place may be longer than the words by this factor: something may stand between them."""
_SHARED = 0.5
"""Share of a fact's telling words, by their weight, that a claim about it holds."""
_LEAST_SHARED = 3
_ELLIPSIS = re.compile(r"\.\.\.|…")
Gram = tuple[str, ...]


class Text:
    """A text whose sequences of words are looked up."""

    def __init__(self, text: str) -> None:
        found = list(re.finditer(r"\w+", text.lower()))
        self.words = [one.group() for one in found]
        self.spans = [one.span() for one in found]
        self._places: dict[int, dict[Gram, list[int]]] = {}

    def places(self, gram: Gram) -> Sequence[int]:
        """Numbers of the words at which it begins."""
        size = len(gram)
        if size not in self._places:
            known = self._places[size] = {}
            for at, run in enumerate(runs(self.words, size)):
                known.setdefault(run, []).append(at)
        return self._places[size].get(gram, ())


def runs(words: Sequence[str], size: int) -> Iterator[Gram]:
    """All sequences of so many words."""
    if size:
        yield from (tuple(words[at : at + size]) for at in range(len(words) - size + 1))


@dataclass(frozen=True)
class Key:
    """One key fact."""

    name: str
    weight: float
    fact: str
    words: str
    url: str = ""
    file: str = ""
    _parts: list[list[Gram]] = field(default_factory=list[list[Gram]], init=False, compare=False)

    def __post_init__(self) -> None:
        for part in _ELLIPSIS.split(self.words):
            said = Text(part).words
            if grams := list(runs(said, min(GRAM, len(said)))):
                self._parts.append(grams)

    def stands_in(self, text: Text) -> bool:
        """Whether enough of its sequences are there."""
        grams = [gram for part in self._parts for gram in part]
        return bool(grams) and sum(bool(text.places(gram)) for gram in grams) >= ENOUGH * len(grams)

    def located(self, text: Text) -> list[tuple[int, int]]:
        """Start and end of the places where its parts stand, in characters."""
        found: list[tuple[int, int]] = []
        for grams in self._parts:
            size = len(grams[0])
            reach = int(_STRETCH * (len(grams) + size))
            hits = sorted({at for gram in grams for at in text.places(gram)})
            best: tuple[int, int, int] | None = None
            first = 0
            for last, at in enumerate(hits):
                while at - hits[first] > reach:
                    first += 1
                if best is None or last - first + 1 > best[0]:
                    best = (last - first + 1, hits[first], at)
            if best and best[0] >= ENOUGH * len(grams):
                found.append((text.spans[best[1]][0], text.spans[best[2] + size - 1][1]))
        return found

    def is_on(self, url: str, title: str = "") -> bool:
        """Whether an address, or a file's title, is that of its page. Ports are not compared: a world may have any."""
        if self.file:
            return unquote(url).rpartition("/")[2] == self.file or title == self.file
        return bool(self.url) and _page(url) == _page(self.url)

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words, names and figures that the fact is recognised by."""
        return frozenset(_telling(self.fact))


def _page(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url.strip())
    return (parts.hostname or "").removeprefix("www."), unquote(parts.path).rstrip("/"), parts.query


def _telling(text: str) -> Iterator[str]:
    for word in re.findall(r"[\w.,]+", text.lower()):
        plain = word.strip(".,")
        if any(char.isdigit() for char in plain) or "_" in plain:
            yield plain.replace(",", "")
        elif len(plain) > 3:
            # "indexes" and "index", "supported" and "supports"
            yield plain[:6]


class Likeness:
    """How much of a fact's telling words a claim holds; a word that every claim has counts for little."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = [frozenset(_telling(text)) for text in texts]
        self._often = Counter(word for text in self._texts for word in text)

    def alike(self, key: Key) -> set[int]:
        """The numbers of the texts that speak of the fact."""
        weights = {word: log(1 + len(self._texts) / (1 + self._often[word])) for word in key.telling}
        whole = sum(weights.values())
        return {
            number
            for number, text in enumerate(self._texts)
            if len(shared := key.telling & text) >= _LEAST_SHARED
            and sum(weights[word] for word in shared) >= _SHARED * whole
        }


def read_keys(path: Path) -> tuple[list[Key], list[dict[str, Any]]]:
    """The facts of a keys.json that have words, and all other keys: judgements are the writer's own work."""
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["keys"]
    facts = [row for row in rows if row["kind"] == "fact" and isinstance(row.get("words"), str)]
    keys = [
        Key(
            str(row["id"]),
            row["weight"],
            row["fact"],
            row["words"],
            str(row.get("url") or ""),
            str(row.get("file") or ""),
        )
        for row in facts
    ]
    return keys, [row for row in rows if row not in facts]

"""The words of a question that a passage is held against, rare ones weighing more."""

import re
from collections.abc import Callable, Collection

from deepresearch_mcp.pipeline.report.homes import Homes, bare_name
from deepresearch_mcp.pipeline.report.pool_passage import PoolPassage
from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.thinkers.extractive.answers import expected
from deepresearch_mcp.thinkers.extractive.joined import joined
from deepresearch_mcp.thinkers.extractive.terms import (
    asked,
    kind_names,
    names,
    names_and_owners,
    names_kind,
    pairs,
    weight,
)

_CODE = 1.5
"""How many times the weight of the rarest word an identifier has that the question names."""
_ROOT = 6
"""Letters that make two words kin: `concurrent` and `concurrency`."""
_SHORT_ROOT = 4
_KIN = 0.7
_LEAST_HELD = 0.5
"""The share of what is asked that a passage with its headings must hold."""
_LEAST_OF_FEW = 0.65
"""The same for a question of few words, of which each counts."""
_FEW = 3
_TWO = 2
_IDENTIFIER = re.compile(r"\w[._]\w|\(\)")
_CHANGES = re.compile(
    r"\b(?:new in|changed?|changes|added|introduced|deprecated|removed|since when|release)\b", re.IGNORECASE
)
_HOW = re.compile(r"^how (?:do|does|can|could|should|would|to)\b", re.IGNORECASE)


class AskedWords:
    """What is asked, in the forms that passages are held against."""

    def __init__(
        self, question: str, subject: str, language: str, rarity: Callable[[str], float], homes: Homes
    ) -> None:
        self.question = question
        self.subject = subject
        self.language = language
        self.things = {bare_name(name) for name in (*names_and_owners(question), *([subject] if subject else []))}
        self.things = {thing for thing in self.things if homes.has_home(thing)} | {bare_name(subject)} - {""}
        # What a site is about need not be said by its passages; any other name must be.
        own = {word for thing in self.things for word in thing.split()}
        own |= {word for word in words(question) if word[0].isdigit()}
        asked_words = [word for word in asked(question, language) if word.removesuffix("'s") not in own] or list(
            asked(question, language)
        )
        self._weights = {stem(word): weight(stem(word)) * rarity(stem(word)) for word in asked_words}
        heaviest = max(self._weights.values(), default=1.0)
        self._codes = [one for one in names(question) if _IDENTIFIER.search(one)]
        self._code = _CODE * heaviest
        self._whole = sum(self._weights.values())
        self._heads = {word: word[: min(_ROOT, len(word) - 1)] for word in self._weights if len(word) >= _ROOT}
        self.of_changes = expected(question) == "date" or bool(_CHANGES.search(question))

        self.date = expected(question) == "date"
        self.how = bool(_HOW.match(question))
        self.least = (_LEAST_OF_FEW if len(asked_words) <= _FEW else _LEAST_HELD) if self._weights else 0.0
        self.short = len(asked_words) <= _TWO
        self.joined = joined(question, asked_words)
        """Stems of words that the question joins: a passage need hold only one of them."""
        self.pairs = pairs(question)
        self._kinds = kind_names(question)
        self.defines = set(self._weights) <= {stem(word) for word in own}

    def called(self, title: str) -> float:
        """How far a title is the name of what is asked for and no more, 0 to 1."""
        found = [stem(word) for word in words(title)]
        return len(self._weights) / len(found) if found and set(self._weights) <= set(found) else 0.0

    def share(self, *texts: str) -> float:
        """The share of what is asked, names apart and rare words weighing more, that texts hold together."""
        share = self.share_of({stem(word) for text in texts for word in words(text)})
        if not self._codes:
            return share
        named = sum(any(_stands(code, text) for text in texts) for code in self._codes)
        whole = self._whole + self._code * len(self._codes)
        return (share * self._whole + self._code * named) / whole

    def share_of(self, found: Collection[str]) -> float:
        """The same for stems; a word with the same root counts in part."""
        if not self._whole:
            return 1.0
        return sum(self._held(found).values()) / self._whole

    def one_of_each(self, *texts: str) -> float:
        """The same share, with only the best one of the words that the question joins counted; 0 where it joins none.

        It is no more than the share of the words that are asked of all of them.
        """
        if not self.joined:
            return 0.0
        held = self._held({stem(word) for text in texts for word in words(text)})
        joined = frozenset[str]().union(*self.joined)
        best = {max(sorted(group), key=lambda one: held.get(one, 0.0)) for group in self.joined}
        shares = [
            sum(held.get(word, 0.0) for word in some) / whole
            for some in (self._weights.keys() - (joined - best), self._weights.keys() - joined)
            if (whole := sum(self._weights[word] for word in some))
        ]
        return min(shares, default=0.0)

    def _held(self, found: Collection[str]) -> dict[str, float]:
        """The weight of each word that is held, less for one of which only the root is."""
        held: dict[str, float] = {}
        for word, heavy in self._weights.items():
            if word in found:
                held[word] = heavy
            elif (head := self._heads.get(word)) and any(_kin(head, other) for other in found):
                held[word] = _KIN * heavy
        return held

    def names_kind(self, *texts: str) -> bool:
        """Whether texts name the `with statement` that the question names; True where it names nothing like it."""
        return not self._kinds or names_kind(self._kinds, *texts)

    def is_entry(self, heading: str) -> bool:
        """Whether a heading is an entry on an identifier that the question names: `max_connections (integer)`."""
        return any(heading.partition(" ")[0] == code for code in self._codes)

    def is_about(self, one: PoolPassage, homes: frozenset[str]) -> bool:
        """Whether a passage, what stands above it, or its site names the subject."""
        thing = bare_name(self.subject)
        return thing in homes or set(thing.split()) <= set(words(f"{one.heading}\n{one.text}"))


def _stands(code: str, text: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(code)}(?!\w)", text) is not None


def _kin(head: str, word: str) -> bool:
    return word.startswith(head) or (len(word) >= _SHORT_ROOT and head.startswith(word))

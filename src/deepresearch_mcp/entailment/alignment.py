"""Alignment: decides whether one sentence carries a whole statement, by matching words in a compatible order."""

import re
from collections.abc import Sequence
from itertools import pairwise

from deepresearch_mcp.entailment.phrases import (
    CONNECTIVES,
    DENIALS,
    GOVERNORS,
    LIMITS,
    MODALS,
    PLACES,
    Token,
    Tokens,
    meant,
    tokens,
)
from deepresearch_mcp.entailment.rewording import Around, readings, wordings
from deepresearch_mcp.entailment.rules import whole_threshold, word_list

__all__ = ["TURNS", "Around", "carries"]

_HELD = MODALS | DENIALS | LIMITS | CONNECTIVES
"""Words that may not be skipped between two words of the statement."""
TURNS = DENIALS | GOVERNORS | word_list("alignment.turning")
"""Words before a statement that deny it or attribute it to others."""
_WORDS = whole_threshold("alignment.words")
"""In words. A longer statement or sentence is not tried: it is a list or a table."""
_DENIED_BEFORE = whole_threshold("alignment.denied_before")
_STEPS = whole_threshold("alignment.steps")
"""The most positions tried for a statement's words; one without repetitions needs about one per word."""


def carries(statement: str, sentence: str, around: Around | None = None) -> bool:
    """Return whether one sentence says all of a statement, as far as a comparison of words can tell.

    The sentence must hold every meaningful word or an inflection of it, and every number beside the same things. No
    qualifier, modal verb, denial, bound or preposition may be added, lost or changed, and who did what to whom must
    stay the same. A passive carries its active, "A is the B" carries "The B is A", and an opening phrase may move to
    the end. The surroundings supply only names: what "it" is, or "of the bridge" below a heading that names the bridge.
    """
    known = around or Around()
    said, given = tokens(statement), tokens(sentence)
    if not _stand(said, (given, *map(tokens, (known.before, *known.headings)))):
        return False
    if not given or max(len(said), len(given)) > _WORDS or _asks(sentence) != _asks(statement):
        return False
    # The meaning of "it" in a statement is unknown here.
    if not _persons(said) <= _persons(given) or not _of_one_time(said, given):
        return False
    given_ways = list(readings(given, sentence, known))
    return any(_Match(wording, way).found() for wording in wordings(said, known) for way in given_ways)


_PERSONS = word_list("alignment.persons")


def _persons(found: Tokens) -> set[str]:
    return {one.key for one in found if one.key in _PERSONS}


_NOW, _THEN = word_list("alignment.now"), word_list("alignment.then")
_TELLING = word_list("alignment.telling")
_SUPPOSING = word_list("alignment.supposing")


def _of_one_time(said: Tokens, given: Tokens) -> bool:
    """Return whether both texts agree on present, past and what is only supposed."""
    own, other = {one.key for one in said}, {one.key for one in given}
    if (own & _NOW and other & _THEN and not other & _NOW) or (own & _THEN and other & _NOW and not other & _THEN):
        return False
    return given[0].key not in _SUPPOSING or said[0].key == given[0].key


def _told(said: Tokens) -> bool:
    """Return whether a statement reports an event: it stays true without a phrase, unlike a general statement."""
    if any(one.key in _TELLING for one in said):
        return True
    if any(one.key in _NOW and other.key in {"a", "an"} for one, other in pairwise(said)):
        # A canal in a county is a canal, so the phrase may go.
        return True
    return any(
        one.verbal and not one.shown.endswith("ing") and not (at and said[at - 1].key in _NOW)
        for at, one in enumerate(said)
    )


def _stand(said: Tokens, given: Sequence[Tokens]) -> bool:
    """Return whether a statement has meaningful words and `given` holds each of them."""
    held = {one.key for found in given for one in found}
    held |= {key[:4] for key in held if _DAY.fullmatch(key)}
    return bool(meant(said)) and all(one.key in held for one in meant(said))


def _asks(text: str) -> bool:
    return text.rstrip(" \"'”’)*_").endswith("?")


_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")


def _parts(one: Token) -> bool:
    return one.kind in {"break", "rel"}


def _governs(one: Token) -> bool:
    return one.kind == "word" and (one.key in GOVERNORS or one.shown in GOVERNORS)


def _counts(one: Token) -> bool:
    return one.key[:1].isdigit()


class _Match:
    """Matches the words of a statement to a sentence, in order."""

    def __init__(self, said: Tokens, given: Tokens) -> None:
        self._said, self._given = said, given
        self._wanted = [at for at, one in enumerate(said) if one.kind == "word"]
        self._places: dict[str, list[int]] = {}
        for at, one in enumerate(given):
            if one.kind == "word":
                self._places.setdefault(one.key, []).append(at)
                if _DAY.fullmatch(one.key):
                    # An event on a day is also an event in its year.
                    self._places.setdefault(one.key[:4], []).append(at)
        self._steps = 0

    def found(self) -> bool:
        if any(self._said[at].key not in self._places for at in self._wanted):
            return False
        return self._lay(0, [])

    def _lay(self, number: int, laid: list[int]) -> bool:
        if number == len(self._wanted):
            return self._ends(laid)
        mine = self._wanted[number]
        for place in self._places[self._said[mine].key]:
            if laid and place <= laid[-1]:
                continue
            self._steps += 1
            if self._steps > _STEPS:
                return False
            if self._fits(mine, place) and (self._opens(place) if not laid else self._follows(number, laid[-1], place)):
                laid.append(place)
                if self._lay(number + 1, laid):
                    return True
                laid.pop()
        return False

    def _fits(self, mine: int, place: int) -> bool:
        """Return whether a word has the same preposition and the same voice in both texts."""
        own, other = self._said[mine], self._given[place]
        if own.first and own.marker != other.marker and not {own.marker, other.marker} <= PLACES:
            return False
        if (other.first and other.marker and not own.first) or self._to_come(self._given, place) != self._to_come(
            self._said, mine
        ):
            return False
        if own.verbal and other.verbal and self._passive(self._said, mine) != self._passive(self._given, place):
            after = self._given[place + 1].key if place + 1 < len(self._given) else ""
            # "The museum, founded in 1900" means that it was founded.
            set_apart = after == "by" or (place > 0 and self._given[place - 1].kind == "break")
            return set_apart and not self._passive(self._given, place)
        return own.owner == other.owner or own.verbal

    def _passive(self, found: Tokens, at: int) -> bool:
        before = [one for one in found[max(0, at - _DENIED_BEFORE) : at] if not one.adverb and one.key not in DENIALS]
        return bool(before) and before[-1].kind == "be"

    def _to_come(self, found: Tokens, at: int) -> bool:
        """Return whether a word follows "to be": the text does not say that it has happened."""
        before = at - 1
        while before >= 0 and (found[before].kind in {"be", "aux", "light"} or found[before].adverb):
            before -= 1
        return 0 <= before < at - 1 and found[before].key == "to"

    def _opens(self, place: int) -> bool:
        """Return whether the first word opens a clause as its subject."""
        given = self._given
        for at in range(place - 1, -1, -1):
            one = given[at]
            if _parts(one) or one.key in CONNECTIVES:
                break
            if one.kind == "word" and (one.run != given[place].run or one.verbal or not self._passable(one, at)):
                return False
        return not any(_governs(one) for one in given[:place])

    def _follows(self, number: int, last: int, place: int) -> bool:
        """Return whether the words between two matched words may be skipped."""
        given, coming = self._given, self._given[place]
        gap = given[last + 1 : place]
        if any(_governs(one) for one in gap) or not self._tail(last, place):
            return False
        cut = max((at for at, one in enumerate(gap) if _parts(one)), default=-1)
        own = self._said[self._wanted[number]]
        led = any(one.kind == "prep" for one in gap) and bool(coming.marker) and not coming.verbal
        if led and own.marker != coming.marker and not {own.marker, coming.marker} <= PLACES:
            return False
        # In "whom Ann met, who sang", the second clause no longer refers to the first word.
        related = next((at for at, one in enumerate(gap) if one.kind == "rel"), 0)
        if any(one.kind == "word" for one in gap[:related]):
            return False
        size = given[place - 2].run if place > 1 and _counts(coming) and given[place - 1].key == "of" else 0
        for at, one in enumerate(gap[cut + 1 :], last + cut + 2):
            if one.kind != "word" or one.adverb:
                continue
            # After a break, no other subject may follow. Without one, only phrases with a preposition, words before a
            # noun and the verb that the subject had before may be skipped.
            beside = one.run in {coming.run, given[last].run} or one.marker or (one.run == size and not _counts(one))
            if cut >= 0 or not beside or not self._passable(one, at):
                return False
        return self._joined(number, gap)

    def _passable(self, one: Token, at: int) -> bool:
        """Return whether a word may be skipped on the way to the next one."""
        if one.key in _HELD or _ORDINAL.fullmatch(one.key):
            return False
        return not (_counts(one) and at + 1 < len(self._given) and _counts(self._given[at + 1]))

    def _joined(self, number: int, gap: Tokens) -> bool:
        """Return whether words that are joined in the statement are not spread over two things in the sentence."""
        before, here = self._wanted[number - 1], self._wanted[number]
        own = self._said[before + 1 : here]
        if any(one.kind in {"be", "aux"} for one in own) or not own:
            aside = len(gap) > 1 and gap[0].key == gap[-1].key == ","
            tied = own or aside or {self._said[before].key, self._said[here].key} & CONNECTIVES
            return bool(tied) or not any(one.kind in {"break", "rel"} for one in gap)
        return True

    def _tail(self, last: int, place: int) -> bool:
        """Return whether a run of words may end here: "the bridge keeper" is not a bridge."""
        here = self._given[last]
        if here.key == "than":
            return True
        for at, one in enumerate(self._given[last + 1 :], last + 1):
            if one.kind == "light":
                continue
            if one.kind != "word" or one.run != here.run or at == place:
                return True
            if not one.adverb:
                coming = self._given[place].run if place < len(self._given) else 0
                return one.verbal and not here.verbal and not one.shown.endswith("ing") and coming != here.run
        return True

    def _ends(self, laid: Sequence[int]) -> bool:
        """Return whether no skipped or later word changes what is said."""
        given, taken = self._given, set(laid)
        if not self._tail(laid[-1], len(given)):
            return False
        following = given[laid[-1] + 1].key if laid[-1] + 1 < len(given) else ""
        if following in _RESTRICTING and not _told(self._said):
            return False
        clauses = {given[at].clause for at in laid}
        for at, one in enumerate(given):
            if one.key == "or" and at - 1 in taken and not any(two.key == "or" for two in self._said):
                return False
            if one.kind != "word" or at in taken:
                continue
            if one.key in _CONDITIONS or (one.key in LIMITS | DENIALS and one.clause in clauses and at < laid[0]):
                return False
            if at > laid[-1] and one.clause == given[laid[-1]].clause and one.key in _AFTER:
                return False
        return True


_CONDITIONS = word_list("alignment.conditions")
_RESTRICTING = word_list("alignment.restricting")
"""Words after a general statement that restrict it to some cases or places."""
_AFTER = word_list("alignment.after")

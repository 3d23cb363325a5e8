"""Generates the word orders in which a sentence says the same, and the possible meanings of its "it"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from deepresearch_mcp.entailment.phrases import CONNECTIVES, PLACES, Token, Tokens, meant, settled, tokens
from deepresearch_mcp.entailment.rules import whole_threshold, word_list

_OPENING = re.compile(rf"^\W*(?:{'|'.join(sorted(word_list('rewording.pronouns')))})\b", re.IGNORECASE)
_POSSESSIVES = word_list("rewording.possessives")
_SITE = re.compile(r"\s+[|–—›:·-]\s+|\s*[›|]\s*|:\s")
_NUMBERED = re.compile(r"^[\d.]+\s+")


@dataclass(frozen=True, slots=True)
class Around:
    """The text that a sentence may refer back to."""

    before: str = ""
    """The sentence before it."""
    headings: tuple[str, ...] = ()
    """The page's title and the headings above the sentence."""


def wordings(said: Tokens, known: Around) -> Iterator[Tokens]:
    """Yield a statement in equivalent word orders, also without a name that a heading already gives."""
    for wording in moved(said):
        yield wording
        for names in _named(known):
            if bare := _without(wording, names):
                yield bare


def moved(said: Tokens) -> Iterator[Tokens]:
    """Yield the words unchanged, and in the other orders that say the same."""
    yield said
    for one in (_fronted_last(said), _turned(said), _active(said)):
        if one:
            yield one
    if (late := _last_earlier(said)) is not None:
        yield late
    front = _fronted_last(said)
    if front:
        for one in (_turned(front), _active(front)):
            if one:
                yield one


def readings(given: Tokens, sentence: str, known: Around) -> Iterator[Tokens]:
    """Yield a sentence in equivalent word orders, also with the possible meanings of its first pronoun."""
    for one in (given, _fronted_last(given), _active(given)):
        if one:
            yield one
    front = _fronted_last(given)
    if front and (one := _active(front)):
        yield one
    if not _OPENING.match(sentence):
        return
    first = next((at for at, token in enumerate(given) if token.kind == "det"), None)
    if first is None:
        return
    owned = given[first].key in _POSSESSIVES
    for names in (*_still_named(known), *_subjects(known.before)):
        put = (*names[:-1], _owning(names[-1])) if owned else names
        reading = settled((*given[:first], *put, *given[first + 1 :]))
        yield reading
        if owned:
            # "The bridge's towers" are the towers of the bridge.
            run = _run_end(given, first + 1)
            if run > first + 1:
                of = Token("of", "of", "prep")
                yield settled((*given[:first], *given[first + 1 : run], of, *names, *given[run:]))
        elif (active := _active(reading)) is not None:
            yield active


def _owning(token: Token) -> Token:
    return Token(token.key, token.shown, "word", owner=True)


def _named(known: Around) -> Iterator[Tokens]:
    """Yield the names in the title and the headings."""
    seen: set[tuple[str, ...]] = set()
    for heading in known.headings:
        for part in (heading, *_SITE.split(heading)):
            words = tuple(meant(tokens(_NUMBERED.sub("", part))))
            keys = tuple(one.key for one in words)
            if words and len(words) <= _LONGEST_NAME and keys not in seen:
                seen.add(keys)
                yield words


_LONGEST_NAME = whole_threshold("rewording.longest_name")


def _still_named(known: Around) -> Iterator[Tokens]:
    """Yield the headings' names, unless the sentence before has turned to another subject."""
    opening = {one.key for one in meant(tokens(known.before)[:_OPENING_WORDS])}
    for names in _named(known):
        if not opening or _OPENING.match(known.before) or {one.key for one in names} <= opening:
            yield names


_OPENING_WORDS = whole_threshold("rewording.opening")


def _subjects(before: str) -> Iterator[Tokens]:
    """Yield the subject of the sentence before: its first words, up to its verb."""
    found = tokens(before)
    names: list[Token] = []
    for at, token in enumerate(found[:12]):
        if token.kind == "word" and not (names and token.verbal):
            names.append(token)
            continue
        if token.kind in {"det", "light"} and not names:
            continue
        if names and (token.kind in {"be", "aux"} or (token.kind == "word" and token.verbal)) and at:
            yield tuple(names)
        return


def _run_end(found: Tokens, start: int) -> int:
    at = start
    while at < len(found) and found[at].kind == "word" and not found[at].verbal:
        at += 1
    return at


def _phrase_end(found: Tokens, start: int) -> int:
    """Return where a prepositional phrase ends: at a break, a verb or another noun's article."""
    at, met = start + 1, False
    while at < len(found):
        token = found[at]
        if token.kind in {"break", "rel", "be", "aux"} or (token.kind == "det" and met):
            break
        if token.kind == "prep" and token.key != "of":
            break
        if token.kind == "prep":
            met = False
        if met and _YEAR.fullmatch(found[at - 1].key) and found[start].key in _WHEN:
            break
        if token.kind == "word":
            if token.key in CONNECTIVES:
                break
            met = True
        at += 1
    return at


_YEAR = re.compile(r"1\d{3}|20\d\d")
_WHEN = word_list("rewording.when")


def _fronted_last(found: Tokens) -> Tokens | None:
    """Turn "In 1974 the deck was replaced" into "The deck was replaced in 1974"."""
    if not found or found[0].kind != "prep":
        return None
    end = _phrase_end(found, 0)
    rest = found[end + 1 :] if end < len(found) and found[end].key == "," else found[end:]
    stop = next((at for at, one in enumerate(rest) if one.kind == "break" or one.key in CONNECTIVES), len(rest))
    return settled((*rest[:stop], *found[:end], *rest[stop:])) if stop else None


def _last_earlier(found: Tokens) -> Tokens | None:
    """Swap the last two prepositional phrases of a sentence."""
    heads = [at for at, one in enumerate(found) if one.kind == "prep" and one.key != "of"]
    if len(heads) < 2:
        return None
    first, second = heads[-2:]
    if _phrase_end(found, first) != second:
        return None
    end = _phrase_end(found, second)
    return settled((*found[:first], *found[second:end], *found[first:second], *found[end:]))


def _turned(found: Tokens) -> Tokens | None:
    """Turn "A is the B" into "The B is A"."""
    at = next((at for at, one in enumerate(found) if one.kind == "be"), 0)
    left, right = found[:at], found[at + 1 :]
    if not at or not right or any(one.kind in {"break", "rel", "aux"} for one in found):
        return None
    if left[0].key != "the" and right[0].key != "the":
        return None
    if right[0].kind == "word" and right[0].verbal:
        return None
    return settled((*right, found[at], *left))


def _active(found: Tokens) -> Tokens | None:
    """Turn "A was built by B" into "B built A"."""
    for at, one in enumerate(found[:-2]):
        if one.kind != "be":
            continue
        within = range(at + 1, min(at + _DOER_WITHIN, len(found)))
        by = next((n for n in within if found[n].key == "by" or found[n].kind == "break"), 0)
        if not by or found[by].key != "by" or not any(two.verbal for two in found[at + 1 : by]):
            continue
        end = _phrase_end(found, by)
        doer = found[by + 1 : end]
        if not doer or doer[0].shown.endswith("ing") or any(two.key[:1].isdigit() for two in doer):
            continue
        start = next((n + 1 for n in range(at - 1, -1, -1) if found[n].kind in {"break", "rel"}), 0)
        done = [two for two in found[start:at] if two.kind not in {"aux", "be"}]
        act = [two for two in found[at + 1 : by] if two.kind != "be"]
        return settled((*found[:start], *doer, *act, _THE, *done, *found[end:]))
    return None


_DOER_WITHIN = whole_threshold("rewording.doer_within")
_THE = Token("the", "the", "det")


def _without(said: Tokens, names: Tokens) -> Tokens | None:
    """Drop "of the bridge" from a statement if a heading names the bridge."""
    keys = {one.key for one in names}
    for at, one in enumerate(said):
        if one.kind != "prep" or one.key not in PLACES:
            continue
        end = at + 1
        while end < len(said) and (said[end].kind == "det" or (said[end].kind == "word" and said[end].key in keys)):
            end += 1
        if {two.key for two in said[at + 1 : end] if two.kind == "word"} == keys and end - at > 1:
            rest = (*said[:at], *said[end:])
            return settled(rest[1:] if rest and rest[0].key == "," else rest)
    return None

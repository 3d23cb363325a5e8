"""Extracts JSON from a model's answer, whatever else the answer contains."""

import json
import re
from collections.abc import Generator
from operator import itemgetter
from typing import cast

_THOUGHT_MARK = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z0-9]*\s*\n?(.*?)```", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder(strict=False)

_STARTS = 100
"""Brackets tried as the beginning of JSON; it limits the work, not the length."""

_UNCLOSED = 20
"""Open brackets above which the model was looping; repair would take quadratic time."""


def strip_thinking(text: str) -> str:
    """Remove a reasoning model's thinking. Unclosed thinking extends to the end of the text."""
    kept: list[str] = []
    thinking, at = False, 0
    for mark in _THOUGHT_MARK.finditer(text):
        if not mark.group(1):
            if not thinking:
                kept.append(text[at : mark.start()])
            thinking = True
            continue
        if not thinking:
            # Some chat templates drop the opening mark: all text before the closing mark is thinking.
            kept.clear()
        thinking, at = False, mark.end()
    if not thinking:
        kept.append(text[at:])
    return "".join(kept).strip()


def strip_fence(text: str) -> str:
    """Remove a code fence around the whole text."""
    found = re.fullmatch(r"\s*```[a-zA-Z0-9]*[ \t]*\n(.*?)\n?```\s*", text, re.DOTALL)
    return found.group(1) if found and "```" not in found.group(1) else text


def extract_json(text: str) -> object:
    """Return the JSON value in the text, repaired if necessary.

    Several values in one text are returned as a list.

    Raises:
        ValueError: The text contains nothing that can be read as JSON.
    """
    try:
        return _exact(text, strict=True)
    except ValueError:
        bare = strip_thinking(text) or _THOUGHT_MARK.sub("", text)
    value = _repaired(bare)
    if value == "":
        raise ValueError("there is no JSON in the answer")
    return value


def is_json(text: str) -> bool:
    """Return whether the whole text is valid JSON."""
    try:
        _exact(text)
    except ValueError:
        return False
    return True


def json_candidates(text: str) -> Generator[object]:
    """Yield the possible JSON values of the text, the most likely first."""
    bare = strip_thinking(text) or _THOUGHT_MARK.sub("", text)
    for whole in (text, bare):
        try:
            yield _exact(whole)
        except ValueError:
            continue
        return
    for found in reversed(_FENCE.findall(bare)):
        try:
            yield _exact(found)
        except ValueError:
            continue
    yield from (value for _, value in sorted(_embedded(bare), key=itemgetter(0), reverse=True))
    if (value := _repaired(bare)) != "":
        yield value


def _exact(text: str, *, strict: bool = False) -> object:
    try:
        return json.loads(text.strip(), strict=strict)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _embedded(text: str) -> list[tuple[int, object]]:
    """Return the complete objects and lists in the text, each with its length."""
    found: list[tuple[int, object]] = []
    at, starts = 0, 0
    while starts < _STARTS and (opening := _OPENING.search(text, at)):
        starts += 1
        try:
            value, at = _DECODER.raw_decode(text, opening.start())
            found.append((at - opening.start(), value))
        except (ValueError, RecursionError):
            at = opening.start() + 1
    return found


def _repaired(text: str) -> object:
    import json_repair

    unclosed = sum(text.count(mark) for mark in "{[") - sum(text.count(mark) for mark in "}]")
    if unclosed > _UNCLOSED:
        raise ValueError("the JSON in the answer never ends")
    try:
        return cast("object", json_repair.loads(text))
    except (RecursionError, ValueError) as error:
        raise ValueError("the JSON in the answer cannot be repaired") from error

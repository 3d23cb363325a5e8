"""The shapes and plain forms of a judge's answers about reports and runs."""

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError, WithJsonSchema

from deepresearch_mcp.thinkers.prompted.answers import Answer, Words


def _mark(value: object) -> object:
    # "8/10" is a mark too. One that cannot be read fails the answer: a mark that was not given is worse than none.
    found = re.search(r"\d+(?:\.\d+)?", str(value))
    return min(10.0, float(found.group())) if found else value


Tenth = Annotated[
    float, BeforeValidator(_mark), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 10}), Field(ge=0, le=10)
]
Whether = Annotated[Words, WithJsonSchema({"type": "string", "enum": ["yes", "partly", "no"]})]
_MARKED = ("comprehensiveness", "insight", "instructions", "readability", "trust")
_RUN = ("complete", "founded", "clear", "searching", "sources", "checking")


class KeyAnswer(Answer):
    """Whether the reports hold one key."""

    key: Words = Field(default="", validation_alias="key_id")
    a: Whether = ""
    b: Whether = ""


class KeysAnswer(Answer):
    """See prompts/find_keys.md."""

    keys: list[KeyAnswer]


class DeliverableAnswer(Answer):
    """Whether the reports answer one deliverable."""

    deliverable: Words = Field(default="", validation_alias="deliverable_id")
    a: Whether = ""
    b: Whether = ""


class MarksAnswer(Answer):
    """The marks of one report."""

    comprehensiveness: Tenth
    insight: Tenth
    instructions: Tenth
    readability: Tenth
    trust: Tenth


class WeighAnswer(Answer):
    """See prompts/weigh_reports.md."""

    deliverables: list[DeliverableAnswer] = Field(default=[])
    a: MarksAnswer
    b: MarksAnswer | None = None
    preferred: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["A", "B", "neither"]})] = ""
    why: Words = ""
    lacks: Words = ""


class RunMarksAnswer(Answer):
    """See prompts/mark_run.md."""

    complete: Tenth
    founded: Tenth
    clear: Tenth
    searching: Tenth
    sources: Tenth
    checking: Tenth
    why: Words = ""


def keys(text: str) -> KeysAnswer | None:
    """`k1 | yes | no`, a line for each key."""
    found = [
        KeyAnswer(key=row[0], a=row[1], b="".join(row[2:3])) for row in _rows(text) if re.match(r"\W*k?\d", row[0])
    ]
    return KeysAnswer(keys=found) if found else None


def weighing(text: str) -> WeighAnswer | None:
    """`d1 | yes | no`, `A | 7 | 6 | 8 | 7 | 9` (the same for B), `preferred | A`, `why | …`, `lacks | …`."""
    delivered: list[DeliverableAnswer] = []
    said: dict[str, list[str]] = {}
    for first, *rest in _rows(text):
        if re.fullmatch(r"\W*d\d+\W*", first, re.IGNORECASE):
            delivered.append(DeliverableAnswer(deliverable=first, a=rest[0], b="".join(rest[1:2])))
        else:
            said.setdefault(first.lower().strip("*_: "), rest)
    try:
        return WeighAnswer.model_validate(
            {
                "deliverables": delivered,
                "a": _named(_MARKED, said.get("a", [])),
                "b": _named(_MARKED, said["b"]) if "b" in said else None,
                **{name: " ".join(said.get(name, [])) for name in ("preferred", "why", "lacks")},
            }
        )
    except ValidationError:
        return None


def run_marks(text: str) -> RunMarksAnswer | None:
    """`complete | 7` and so on for each mark, and `why | …`."""
    said = {first.lower().strip("*_: "): " ".join(rest) for first, *rest in _rows(text)}
    try:
        return RunMarksAnswer.model_validate({name: said[name] for name in (*_RUN, "why") if name in said})
    except ValidationError:
        return None


def _named(names: tuple[str, ...], values: list[str]) -> dict[str, str]:
    return dict(zip(names, values, strict=False))


def _rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        row = [part.strip() for part in line.split("|")]
        if len(row) > 1:
            yield row

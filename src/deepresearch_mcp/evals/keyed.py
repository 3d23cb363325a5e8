"""Reads questions, with answer keys and other systems' reports where there are any."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.judging import KeyedQuestion

KEYS = "keys.json"


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question to be researched."""

    name: str
    """The name of its folder, or its number."""
    asked: KeyedQuestion
    report: str = ""
    """Another system's report on it."""


def questions_at(place: Path, report: str = "") -> list[AskedQuestion]:
    """Read questions from a folder, a JSON file or a text file with a question a line.

    A folder holds `keys.json`, or folders that do. A JSON file holds one question, or a list of them, each an object
    with `question`, and if known `deliverables` and `keys` (`id`, `weight`, `kind`, `fact`).

    Args:
        place: The file or folder.
        report: The name of the file beside each `keys.json` that holds another system's report; "": none is wanted.

    Raises:
        InvalidRequest: Something is missing or has another form.
    """
    if not place.exists():
        raise InvalidRequest(f"There is no {place}.", "Name with --questions a file or a folder that is there.")
    files = _files(place)
    found = [one for file in files for one in _questions(file, alone=len(files) == 1 and place.is_file())]
    if not found:
        raise InvalidRequest(
            f"There is no question in {place}.", f"Write one a line, or a folder with a {KEYS} for each."
        )
    if not report:
        return found
    if any(file.name != KEYS for file in files):
        raise InvalidRequest(
            f"The reports {report} have to stand beside a {KEYS}, a folder a question.",
            "Name with --questions the folder that holds these folders.",
        )
    return [
        AskedQuestion(one.name, one.asked, _text(file.parent / report)) for one, file in zip(found, files, strict=True)
    ]


def _files(place: Path) -> list[Path]:
    if place.is_file():
        return [place]
    own = place / KEYS
    return [own] if own.is_file() else sorted(place.glob(f"*/{KEYS}"))


def _questions(file: Path, *, alone: bool) -> Iterator[AskedQuestion]:
    text = _text(file)
    if file.suffix.lower() != ".json":
        lines = [line.strip() for line in text.splitlines()]
        asked = [line for line in lines if line and not line.startswith("#")]
        yield from (AskedQuestion(str(n), KeyedQuestion(question=line)) for n, line in enumerate(asked, 1))
        return
    try:
        given: Any = json.loads(text)
        many = cast("list[Any]", given) if isinstance(given, list) else [given]
        found = [KeyedQuestion.model_validate(one) for one in many]
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "question"
        raise InvalidRequest(
            f"{file.name}: {where}: {first['msg']}.",
            "Each question is an object with question, deliverables, and keys with id, weight, kind, fact.",
        ) from error
    except ValueError as error:
        raise InvalidRequest(f"{file} is not JSON.", "Correct it, or name another file.") from error
    names = [file.parent.name] if file.name == KEYS and not isinstance(given, list) else None
    for number, one in enumerate(found, 1):
        _different(one, file)
        yield AskedQuestion(names[0] if names else file.stem if alone and len(found) == 1 else str(number), one)


def _different(one: KeyedQuestion, file: Path) -> None:
    ids = [key.id for key in one.keys]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise InvalidRequest(f"{file.name}: two keys have the id {twice}.", "Give each key an id of its own.")


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise InvalidRequest(
            f"{file} cannot be read: {(error.strerror or type(error).__name__).lower()}.",
            "Every question needs its own, or leave --reports out.",
        ) from error

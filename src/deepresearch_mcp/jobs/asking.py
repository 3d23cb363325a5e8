"""Validates the arguments of a call; reports the first fault in one sentence."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.consent import Decision, Reply
from deepresearch_mcp.records.places import LANGUAGES, REGIONS
from deepresearch_mcp.records.request import Filters, Limits, ResearchRequest
from deepresearch_mcp.settings.defaults import DefaultSettings

T = TypeVar("T", bound=BaseModel)

_NO_DEFAULTS = DefaultSettings()
_SHOWN = 60
"""Most characters of a wrong value that its error repeats."""
_NAMED = 5
"""Most wrong arguments that are named beside the first."""


def checked_request(
    arguments: Mapping[str, Any], *, asks: bool = False, defaults: DefaultSettings = _NO_DEFAULTS
) -> ResearchRequest:
    """Validate the arguments of a research. Arguments that are None count as missing.

    Args:
        arguments: As for the tool `deep_research`.
        defaults: Stand in for what is missing. Every surface passes those of its settings.
        asks: Whether the surface can show its user questions. Only the surface sets this; it is not an argument, and
            neither is `fresh`, which `Jobs.start_or_join` takes.

    Raises:
        InvalidRequest: Describes the first fault in one sentence.
    """
    for name in ("asks", "fresh"):
        if name in arguments:
            raise InvalidRequest(f"There is no argument {name!r}.", "Leave it out.")
    given = {name: value for name, value in arguments.items() if value is not None}
    request = _made(ResearchRequest, {**defaults.under(given), "asks": asks})
    # Checked here, not in the record, so that stored requests stay readable.
    if not _asks(request.question):
        raise InvalidRequest(
            f"The question is {request.question[:_SHOWN]!r}, in which there is no word to search for.",
            "Say in a word or more what you want to find out.",
        )
    return request.model_copy(update={"language": _language(request.language), "region": _region(request.region)})


def with_freshness(request: AnyRequest, *, fresh: bool) -> AnyRequest:
    """Note in a research's request whether engines must be asked anew; a check asks none."""
    return request.model_copy(update={"fresh": fresh}) if isinstance(request, ResearchRequest) else request


def filters_of(arguments: Mapping[str, Any]) -> Filters:
    """Validate the filters of a search: domains, dates, language, region."""
    filters = _made(Filters, arguments)
    return filters.model_copy(update={"language": _language(filters.language), "region": _region(filters.region)})


def _asks(question: str) -> bool:
    """Return whether a text holds a word. One letter is not a word, except in scripts where one character can be."""
    signs = [char for char in question if unicodedata.category(char)[0] in "LN"]
    return bool(signs) and (len(question) > 1 or unicodedata.category(signs[0]) == "Lo")


_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}|[-_][A-Za-z0-9](?:[-_][A-Za-z0-9]{2,8})+)*")
"""A BCP 47 language tag whose language has two or three letters; no registered language has a longer code."""


def _language(given: str) -> str:
    language = given.strip()
    main = re.split("[-_]", language, maxsplit=1)[0].lower()
    if language and (not _TAG.fullmatch(language) or (len(main) == 2 and main not in LANGUAGES)):
        raise InvalidRequest(
            f"language: {language!r} is not a language tag.", "Write it as de, pt-BR or zh-Hant, or leave it out."
        )
    return language


def _region(given: str) -> str:
    region = given.strip()
    if region and region.lower() not in REGIONS:
        raise InvalidRequest(
            f"region: {region!r} is no country.", "Write its code of two letters, like de or us, or leave it out."
        )
    return region


def check_of(arguments: Mapping[str, Any]) -> CheckRequest:
    """Validate the arguments of a citation check."""
    return _made(CheckRequest, arguments)


def limits_of(arguments: Mapping[str, Any]) -> Limits:
    """Validate the ceilings with which a run is resumed."""
    return _made(Limits, arguments)


def reply_of(
    *,
    approve: bool | None = None,
    note: str | None = None,
    sub_questions: Sequence[str] | None = None,
    answers: Sequence[str] | None = None,
    **ceilings: float | None,
) -> Reply:
    """Validate a user's reply to a waiting run. Without `approve`, it is a change or holds only answers."""
    given = {"note": note, "sub_questions": sub_questions, "answers": answers, "limits": limits_of(ceilings)}
    if approve is None and not (note or sub_questions or any(answers or ()) or any(ceilings.values())):
        raise InvalidRequest(
            "Nothing was said.", "Give approve=true or false, or what is to change: note, sub_questions, answers."
        )
    return _made(Reply, given | {"decision": _DECISIONS[approve]})


_DECISIONS: Mapping[bool | None, Decision] = {True: "approve", False: "decline", None: "change"}


def _made(kind: type[T], arguments: Mapping[str, Any]) -> T:
    try:
        return kind.model_validate({name: value for name, value in arguments.items() if value is not None})
    except ValidationError as error:
        raise wrong_argument(error) from error


def wrong_argument(error: ValidationError) -> InvalidRequest:
    """Describe the first wrong argument in one sentence, name the others, and give the remedy."""
    names = [_name(one["loc"]) for one in error.errors(include_url=False, include_context=False, include_input=False)]
    others = [name for name in dict.fromkeys(names) if name and name != names[0]]
    more = f" Also wrong: {', '.join(others[:_NAMED])}{', …' if len(others) > _NAMED else ''}." if others else ""
    return InvalidRequest(f"{_sentence(error)}{more}", f"Correct {'them' if more else 'it'} and ask again.")


def _name(place: Sequence[int | str]) -> str:
    """An argument's; empty for the request as a whole."""
    return ".".join(str(part)[:_SHOWN] for part in place if not isinstance(part, int))


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    name = _name(first["loc"])
    said = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        return f"There is no argument {name!r}."
    if first["type"] == "missing":
        return f"The argument {name!r} is missing."
    if first["type"] == "value_error":
        return _as_sentence(said) if not name or said.startswith(f"the {name} ") else f"{name}: {said}."
    given = repr(first["input"])
    shown = given if len(given) <= _SHOWN else f"{given[: _SHOWN - 1]}…"
    if str(first["type"]).startswith("date_"):
        return f"{name}: a day is written as 2026-01-31, not {shown}."
    return f"{name or 'The request'}: {said[0].lower()}{said[1:]}, not {shown}."


def _as_sentence(said: str) -> str:
    # An argument's name stays in lower case, even at the beginning.
    first_word = said.split(" ", 1)[0]
    return f"{said[0].upper()}{said[1:]}." if first_word.isalpha() else f"{said}."

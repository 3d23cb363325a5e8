"""Brave's codes of countries and languages, which You.com shares. Both refuse others, so those are left out."""

from typing import Final

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.search.limits import country_code, language_code

_COUNTRIES: Final = frozenset(
    [
        "ar",
        "at",
        "au",
        "be",
        "br",
        "ca",
        "ch",
        "cl",
        "cn",
        "de",
        "dk",
        "es",
        "fi",
        "fr",
        "gb",
        "gr",
        "hk",
        "id",
        "in",
        "it",
        "jp",
        "kr",
        "mx",
        "my",
        "nl",
        "no",
        "nz",
        "ph",
        "pl",
        "pt",
        "ru",
        "sa",
        "se",
        "tr",
        "tw",
        "us",
        "za",
    ]
)
_SAME: Final = (
    "ar bg bn ca cs da de en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv "
    "ta te th tr uk vi"
)
_LANGUAGES: Final = {code: code for code in _SAME.split()} | {
    "ja": "jp",
    "no": "nb",
    "pt": "pt-pt",
    "zh": "zh-hans",
}
"""ISO 639-1 to the engines' own codes."""


def brave_country(filters: Filters) -> str:
    """Return the requested country in capitals; "" if there is none or the engines do not know it."""
    country = country_code(filters)
    return country.upper() if country in _COUNTRIES else ""


def brave_language(filters: Filters) -> str:
    """Return the engines' code of the requested language; "" if there is none or they do not know it."""
    if language_code(filters) == "pt" and country_code(filters) == "br":
        return "pt-br"
    return _LANGUAGES.get(language_code(filters), "")

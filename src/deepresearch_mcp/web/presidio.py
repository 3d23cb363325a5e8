"""Finds personal data with Presidio (the extra `presidio`), on this machine: nothing is downloaded and nothing sent.

Its recognisers by pattern and checksum always work. Names and places are found where a spaCy model is installed.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Final

from typing_extensions import override

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.ports.masking import PersonalDataFinder
from deepresearch_mcp.settings.project import EXTRAS, adding, is_installed
from deepresearch_mcp.text.language import guess

EMAIL: Final = "EMAIL_ADDRESS"
"""Left to our own pattern: Presidio's would load the list of public suffixes from the web."""
_UNUSED = ("EmailRecognizer", "UrlRecognizer")
_KEPT = frozenset({"DATE_TIME", "URL", "LOCATION", "NRP", "ORGANIZATION", "AGE", "ID"})
"""Not masked unless they are named: without days and places there is nothing to research."""
_BY_MODEL = frozenset({"PERSON", "LOCATION", "NRP", "ORGANIZATION"})
"""What only a spaCy model finds."""
_SURE = 0.4
"""Least score: below it are patterns that any number of nine digits fits."""
_LANGUAGES = ("en", "es", "it", "pl")
"""Languages whose recognisers Presidio has and that need no package of their own."""
_SIZES = ("lg", "md", "sm", "trf")
_PIECE = 4_000
"""Characters that are looked through at once: its time grows with the square of what it finds."""

_log = logging.getLogger(__name__)


def open_presidio(entities: Sequence[str], models: Mapping[str, str] | None = None) -> "Presidio":
    """Open the finder of these entities; of all that name a person or an account if there are none.

    `models`: language → the spaCy model; None: those that are installed.

    Raises:
        SettingsError: The extra is not installed, or an entity is asked for that needs a model and there is none.
    """
    if not is_installed("presidio"):
        raise SettingsError(
            "web.redact names presidio, and the extra presidio is not installed.",
            f"Run: {adding(*EXTRAS['presidio'])}, or take presidio out of web.redact.",
        )
    models = installed_models() if models is None else models
    if not models:
        if by_model := [one for one in entities if one in _BY_MODEL]:
            raise SettingsError(
                f"web.redact names presidio:{by_model[0]}, and no spaCy model is installed that could find it.",
                "Install one, such as en_core_web_sm, in the environment of this program.",
            )
        _log.warning("No spaCy model is installed: Presidio masks numbers and identifiers, but no names.")
    return Presidio(entities, models)


def installed_models() -> dict[str, str]:
    """Language → its largest installed spaCy model that runs without a graphics card."""
    found: dict[str, str] = {}
    for name in sorted((one.name for one in entry_points(group="spacy_models")), key=_rank):
        found.setdefault(name.partition("_")[0], name)
    return found


def _rank(name: str) -> int:
    size = name.rpartition("_")[2]
    return _SIZES.index(size) if size in _SIZES else len(_SIZES)


class Presidio(PersonalDataFinder):
    """Finds entities in texts of the languages that Presidio or an installed model knows; others are read as English.

    It is loaded with the first text.
    """

    def __init__(self, entities: Sequence[str], models: Mapping[str, str]) -> None:
        self._entities = tuple(entities)
        self._models = models
        self._languages = tuple(dict.fromkeys((*_LANGUAGES, *models)))
        self._loaded: Any = None
        """Of Presidio, once it is loaded."""

    @override
    def find(self, text: str) -> Iterable[tuple[int, int]]:
        """Raises `SettingsError` if an entity is asked for that Presidio does not know."""
        if self._loaded is None:
            self._loaded = self._load()
        language = known if (known := guess(text)) in self._languages else "en"
        wanted = self._wanted(language)
        if not wanted:
            return
        for start, end in _pieces(text):
            found = self._loaded.analyze(
                text=text[start:end], language=language, entities=wanted, score_threshold=_SURE
            )
            yield from ((start + one.start, start + one.end) for one in found)

    def _wanted(self, language: str) -> list[str]:
        known = set(self._loaded.get_supported_entities(language))
        if not self._entities:
            return sorted(known - _KEPT - {EMAIL})
        return [one for one in self._entities if one in known]

    def _load(self) -> Any:  # noqa: ANN401 - Presidio is an optional package
        spacy, presidio = import_module("spacy"), import_module("presidio_analyzer")
        logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
        engine = import_module("presidio_analyzer.nlp_engine").SpacyNlpEngine(
            models=[{"lang_code": one, "model_name": self._models.get(one, "blank")} for one in self._languages]
        )
        # Set here, as its own way of loading downloads what is missing.
        engine.nlp = {
            one: spacy.load(self._models[one]) if one in self._models else spacy.blank(one) for one in self._languages
        }
        registry = presidio.RecognizerRegistry(supported_languages=list(self._languages))
        registry.load_predefined_recognizers(languages=list(self._languages), nlp_engine=engine)
        for name in _UNUSED:
            registry.remove_recognizer(name)
        analyzer = presidio.AnalyzerEngine(
            registry=registry, nlp_engine=engine, supported_languages=list(self._languages)
        )
        known = {one for language in self._languages for one in analyzer.get_supported_entities(language)} | {EMAIL}
        if unknown := [one for one in self._entities if one not in known]:
            raise SettingsError(
                f"web.redact names presidio:{unknown[0]}, which Presidio does not know.",
                f"It knows {', '.join(sorted(known))}.",
            )
        return analyzer


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of stretches that end at a line, or at a word in one that is too long."""
    start = 0
    while start < len(text):
        end = min(len(text), start + _PIECE)
        if end < len(text):
            ends = (text.rfind("\n", start, end), text.rfind(" ", start, end))
            end = next((one + 1 for one in ends if one > start), end)
        yield start, end
        start = end

"""Masks the personal data that `web.redact` names: by patterns, and by Presidio where that is named too."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

import anyio.to_thread
from typing_extensions import override

from deepresearch_mcp.ports.masking import Masker, PersonalDataFinder
from deepresearch_mcp.settings.web import PRESIDIO
from deepresearch_mcp.text.redaction import MASK, redacted

_PASSES = 4
"""How often a text is looked through at most: without the words that are masked others may look like names."""
_REMEMBERED = 20_000
"""Texts of which it is known that nothing is left to mask, by hash."""


class Masking(Masker):
    """Masks by the kinds of `text/redaction.py`, and whatever a finder finds."""

    def __init__(self, kinds: Sequence[str], finder: PersonalDataFinder | None = None) -> None:
        self._kinds = tuple(kinds)
        self._finder = finder
        self._clean: OrderedDict[bytes, None] = OrderedDict()
        self._lock = threading.Lock()

    @override
    async def masked(self, texts: Sequence[str]) -> list[str]:
        if self._finder is None:
            return [redacted(text, self._kinds) for text in texts]
        finder = self._finder
        return await anyio.to_thread.run_sync(lambda: [self._searched(text, finder) for text in texts])

    def _searched(self, text: str, finder: PersonalDataFinder) -> str:
        text = redacted(text, self._kinds)
        # A page is masked when it is read and whenever it is taken from the cache; models take seconds for long ones.
        with self._lock:
            if not text.strip() or _digest(text) in self._clean:
                return text
            for _ in range(_PASSES):
                before, text = text, _without(text, finder)
                if before == text:
                    break
            self._clean[_digest(text)] = None
            while len(self._clean) > _REMEMBERED:
                self._clean.popitem(last=False)
            return text


def masking_of(kinds: Sequence[str]) -> Masker | None:
    """Return what masks these kinds of personal data; None if there are none.

    Raises:
        SettingsError: A kind needs a package or a model that is not installed.
    """
    if not kinds:
        return None
    ours = [kind for kind in kinds if kind.partition(":")[0] != PRESIDIO]
    theirs = [kind.partition(":")[2] for kind in kinds if kind.partition(":")[0] == PRESIDIO]
    if not theirs:
        return Masking(ours)
    from deepresearch_mcp.web.presidio import EMAIL, open_presidio

    entities = () if "" in theirs else tuple(theirs)
    if not entities or EMAIL in entities:
        ours.append("email")
    return Masking(ours, open_presidio(entities))


def _without(text: str, finder: PersonalDataFinder) -> str:
    chars = list(text)
    for start, end in finder.find(text):
        # Lines and paragraphs stay what they are.
        chars[start:end] = [char if char == "\n" else MASK for char in text[start:end]]
    return "".join(chars)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()

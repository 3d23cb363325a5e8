"""The ports of masking personal data: what masks a text, and what finds personal data that has no form."""

from collections.abc import Iterable, Sequence
from typing import Protocol


class Masker(Protocol):
    """Masks personal data in all that is kept, shown or cited."""

    async def masked(self, texts: Sequence[str]) -> list[str]:
        """Return the texts, each of the same length, with personal data masked. Masking twice changes nothing."""
        ...


class PersonalDataFinder(Protocol):
    """Finds personal data that no pattern of ours knows, such as names. It may take long: it is asked in a thread."""

    def find(self, text: str) -> Iterable[tuple[int, int]]:
        """Return start and end of each stretch of personal data."""
        ...

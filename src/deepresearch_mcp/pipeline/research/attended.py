"""Settings and wrappers for a thinker that is asked in rounds: the broker has to know of all other work."""

from typing_extensions import override

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.ports.work import Broker
from deepresearch_mcp.records.sources import Document, Hit, Query
from deepresearch_mcp.settings.schema import ResearchSettings


def in_rounds(settings: ResearchSettings) -> ResearchSettings:
    """The settings, made so that a standard research needs eight rounds.

    What is read of all pages fits into one, as does all that is written; no round is spent on what another has to be
    followed by, and no reading begins before the pages are there. A section is written as a whole: calls that
    share their instructions cost no more for being few, and who sees all claims orders them better.
    """
    few = {"passages_per_page": min(2, settings.passages_per_page), "leads": 0, "critique": False}
    large = {"batch_chars": max(9_000, settings.batch_chars), "claims_per_batch": max(10, settings.claims_per_batch)}
    whole = max(16, settings.section_claims)
    brief = {"notes_tokens": min(600, settings.notes_tokens), "brief_tokens": min(2_000, settings.brief_tokens)}
    patient = {"first_pages": 1.0, "first_wait": max(4.0, settings.first_wait)}
    sections = {"section_claims": whole, "paragraph_claims": whole}
    return settings.model_copy(update={**few, **large, **sections, **brief, **patient})


class AttendedEngine(SearchEngine):
    """An engine whose searches the broker waits for, their turns and second tries included."""

    def __init__(self, engine: SearchEngine, broker: Broker) -> None:
        self._engine = engine
        self._broker = broker

    @property
    @override
    def name(self) -> str:
        """The engine's."""
        return self._engine.name

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        with self._broker.elsewhere():
            return await self._engine.search(query, needs=needs)


class AttendedWeb(Web):
    """A web whose fetches the broker waits for."""

    def __init__(self, web: Web, broker: Broker) -> None:
        self._web = web
        self._broker = broker

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        with self._broker.elsewhere():
            return await self._web.fetch(url, needs=needs)

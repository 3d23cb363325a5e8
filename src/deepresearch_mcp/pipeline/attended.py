"""What a research is like whose thinker is asked in rounds: somebody has to know whether anything else goes on."""

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.ports.work import Broker
from deepresearch_mcp.records.sources import Document, Hit, Query
from deepresearch_mcp.settings import ResearchSettings


def in_rounds(settings: ResearchSettings) -> ResearchSettings:
    """The settings, made so that a standard research needs eight rounds.

    What is read of all pages fits into one, no round is spent on what another has to be followed by, and nobody
    begins to read before the pages are there.
    """
    few = {"passages_per_page": min(2, settings.passages_per_page), "leads": 0, "critique": False}
    return settings.model_copy(update={**few, "first_pages": 1.0, "first_wait": max(4.0, settings.first_wait)})


class AttendedEngine:
    """An engine whose searches the broker waits for, their turns and second tries included."""

    def __init__(self, engine: SearchEngine, broker: Broker) -> None:
        self._engine = engine
        self._broker = broker

    @property
    def name(self) -> str:
        """The engine's."""
        return self._engine.name

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """See `SearchEngine.search`."""
        with self._broker.elsewhere():
            return await self._engine.search(query, needs=needs)


class AttendedWeb:
    """A web whose fetches the broker waits for."""

    def __init__(self, web: Web, broker: Broker) -> None:
        self._web = web
        self._broker = broker

    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """See `Web.fetch`."""
        with self._broker.elsewhere():
            return await self._web.fetch(url, needs=needs)

"""Stands in for a service that refuses programs without a contact, as long as the settings give none."""

import httpx2
from typing_extensions import override

from deepresearch_mcp.exceptions import KeyRefused
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query


class EngineWithoutContact(SearchEngine):
    """Asks nothing, and says why: the failure is listed where the service would have been asked."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    @override
    def name(self) -> str:
        return self._name

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Raises `KeyRefused`, which costs nothing and is not tried again in this run."""
        del query, needs
        raise KeyRefused(
            self.name,
            "it was not asked, because it refuses programs that name no contact.",
            action="Set web.contact (DEEPRESEARCH_WEB__CONTACT) to your mail address.",
        )


def names_contact(http: httpx2.AsyncClient) -> bool:
    """Return whether the `User-Agent` of a client holds a mail or web address."""
    agent = http.headers.get("User-Agent", "")
    return "@" in agent or "://" in agent

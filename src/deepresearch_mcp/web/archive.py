"""Finds the archived copy of a dead page, by the availability API of the Wayback Machine."""

import json
import math
import re
from dataclasses import replace
from datetime import date, datetime
from typing import Any, cast
from urllib.parse import quote

from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.text.url_secrets import holds_secret
from deepresearch_mcp.text.urls import host_of, site_of
from deepresearch_mcp.web.fetching.client import Fetched, PageClient
from deepresearch_mcp.web.fetching.guard import AllowList

ARCHIVED = "archived"
"""The flag of a document that was read from an archive."""
DEAD = frozenset({"not_found", "unreachable", "parked"})
"""Reasons for which a copy is looked for."""
PAUSE = 300.0
"""Seconds for which an archive that could not be asked is left alone."""
_STAMP = re.compile(r"/web/([0-9]{14})/")


class Archive:
    """An archive of pages; every request to it passes the same guards as a page."""

    def __init__(self, client: PageClient, settings: WebSettings, clock: Clock) -> None:
        self._client = client
        self._address = settings.archive
        self._allow = AllowList.of(settings.allow_private)
        self._clock = clock
        self._until = -math.inf

    async def copy_of(self, url: str) -> tuple[Fetched, date] | None:
        """Return the latest copy of a page with its date; None if there is none or the archive cannot be asked.

        `final_url` of the copy is its address in the archive. Addresses with secrets and those of a private network
        are not told to the archive; where the settings allow a whole network, no one can tell which names are private.
        """
        if not self._address or self._is_private(url) or holds_secret(url) or self._clock.monotonic() < self._until:
            return None
        try:
            told = await self._client.fetch_bytes(f"{self._address}?url={quote(url, safe='')}")
            found = _closest(told.body)
            if found is None or site_of(found) != site_of(self._address):
                return None
            stamp = _STAMP.search(found)
            day = _day(stamp[1]) if stamp else None
            if stamp is None or day is None:
                return None
            # `id_` asks for the page as it was, without the archive's own frame around it.
            whole = f"{found[: stamp.end() - 1]}id_{found[stamp.end() - 1 :]}"
            return replace(await self._client.fetch_bytes(whole), url=url), day
        except FetchRefused:
            return None
        except FetchFailed as error:
            if error.reason != "not_found":
                self._until = self._clock.monotonic() + PAUSE
            return None

    def _is_private(self, url: str) -> bool:
        host = host_of(url)
        named = any(host == name for name, _ in self._allow.hosts)
        networks = [network for network, _ in self._allow.networks]
        return named or any(network.num_addresses > 1 or host == str(network[0]) for network in networks)


def _closest(body: bytes) -> str | None:
    """Return the address of the copy in an answer of the API; None if it names none."""
    try:
        answer: Any = json.loads(body)
        closest = cast(dict[str, Any], answer["archived_snapshots"]["closest"])
        is_page = closest.get("available") is True and str(closest.get("status", "200")) == "200"
        url = closest["url"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return url if is_page and isinstance(url, str) else None


def _day(stamp: str) -> date | None:
    try:
        return datetime.strptime(stamp[:8], "%Y%m%d").date()
    except ValueError:
        return None

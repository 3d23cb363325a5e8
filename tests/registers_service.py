"""One service on loopback that answers as nine registers do, and serves the pages that their hits lead to."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

from deepresearch_mcp.records.data_source_specs import REGISTERS
from deepresearch_mcp.settings.schema import Settings
from small_web import settings_for

_REVENUE = [("2021-09-26", "2022-09-24", 394328000000), ("2022-09-25", "2023-09-30", 383285000000)]
_GERMANY = {"indicator": {"value": "GDP (current US$)"}, "country": {"value": "Germany"}}
_FILING = {
    "_id": "0000320193-23-000106:aapl-20230930.htm",
    "_source": {"ciks": ["0000320193"], "display_names": ["Apple Inc."], "form": "10-K", "file_date": "2023-11-03"},
}
_PACKAGE = {"name": "anyio", "version": "4.16.0", "date": "2026-10-01T00:00:00Z"}


def _answers(base: str) -> dict[str, Any]:
    """The beginning of a path → what is said there."""
    listed = {"page": 1, "pages": 1, "total": 1, "lastupdated": "2026-10-07"}
    return {
        "/search/repositories": {"items": [{"html_url": f"{base}/agronholm/anyio", "full_name": "agronholm/anyio"}]},
        "/pypi/": {"info": {"name": "anyio", "summary": "Structured concurrency"}, "urls": []},
        "/-/v1/search": {"objects": [{"package": _PACKAGE}]},
        "/fred/series/search": {"seriess": [{"id": "GDP", "title": "Gross Domestic Product"}]},
        "/v2/country?": [listed, [{"iso2Code": "DE", "name": "Germany"}]],
        "/v2/source/2/indicator": [listed, [{"id": "NY.GDP.MKTP.CD", "name": "GDP (current US$)"}]],
        "/v2/country/": [listed, [_GERMANY | {"date": "2024", "value": 4659929334991}]],
        "/files/company_tickers.json": {"0": {"cik_str": 320193, "ticker": "AAPL", "title": "Apple Inc."}},
        "/api/xbrl/companyconcept/CIK0000320193/us-gaap/Revenues.json": {
            "tag": "Revenues",
            "label": "Revenues",
            "entityName": "Apple Inc.",
            "units": {
                "USD": [
                    {"start": start, "end": end, "val": value, "form": "10-K", "filed": "2023-11-03"}
                    for start, end, value in _REVENUE
                ]
            },
        },
        "/LATEST/search-index": {"hits": {"hits": [_FILING]}},
        "/api/rest/v4/search/": {"results": [{"absolute_url": "/opinion/1/a-v-b/", "caseName": "A v. B"}]},
        "/search": {"results": [{"packageId": "PLAW-117publ58", "title": "Infrastructure Act"}]},
        "/api/v2/doc/doc": {"articles": [{"url": f"{base}/news", "title": "Anyio in the news"}]},
    }


@dataclass(slots=True)
class RegistersService:
    """What it was asked, and where it is."""

    base: str
    asked: list[str] = field(default_factory=list[str])

    def reply(self, target: str) -> tuple[int, str]:
        self.asked.append(target)
        found = [answer for path, answer in _answers(self.base).items() if target.startswith(path)]
        return (200, json.dumps(found[0])) if found else (404, "{}")

    async def handle(self, stream: SocketStream) -> None:
        async with stream:
            try:
                head = await BufferedByteReceiveStream(stream).receive_until(b"\r\n\r\n", 20_000)
                status, body = self.reply(head.split()[1].decode())
                await stream.send(
                    f"HTTP/1.1 {status} Answer\r\nContent-Type: application/json\r\n"
                    f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode()
                )
            except (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError):
                return

    def settings(self, home: Path) -> Settings:
        """Settings under which every register is this service."""
        table = settings_for(home, self.base).model_dump()
        table["web"]["contact"] = "me@example.org"
        for spec in REGISTERS:
            table["search"][f"{spec.name}_base_url"] = self.base
            if spec.key:
                table["search"][f"{spec.name}_key"] = "key"
        return Settings.model_validate(table)


@asynccontextmanager
async def registers_service() -> AsyncGenerator[RegistersService]:
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    service = RegistersService(f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, service.handle)
        yield service
        tasks.cancel_scope.cancel()

import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.archive import ARCHIVED, PAUSE
from deepresearch_mcp.web.reader import PageReader, open_web

COPY = "/web/20130919044612/https://dead.example/ice"
AS_IT_WAS = "/web/20130919044612id_/https://dead.example/ice"


def names(site: Any, *, closest: dict[str, Any] | None = None) -> str:
    found = {"available": True, "status": "200", "timestamp": "20130919044612", "url": site.url(COPY)}
    return json.dumps({"archived_snapshots": {"closest": found | (closest or {})}})


@pytest.fixture
async def web(settings: WebSettings, clock: HandClock, documents: Any, site: Any) -> AsyncGenerator[PageReader]:
    async def nowhere(host: str, port: int) -> list[str]:
        raise OSError("no such name")

    settings = settings.model_copy(update={"archive": site.url("/wayback/available"), "retries": 0})
    async with open_web(settings, clock, documents, resolve=nowhere) as reader:
        yield reader


async def reason(web: PageReader, url: str = "https://dead.example/ice") -> str:
    with pytest.raises(FetchFailed) as caught:
        await web.fetch(url)
    return caught.value.reason


async def test_a_dead_page_is_read_from_its_archived_copy_and_says_so(web: PageReader, site: Any, make: Any) -> None:
    site.pages["/wayback/available?url=https%3A%2F%2Fdead.example%2Fice"] = make.http(
        names(site), media_type="application/json"
    )
    site.pages[AS_IT_WAS] = make.http()

    document = await web.fetch("https://dead.example/ice")

    assert document.text.startswith("# Ice")
    assert document.title == "Why ice floats (archived copy of 2013-09-19)"
    assert ARCHIVED in document.flags
    assert (document.url, document.requested_url) == (site.url(AS_IT_WAS), "https://dead.example/ice")
    assert document.site == "dead.example"


@pytest.mark.parametrize(
    "closest",
    [
        {"available": False},
        {"status": "404"},
        {"url": "https://elsewhere.example/web/20130919044612/x"},
        {"url": "no copy"},
        {"url": 7},
    ],
)
async def test_what_is_no_copy_leaves_the_page_dead(
    web: PageReader, site: Any, make: Any, closest: dict[str, Any]
) -> None:
    site.pages["/wayback/available?url=https%3A%2F%2Fdead.example%2Fice"] = make.http(
        names(site, closest=closest), media_type="application/json"
    )

    assert await reason(web) == "unreachable"


@pytest.mark.parametrize(
    "body", ["", "[]", "{", '{"archived_snapshots": {}}', '{"archived_snapshots": {"closest": 1}}']
)
async def test_an_answer_of_another_shape_names_no_copy(web: PageReader, site: Any, make: Any, body: str) -> None:
    site.pages["/wayback/available?url=https%3A%2F%2Fdead.example%2Fice"] = make.http(body)

    assert await reason(web) == "unreachable"


async def test_an_archive_that_fails_is_left_alone_for_a_while(
    web: PageReader, site: Any, make: Any, clock: HandClock
) -> None:
    asked = "/wayback/available?url=https%3A%2F%2Fdead.example%2Fice"
    site.pages[asked] = make.http("", "500 Failed")

    for _ in range(2):
        await reason(web)
    clock.advance(PAUSE)
    await reason(web)

    assert site.asked.count(asked) == 2


@pytest.mark.parametrize("path", ["/gone", "/ice?token=s3cret"])
async def test_private_hosts_and_secrets_are_not_told_to_the_archive(web: PageReader, site: Any, path: str) -> None:
    await reason(web, site.url(path) if path == "/gone" else f"https://dead.example{path}")

    assert not [one for one in site.asked if "wayback" in one]


@pytest.mark.parametrize("changed", [{"archive": ""}, {"allow_private": ("127.0.0.0/8",)}])
async def test_without_an_archive_or_beside_a_private_network_no_archive_is_asked(
    settings: WebSettings, clock: HandClock, documents: Any, site: Any, changed: dict[str, Any]
) -> None:
    told = settings.model_copy(update={"archive": site.url("/wayback/available"), **changed})
    async with open_web(told, clock, documents) as web:
        await reason(web, site.url("/gone"))

    assert not [one for one in site.asked if "wayback" in one]

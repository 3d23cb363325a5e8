from typing import Any

import httpx2
import pytest

from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.client import Fetched, PageClient, content_type
from deepresearch_mcp.web.fetching.guard import NOTHING_PRIVATE, GuardedFetcher

URL = "https://example.org/page"


def client(hop: Any, **settings: Any) -> PageClient:
    return PageClient(hop, WebSettings(**settings), NOTHING_PRIVATE)


async def test_what_was_fetched_says_where_it_came_from(make: Any) -> None:
    moved = make.answer(status=301, location="/other")
    page = make.answer(body=b"text", content_type="Text/HTML; Charset=ISO-8859-1", ETag='"a"')

    got = await client(make.hop(moved, page)).fetch_bytes("https://Example.org/page#part")

    assert got == Fetched(
        url="https://Example.org/page#part",
        final_url="https://example.org/other",
        status=200,
        media_type="text/html",
        charset="iso-8859-1",
        body=b"text",
        headers={"content-type": "Text/HTML; Charset=ISO-8859-1", "etag": '"a"'},
        redirects=(URL,),
    )


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        *(
            (404, "not_found"),
            (410, "not_found"),
            (401, "blocked"),
            (403, "blocked"),
            (451, "blocked"),
            (402, "paywalled"),
        ),
        *(
            (429, "rate_limited"),
            (408, "timed_out"),
            (500, "server_error"),
            (503, "server_error"),
            (599, "server_error"),
        ),
        *(
            (999, "server_error"),
            (400, "blocked"),
            (418, "blocked"),
            (204, "empty"),
            (205, "empty"),
            (300, "unparsable"),
        ),
        *((304, "unparsable"), (201, "unparsable")),
    ],
)
async def test_each_status_has_its_reason(make: Any, status: int, reason: str) -> None:
    with pytest.raises(FetchFailed) as caught:
        await client(make.hop(status)).fetch_bytes(URL)

    assert (caught.value.reason, caught.value.url) == (reason, URL)


async def test_not_modified_is_an_answer_to_a_condition(make: Any) -> None:
    hop = make.hop(304)

    assert (await client(hop).fetch_bytes(URL, {"if-none-match": '"a"'})).status == 304
    assert hop.asked[0].headers == {"if-none-match": '"a"'}


async def test_an_address_that_may_not_be_asked_is_refused_before_anything_is_sent(make: Any) -> None:
    hop = make.hop(200)

    with pytest.raises(FetchRefused):
        await client(hop).fetch_bytes("http://127.0.0.1/")
    assert hop.asked == []


async def test_a_redirect_inside_is_refused_and_told_by_the_address_asked_for(make: Any) -> None:
    hop = GuardedFetcher(
        make.hop(make.answer(status=302, location="http://169.254.169.254/secret")), NOTHING_PRIVATE, (443, 80)
    )

    with pytest.raises(FetchRefused, match="After a redirect") as caught:
        await client(hop).fetch_bytes(URL)

    assert (caught.value.url, caught.value.reason) == (URL, "address_refused")
    assert "169.254" not in str(caught.value)


async def test_only_so_many_redirects_are_followed(make: Any) -> None:
    hop = make.hop(make.answer(status=302, location="/again"))

    with pytest.raises(FetchFailed):
        await client(hop, redirects=2).fetch_bytes(URL)
    assert len(hop.asked) == 3


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("text/html", ("text/html", "")),
        (' TEXT/Html ;charset = "UTF-8" ', ("text/html", "utf-8")),
        ("text/plain; format=flowed; charset=koi8-r", ("text/plain", "koi8-r")),
        ("application/json; charset*=utf-8''x", ("application/json", "")),
        ("nonsense", ("", "")),
        ("", ("", "")),
        ("text/html; charset=", ("text/html", "")),
        (";;;==", ("", "")),
    ],
)
def test_a_content_type_is_read_however_it_is_written(header: str, expected: tuple[str, str]) -> None:
    assert content_type(httpx2.Headers({"content-type": header})) == expected

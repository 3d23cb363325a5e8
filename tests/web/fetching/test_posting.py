"""Posts go only where pages may be fetched from."""

import pytest

from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.posting import GuardedPoster
from hook_receiver import receiving


@pytest.mark.parametrize("status", [204, 302, 500])
async def test_the_status_is_told_and_a_redirect_is_not_followed(status: int):
    async with receiving(status) as receiver:
        found = await GuardedPoster(WebSettings(), [receiver.place]).post(receiver.url, b"{}", {"webhook-id": "m"})

    assert found == status
    [(headers, body)] = receiver.got
    assert (headers["webhook-id"], body) == ("m", b"{}")


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8080/", "http://localhost:8080/", "ftp://example.org/", "https://me:it@example.org/"]
)
async def test_private_and_odd_addresses_are_refused(url: str):
    with pytest.raises(FetchRefused):
        await GuardedPoster(WebSettings(allow_private=("127.0.0.1",)), []).post(url, b"{}", {})


async def test_nobody_there_is_a_failure_of_ours():
    async with receiving() as receiver:
        url = receiver.url
    with pytest.raises(FetchFailed) as caught:
        await GuardedPoster(WebSettings(), [receiver.place]).post(url, b"{}", {})
    assert caught.value.reason == "unreachable"

import anyio
import httpx2
import pytest

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.web.fetching.late import LateTransport

REQUEST = httpx2.Request("GET", "https://example.org/")


class Closing(httpx2.MockTransport):
    closed = False

    async def aclose(self) -> None:
        self.closed = True


async def test_it_is_built_once_by_the_first_request_and_closed() -> None:
    built: list[Closing] = []

    def build() -> httpx2.AsyncBaseTransport:
        built.append(Closing(lambda request: httpx2.Response(200)))
        return built[-1]

    async with LateTransport(build) as transport:
        assert built == []
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(transport.handle_async_request, REQUEST)

    assert [one.closed for one in built] == [True]


async def test_what_was_never_used_is_never_built() -> None:
    def build() -> httpx2.AsyncBaseTransport:
        raise AssertionError("not wanted")

    async with LateTransport(build):
        pass


async def test_a_failure_to_build_fails_the_request_alone() -> None:
    tries = [SettingsError("web.proxy is wrong."), None]

    def build() -> httpx2.AsyncBaseTransport:
        error = tries.pop(0)
        if error:
            raise error
        return httpx2.MockTransport(lambda request: httpx2.Response(200))

    async with LateTransport(build) as transport:
        with pytest.raises(SettingsError):
            await transport.handle_async_request(REQUEST)
        assert (await transport.handle_async_request(REQUEST)).status_code == 200

"""An engine that does what its script says, and the query that it is asked."""

from collections.abc import Awaitable, Callable

import anyio

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.records.sources import Hit, Query

QUERY = Query("why does ice float")
HIT = Hit(url="https://physics.test/ice", title="Ice", engines=("fake",))
BUSY = ProviderError("fake", "HTTP 503", retryable=True)
ODD = ProviderError("fake", "HTTP 400: it refuses the query")

Act = list[Hit] | Exception | Callable[[], Awaitable[list[Hit]]]


class Scripted:
    """An engine that does what its script says, one line a query; the last line again and again."""

    name = "fake"

    def __init__(self, *script: Act) -> None:
        self.script = list(script)
        self.asked = 0
        self.needs: list[tuple[str, ...]] = []

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        self.asked += 1
        self.needs.append(needs)
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, list) else await step()


async def forever() -> list[Hit]:
    await anyio.sleep_forever()
    raise AssertionError("sleeping for ever ended")

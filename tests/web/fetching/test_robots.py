from collections.abc import Callable
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching import robots as module
from deepresearch_mcp.web.fetching.fetcher import Fetcher, Request, Response
from deepresearch_mcp.web.fetching.robots import RobotsFetcher

HOME = "https://example.org/robots.txt"


class Rig:
    """Robots between two scripted hops."""

    def __init__(self, clock: HandClock, make: Any, *rules: Any, **settings: Any) -> None:
        self.pages: Any = make.hop(200)
        self.rules: Any = make.hop(*(self._rules(make, one) for one in rules))
        self.paces: list[tuple[str, float]] = []
        self.hop = RobotsFetcher(
            self.pages, self.rules, WebSettings(**settings), clock, lambda host, delay: self.paces.append((host, delay))
        )
        self._ask = make.ask

    @staticmethod
    def _rules(make: Any, said: Any) -> Any:
        return make.answer(body=said.encode()) if isinstance(said, str) else said

    async def reason(self, url: str = "https://example.org/page") -> str:
        try:
            return str((await self.hop.get(self._ask(url))).status)
        except FetchFailed as error:
            return error.reason


async def test_rules_are_asked_for_once_and_obeyed(clock: HandClock, make: Any) -> None:
    rig = Rig(clock, make, "User-agent: *\nDisallow: /private\nAllow: /private/open\n")

    heard = [await rig.reason(f"https://example.org{path}") for path in ("/", "/private/x", "/private/open", "/privat")]

    assert heard == ["200", "robots", "200", "200"]
    assert rig.rules.urls == [HOME]
    assert len(rig.pages.asked) == 3


async def test_rules_for_our_own_name_outrank_those_for_all(clock: HandClock, make: Any) -> None:
    rules = "User-agent: *\nDisallow: /\n\nUser-agent: deepresearch-server\nDisallow: /not-this\nCrawl-delay: 4\n"
    rig = Rig(clock, make, rules)

    assert [await rig.reason(f"https://example.org{path}") for path in ("/a", "/not-this")] == ["200", "robots"]
    assert rig.paces == [("example.org", 4.0)]
    assert await Rig(clock, make, rules, user_agent="other/1.0").reason() == "robots"


async def test_each_origin_has_its_own_rules(clock: HandClock, make: Any) -> None:
    rig = Rig(clock, make, "User-agent: *\nDisallow: /\n", "")

    assert await rig.reason() == "robots"
    assert await rig.reason("http://example.org/page") == "200"
    assert rig.rules.urls == [HOME, "http://example.org/robots.txt"]


@pytest.mark.parametrize(
    "said",
    [404, 403, 410, 429, 204, 200, FetchFailed(HOME, "unparsable", "?"), FetchRefused(HOME, "address_refused", "?")],
)
async def test_where_there_are_no_rules_all_may_be_read(clock: HandClock, make: Any, said: Any) -> None:
    rig = Rig(clock, make, said)

    assert [await rig.reason(), await rig.reason()] == ["200", "200"]
    assert len(rig.rules.asked) == 1


@pytest.mark.parametrize("status", [500, 503])
async def test_a_server_that_fails_to_say_forbids_all_for_a_while(clock: HandClock, make: Any, status: int) -> None:
    rig = Rig(clock, make, status, "")

    heard = [await rig.reason(), await rig.reason()]
    clock.advance(module.KEPT_FAILURE)

    assert [*heard, await rig.reason()] == ["robots", "robots", "200"]


@pytest.mark.parametrize("reason", ["unreachable", "timed_out", "rate_limited"])
async def test_a_host_that_cannot_be_asked_fails_as_itself(clock: HandClock, make: Any, reason: Any) -> None:
    rig = Rig(clock, make, FetchFailed(HOME, reason, "Not now."))

    assert [await rig.reason(), await rig.reason()] == [reason, reason]
    assert len(rig.rules.asked) == 1
    assert rig.pages.asked == []


async def test_an_open_circuit_is_not_remembered(clock: HandClock, make: Any) -> None:
    rig = Rig(clock, make, FetchRefused(HOME, "circuit_open", "Left alone."), "")

    with pytest.raises(FetchRefused):
        await rig.hop.get(make.ask())
    assert await rig.reason() == "200"


async def test_rules_are_read_again_after_an_hour(clock: HandClock, make: Any) -> None:
    rig = Rig(clock, make, "", "User-agent: *\nDisallow: /\n")

    heard = [await rig.reason()]
    clock.advance(module.KEPT - 1)
    heard.append(await rig.reason())
    clock.advance(1)

    assert [*heard, await rig.reason()] == ["200", "200", "robots"]


async def test_all_who_ask_at_once_wait_for_one_answer(clock: HandClock, make: Any) -> None:
    gate = anyio.Event()

    class Slow:
        asked = 0

        async def get(self, ask: Request) -> Response:
            self.asked += 1
            await gate.wait()
            return make.answer(ask.url)

    slow, pages = Slow(), make.hop(200)
    hop: Fetcher = RobotsFetcher(pages, slow, WebSettings(), clock, lambda host, delay: None)
    async with anyio.create_task_group() as group:
        for _ in range(8):
            group.start_soon(hop.get, make.ask())
        await anyio.wait_all_tasks_blocked()
        assert pages.asked == []
        gate.set()

    assert (slow.asked, len(pages.asked)) == (1, 8)


async def test_redirects_are_followed_and_only_so_many_bytes_are_read(clock: HandClock, make: Any) -> None:
    moved = make.answer(status=301, location="https://www.example.org/robots.txt")
    rig = Rig(clock, make, moved, "User-agent: *\nDisallow: /\n")

    assert await rig.reason() == "robots"
    assert rig.rules.urls == [HOME, "https://www.example.org/robots.txt"]
    assert {ask.max_body for ask in rig.rules.asked} == {module.MOST_BYTES}


async def test_too_many_origins_push_each_other_out(clock: HandClock, make: Any) -> None:
    rig = Rig(clock, make, "")
    for number in range(module.MOST_ORIGINS + 1):
        await rig.reason(f"https://host{number}.example/")
    await rig.reason("https://host0.example/")

    assert rig.rules.urls.count("https://host0.example/robots.txt") == 2


async def test_long_and_broken_rules_are_read_all_the_same(clock: HandClock, make: Any) -> None:
    rules = b"\xef\xbb\xbfUser-agent: *\nDisallow: /no\n" + b"# \xff\x00 " * 10_000
    rig = Rig(clock, make, make.answer(body=rules))

    assert [await rig.reason(), await rig.reason("https://example.org/no")] == ["200", "robots"]


async def test_many_rules_are_matched_without_holding_up_others(clock: HandClock, make: Any) -> None:
    rules = "User-agent: *\n" + "".join(f"Disallow: /no{number}\n" for number in range(2_000))
    rig = Rig(clock, make, rules)

    assert [await rig.reason(f"https://example.org/{path}") for path in ("yes", "no1999")] == ["200", "robots"]


@pytest.mark.parametrize(("respected", "heard"), [(True, "no_ai"), (False, "200")])
async def test_a_site_that_wants_no_ai_input_is_left_alone_by_setting(
    clock: HandClock, make: Any, *, respected: bool, heard: str
) -> None:
    rig = Rig(clock, make, "User-agent: *\nContent-Signal: search=yes, ai-input=no\n", respect_noai=respected)

    assert await rig.reason() == heard


@pytest.mark.parametrize(
    ("user_agent", "product"),
    [("deepresearch-server/1.0", "deepresearch-server"), ("Our_Bot (x)", "Our_Bot"), ("bot2/1", "bot"), ("2", "")],
)
def test_the_product_is_the_first_letters_of_a_user_agent(user_agent: str, product: str) -> None:
    assert module.product_of(user_agent) == product


async def test_files_of_real_sites_are_read_without_harm(
    clock: HandClock, make: Any, data: Callable[[str], Any]
) -> None:
    for row in data("robots/real_robots.jsonl.gz")[::4]:
        rig = Rig(clock, make, make.answer(body=row["latin1"].encode("latin-1")))
        assert await rig.reason("https://example.org/some/page?with=query") in {"200", "robots"}

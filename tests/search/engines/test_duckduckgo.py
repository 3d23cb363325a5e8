import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import anyio
import anyio.from_thread
import pytest
from ddgs.engines import ENGINES
from ddgs.engines.duckduckgo import Duckduckgo
from ddgs.exceptions import DDGSException, TimeoutException

from deepresearch_mcp.exceptions import ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.search.engines.duckduckgo import (
    BACKENDS,
    BackendHit,
    BackendQuery,
    DuckDuckGo,
    ask_backend,
    ask_ddgs,
)

ICE = BackendHit("https://physics.test/ice", "Why ice floats", "It is less dense.")
ASKED = BackendQuery("duckduckgo", "ice", "wt-wt", None, 5)
PAGE = """<html><body><div class="results">
<div class="result"><div class="links_main result__body"><h2><a href="{0}">Why ice floats</a></h2>
<a href="{0}">It is <b>less</b> dense.</a></div></div>
<div class="result result--no-result"><div class="result__body">No results.</div></div>
</div></body></html>"""


class Ddgs:
    """ddgs as far as it is asked: each backend has its answer ready."""

    def __init__(self, **answers: Sequence[BackendHit] | ProviderError) -> None:
        self.answers = answers
        self.asked: list[BackendQuery] = []

    def __call__(self, asked: BackendQuery) -> Sequence[BackendHit]:
        self.asked.append(asked)
        answer = self.answers[asked.backend]
        if isinstance(answer, ProviderError):
            raise answer
        return answer


REFUSED = RateLimited("duckduckgo", "no")
UNREACHABLE = ProviderError("duckduckgo", "not reached", retryable=True)
UNKNOWN = ProviderError("duckduckgo", "unknown")


def engine(ask: Callable[[BackendQuery], Sequence[BackendHit]], clock: Any, *backends: str) -> DuckDuckGo:
    return DuckDuckGo(clock, ask=ask, backends=backends or ("duckduckgo", "brave", "yahoo"))


class TestAsking:
    async def test_the_first_backend_that_finds_something_is_enough(self, clock: Any) -> None:
        ddgs = Ddgs(duckduckgo=REFUSED, brave=[ICE, ICE], yahoo=[])

        [hit] = await engine(ddgs, clock).search(Query("ice", limit=1))

        assert [asked.backend for asked in ddgs.asked] == ["duckduckgo", "brave"]
        assert (hit.url, hit.title, hit.snippet) == ICE
        assert hit.engines == ("duckduckgo",)

    async def test_two_backends_that_find_nothing_settle_it(self, clock: Any) -> None:
        ddgs = Ddgs(duckduckgo=[], brave=[], yahoo=[ICE])

        assert await engine(ddgs, clock).search(Query("ice")) == []
        assert len(ddgs.asked) == 2

    async def test_one_backend_that_answers_makes_it_an_answer(self, clock: Any) -> None:
        assert await engine(Ddgs(duckduckgo=REFUSED, brave=[], yahoo=REFUSED), clock).search(Query("ice")) == []

    @pytest.mark.parametrize(
        ("failures", "kind", "retryable"),
        [
            ((REFUSED, REFUSED), RateLimited, True),
            ((REFUSED, UNKNOWN), ProviderError, True),
            ((UNKNOWN, UNKNOWN), ProviderError, False),
        ],
    )
    async def test_when_all_fail_it_is_a_failure_with_all_reasons(
        self, clock: Any, failures: tuple[ProviderError, ProviderError], kind: type[ProviderError], retryable: bool
    ) -> None:
        ddgs = Ddgs(duckduckgo=failures[0], brave=failures[1])

        with pytest.raises(kind) as caught:
            await engine(ddgs, clock, "duckduckgo", "brave").search(Query("ice"))
        assert caught.value.retryable is retryable
        assert all(failure.reason in str(caught.value) for failure in failures)

    async def test_the_loop_goes_on_and_a_thread_that_hangs_is_left(self, clock: Any) -> None:
        entered, released = anyio.Event(), threading.Event()

        def hang(asked: BackendQuery) -> Sequence[BackendHit]:
            anyio.from_thread.run_sync(entered.set)
            released.wait()
            return []

        async with anyio.create_task_group() as group:
            group.start_soon(engine(hang, clock).search, Query("ice"))
            await entered.wait()
            group.cancel_scope.cancel()

        assert not released.is_set()
        released.set()


class TestWhatIsTold:
    async def asked(self, clock: Any, filters: Filters) -> list[BackendQuery]:
        ddgs = Ddgs(duckduckgo=[], brave=[])
        await engine(ddgs, clock, "duckduckgo", "brave").search(Query("ice", filters))
        return ddgs.asked

    @pytest.mark.parametrize(
        ("region", "language", "told"),
        [
            ("", "", "wt-wt"),
            ("", "en", "wt-wt"),
            ("", "de", "de-de"),
            ("AT", "de", "at-de"),
            ("gb", "en", "uk-en"),
            ("ch", "fr", "ch-fr"),
            ("", "ja", "jp-jp"),
            ("zz", "", "wt-wt"),
        ],
    )
    async def test_a_region_is_one_that_duckduckgo_knows(
        self, clock: Any, region: str, language: str, told: str
    ) -> None:
        asked = await self.asked(clock, Filters(region=region, language=language))

        assert {one.region for one in asked} == {told}

    @pytest.mark.parametrize(
        ("after", "before", "told"),
        [
            (None, None, [None, None]),
            (date(2026, 11, 15), None, ["2026-11-15..2026-11-20", "w"]),
            (date(2020, 1, 1), date(2021, 1, 1), ["2020-01-01..2021-01-01", None]),
            (None, date(2021, 1, 1), ["1990-01-01..2021-01-01", None]),
        ],
    )
    async def test_dates_are_a_range_for_duckduckgo_and_a_span_for_others(
        self, clock: Any, after: date | None, before: date | None, told: list[str | None]
    ) -> None:
        asked = await self.asked(clock, Filters(published_after=after, published_before=before))

        assert [one.timelimit for one in asked] == told

    async def test_later_hits_are_asked_for_by_their_page(self, clock: Any) -> None:
        ddgs = Ddgs(duckduckgo=[ICE])

        await engine(ddgs, clock).search(Query("ice", page=2))

        assert ddgs.asked[0].page == 2

    async def test_strict_safe_search_leaves_out_backends_that_have_none(self, clock: Any) -> None:
        ddgs = Ddgs(brave=[], mojeek=[])

        await DuckDuckGo(clock, ask=ddgs, safe_search="strict").search(Query("ice"))

        assert [(asked.backend, asked.safe_search) for asked in ddgs.asked] == [("brave", "on"), ("mojeek", "on")]

    async def test_domains_are_operators(self, clock: Any) -> None:
        [first, _] = await self.asked(clock, Filters(include_domains=("a.org",)))

        assert first.text == "ice site:a.org"


class Pages(BaseHTTPRequestHandler):
    """Stands where DuckDuckGo's public page stands."""

    status = 200
    page = ""
    forms: list[dict[str, list[str]]]

    def do_POST(self) -> None:
        self.forms.append(parse_qs(self.rfile.read(int(self.headers["content-length"])).decode()))
        body = self.page.encode()
        self.send_response(self.status)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's word
        pass


@pytest.fixture
def pages() -> Iterator[tuple[type[Pages], Callable[[], list[BackendHit]]]]:
    """A loopback page and ddgs's real DuckDuckGo engine turned to it."""
    handler = type("Handler", (Pages,), {"forms": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=partial(server.serve_forever, 0.01))
        thread.start()

        class Loopback(Duckduckgo):
            search_url = f"http://127.0.0.1:{server.server_port}/html/"

        yield handler, lambda: ask_backend(Loopback(timeout=5), ASKED)
        server.shutdown()
        thread.join()


class TestDdgsItself:
    def test_results_are_read_from_its_page(self, pages: Any) -> None:
        handler, ask = pages
        handler.page = PAGE.format("https://physics.test/eis%20k%C3%A4se?a=1&amp;b=2#x")

        [found] = ask()

        assert found.url == "https://physics.test/eis+k%C3%A4se?a=1&b=2#x"
        assert (found.title, found.snippet) == ("Why ice floats", "It is less dense.")
        assert handler.forms == [{"q": ["ice"], "l": ["wt-wt"]}]

    def test_a_redirect_of_duckduckgos_is_undone(self, pages: Any) -> None:
        handler, ask = pages
        handler.page = PAGE.format("//duckduckgo.com/l/?uddg=https%3A%2F%2Fphysics.test%2Fice%3Fa%3D1&amp;rut=abc")

        assert ask()[0].url == "https://physics.test/ice?a=1"

        handler.page = PAGE.format("//duckduckgo.com/l/?uddg=https%3A%2F%2Fphysics.test%2Fice")
        assert ask()[0].url == "https://physics.test/ice"

    @pytest.mark.parametrize("status", [202, 403, 429])
    def test_a_refusal_is_not_an_empty_answer(self, pages: Any, status: int) -> None:
        handler, ask = pages
        handler.status, handler.page = status, "<html>anomaly</html>"

        with pytest.raises(RateLimited, match="refuses"):
            ask()

    def test_a_page_without_results_is_nothing_found(self, pages: Any) -> None:
        handler, ask = pages
        handler.page = "<html><body><p>No results.</p></body></html>"

        assert ask() == []

    @pytest.mark.parametrize(
        ("error", "kind", "retryable"),
        [
            (TimeoutException("operation timed out"), ProviderError, True),
            (DDGSException("DNSError: html.duckduckgo.com"), ProviderError, True),
            (IndexError("list index out of range"), UnreadableAnswer, False),
        ],
    )
    def test_its_errors_become_ours(self, error: Exception, kind: type[ProviderError], retryable: bool) -> None:
        class Failing:
            def search(
                self, query: str, region: str, safesearch: str, timelimit: str | None, page: int
            ) -> Sequence[Any] | None:
                raise error

        with pytest.raises(kind) as caught:
            ask_backend(Failing(), ASKED)
        assert caught.value.retryable is retryable
        assert str(error) not in str(caught.value)

    def test_a_backend_that_it_has_dropped_is_a_failure(self) -> None:
        with pytest.raises(ProviderError, match="unknown to the ddgs installed"):
            ask_ddgs(BackendQuery("altavista", "ice", "wt-wt", None, 5))

    def test_it_still_has_all_our_backends(self) -> None:
        assert set(BACKENDS) <= set(ENGINES["text"])

"""`ssrf`: does any page, redirect, name or script lead us to a private address, and does hostile input stop us?"""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.loopback import NothingStored, Server, listening, page
from deepresearch_mcp.evals.sets import FOLDERS, folder, json_file, json_lines
from deepresearch_mcp.exceptions import DeepResearchError, FetchFailed, FetchRefused
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.browser import open_browser
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.fetching.pinning import Resolver
from deepresearch_mcp.web.parsing import Parsers
from deepresearch_mcp.web.reader import PageReader, open_web

_SECONDS = 4.0
"""Time limit of a page; an answer that takes twice as long counts as a hang."""
_SCRIPT = """<html><body><p id="out"></p><script>
for (const url of %s) {
  try { fetch(url, {mode: "no-cors"}).catch(() => 0); } catch (error) {}
  try { new Image().src = url; } catch (error) {}
  try { const one = document.createElement("script"); one.src = url; document.body.append(one); } catch (error) {}
  try { const one = document.createElement("link"); one.rel = "stylesheet"; one.href = url;
        document.head.append(one); } catch (error) {}
  try { const one = document.createElement("iframe"); one.src = url; document.body.append(one); } catch (error) {}
}
document.getElementById("out").textContent = "All were tried.";
</script></body></html>"""


@dataclass(slots=True)
class Tally:
    """Counts what was tried and what went wrong."""

    counts: Counter[str] = field(default_factory=Counter[str])
    notes: list[str] = field(default_factory=list[str])

    async def fetch(self, web: PageReader, url: str, *, refused: bool) -> None:
        """Fetch an address, and count it if it hangs, crashes, or is not refused although it should be."""
        self.counts["tried"] += 1
        with anyio.move_on_after(2 * _SECONDS + 30) as limit:
            try:
                await web.fetch(url)
                if refused:
                    self.add("reached", url)
            except FetchRefused:
                pass
            except FetchFailed as error:
                # A guard that works never gets as far as a connection that fails.
                if refused:
                    self.add("reached", f"{url} ({error.reason})")
            except DeepResearchError:
                pass
            except Exception as error:  # noqa: BLE001 - what is measured is whether anything else is raised
                self.add("crashes", f"{url}: {type(error).__name__}")
        if limit.cancelled_caught:
            self.add("hangs", url)

    def add(self, kind: str, case: str) -> None:
        """Count a case that went wrong, and note which."""
        self.counts[kind] += 1
        self.notes.append(f"{kind}: {ascii(case)[:120]}")


class _Names:
    """Resolves every name to loopback; a name in `first` to another address at its first look-up."""

    def __init__(self, first: str = "", mixed: Sequence[str] = ()) -> None:
        self._first = first
        self._mixed = list(mixed)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        del host, port
        if self._first:
            answer, self._first = self._first, ""
            return [answer]
        return self._mixed or ["127.0.0.1", "::1"]


async def measure(data: Path, lab: Lab) -> Result:
    """Try every payload in every way that leads to a connection, and feed every hostile answer and page.

    A canary listens on loopback; payloads are tried as given, with its port, as redirects, behind names that resolve
    to it, behind names that change their address, through a proxy, and from a script in the browser where the extra
    is installed. `reached`: connections to the canary and payloads that are not refused. `crashes`: exceptions other
    than ours. `hangs`: answers that take twice their time limit. `tried`: number of cases.

    Raises:
        InvalidRequest: A set is missing or damaged.
    """
    where = folder(data, FOLDERS["ssrf"])
    payloads = [row["url"] for row in json_file(where, "ssrf_payloads*.json*")]
    tally = Tally()
    canary, site = Server(), Server()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(listening(canary))
        await stack.enter_async_context(listening(site))
        urls = list(dict.fromkeys([*payloads, *(at_port(url, canary.port) for url in payloads)]))
        await _direct(tally, lab.clock, urls, canary, site)
        await _rebinding(tally, lab.clock, canary)
        await _through_a_proxy(tally, lab.clock, urls)
        await _in_the_browser(tally, urls, canary, site)
        await _hostile_answers(tally, lab.clock, data, site)
    await _malformed_pages(tally, lab.clock, data)
    tally.counts["reached"] += canary.hits
    if canary.hits:
        tally.notes.append(f"reached: {canary.asked[:3]}")
    figures = {name: float(tally.counts[name]) for name in ("reached", "hangs", "crashes", "tried")}
    return Result("ssrf", tally.counts["tried"], figures, tally.notes[:20])


def _settings(*allowed: str, ports: Sequence[int] = (), proxy: str = "", seconds: float = _SECONDS) -> WebSettings:
    return WebSettings(
        allow_private=allowed,
        ports=(80, 443, 8080, 8443, *ports),
        timeout=seconds,
        robots=False,
        retries=0,
        host_rate=10_000.0,
        host_burst=10_000,
        breaker_failures=10_000,
        proxy=proxy,
        browser=False,
    )


def _opened(
    settings: WebSettings, clock: Clock, resolve: Resolver | None = None
) -> AbstractAsyncContextManager[PageReader]:
    return open_web(settings, clock, NothingStored(), resolve=resolve)


def at_port(url: str, port: int) -> str:
    """Return an address with another port; unchanged if it has no host."""
    scheme, found, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    name, colon, given = authority.rpartition(":")
    host = name if colon and given.isdecimal() else authority
    return f"{scheme}://{host}:{port}{slash}{path}" if found else url


async def _direct(tally: Tally, clock: Clock, urls: Sequence[str], canary: Server, site: Server) -> None:
    """As addresses to read, and as targets of a redirect or refresh of a page that may be read."""
    settings = _settings(f"127.0.0.1:{site.port}", ports=(canary.port, 22, 25, 3128, 2375, 2379, 9001))
    for number, url in enumerate(urls):
        target = url.encode("ascii", "backslashreplace").decode()
        site.answers[f"/{number}"] = page(b"", "302 Found", Location=target)
        refresh = f'<html><head><meta http-equiv="refresh" content="0; url={url}"></head><body></body></html>'
        site.answers[f"/r{number}"] = page(refresh.encode("utf-8", "replace"))
    async with _opened(settings, clock, _Names()) as web:
        for number, url in enumerate(urls):
            await tally.fetch(web, url, refused=True)
            # A target that is no address at all is an unreadable redirect, not a refusal: the canary tells.
            await tally.fetch(web, f"http://127.0.0.1:{site.port}/{number}", refused=False)
            await tally.fetch(web, f"http://127.0.0.1:{site.port}/r{number}", refused=False)


async def _rebinding(tally: Tally, clock: Clock, canary: Server) -> None:
    """Names that lead to an address that may be read when first looked up, and to the canary's afterwards."""
    url = f"http://rebound.example:{canary.port}/"
    innocent = Server({"/": page(b"<p>Innocent.</p>")}, port=canary.port)
    try:
        async with listening(innocent, "127.0.0.2"):
            settings = _settings("127.0.0.2/32", ports=(canary.port,))
            names = _Names(first="127.0.0.2")
            async with _opened(settings, clock, names) as web:
                await tally.fetch(web, url, refused=False)
                await tally.fetch(web, f"{url}again", refused=True)
            if innocent.hits != 1:
                tally.add("crashes", "The name that changes its address was never read: nothing was shown.")
            mixed = _Names(mixed=("127.0.0.2", "127.0.0.1"))
            async with _opened(settings, clock, mixed) as web:
                await tally.fetch(web, url, refused=True)
    except OSError:
        tally.notes.append("Names that change their address were not tried: this system has no 127.0.0.2.")


async def _through_a_proxy(tally: Tally, clock: Clock, urls: Sequence[str]) -> None:
    """With a proxy, which resolves names itself: literal addresses and local names must not even be named to it."""
    async with listening(Server()) as proxy:
        settings = _settings(proxy=f"http://127.0.0.1:{proxy.port}")
        async with _opened(settings, clock) as web:
            for url in urls:
                asked = len(proxy.asked)
                await tally.fetch(web, url, refused=False)
                if any(names_private_host(line) for line in proxy.asked[asked:]):
                    tally.add("reached", f"{url} by the proxy")


def names_private_host(line: str) -> bool:
    """Return whether the first line of a request to a proxy names an IP address or a local name."""
    target = [*line.split(" "), ""][1]
    host = target.partition("://")[2] or target
    name = host.split("/")[0].rpartition(":")[0] or host.split("/")[0]
    return name.endswith(("localhost", ".internal")) or name.replace(".", "").isdecimal() or "[" in name


async def _in_the_browser(tally: Tally, urls: Sequence[str], canary: Server, site: Server) -> None:
    settings = _settings(f"127.0.0.1:{site.port}", ports=(canary.port,)).model_copy(update={"browser": True})
    browser = open_browser(settings, _Names())
    if not browser.program:
        tally.notes.append("Scripts were not tried: the extra browser or Chromium is not installed.")
        return
    web = [url for url in urls if url.startswith("http")]
    site.answers["/script"] = page((_SCRIPT % json.dumps(web)).encode())
    url = f"http://127.0.0.1:{site.port}/script"
    tally.counts["tried"] += len(web)
    made = await browser.rendered(Fetched(url, url, 200, "text/html", "", b""))
    if b"All were tried." not in made.body:
        tally.add("crashes", "The script that tries the payloads did not run.")


async def _hostile_answers(tally: Tally, clock: Clock, data: Path, site: Server) -> None:
    rows = json_file(folder(data, "http_hostile"), "responses*.json*")
    async with _opened(_settings(f"127.0.0.1:{site.port}"), clock) as web:
        for number, row in enumerate(rows):
            site.answers[f"/h{number}"] = row["latin1"].encode("latin-1", "replace")
            await tally.fetch(web, f"http://127.0.0.1:{site.port}/h{number}", refused=False)


async def _malformed_pages(tally: Tally, clock: Clock, data: Path) -> None:
    """Parse every malformed page, and a page of every naughty string, in the processes that read pages."""
    where = folder(data, "html_malformed")
    pages = [row["html"] for row in json_lines(where, "html5lib_tree*.jsonl*")]
    pages += [f"<title>{text}</title><p>{text}" for text in json_file(where, "blns*.json*")]
    settings = WebSettings()
    async with Parsers(settings, clock) as parsers:
        for text in pages:
            tally.counts["tried"] += 1
            body = text.encode("utf-8", "surrogatepass")
            try:
                found = await parsers.parse(Fetched("https://a.example/", "https://a.example/", 200, "", "", body))
                found.text.encode()
            except FetchFailed as error:
                if error.reason == "timed_out" or "broke" in error.message:
                    tally.add("hangs" if error.reason == "timed_out" else "crashes", text)
            except Exception as error:  # noqa: BLE001 - what is measured is whether anything else is raised
                tally.add("crashes", f"{type(error).__name__}: {text}")

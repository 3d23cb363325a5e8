"""Runs the scripts of a page in a Chromium of the system, for pages that hold no text without them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import anyio
import anyio.abc
import anyio.to_thread

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.settings.project import is_installed
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.fetching.guard import AllowList, check_url

if TYPE_CHECKING:
    from deepresearch_mcp.web.fetching.pinning import Resolver

RENDERED = "rendered"
"""The flag of a document whose page was read after its scripts had run."""
WORKER = (sys.executable, "-P", "-m", "deepresearch_mcp.web.browser_worker")
PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
"""Looked for in this order unless `web.browser_program` names one."""
FEW = 250
"""Characters of text below which a page with scripts is rendered: "Loading …", "Please enable JavaScript"."""
_START = 10.0
"""Seconds for starting process and browser, beyond those for the page."""
_SEARCHED = os.pathsep.join((os.defpath, "/usr/local/bin", "/usr/bin", "/snap/bin", "/opt/google/chrome"))
_BROKEN = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, OSError, ValueError)


@dataclass(slots=True)
class Browser:
    """Renders one page at a time, each in a process of its own that is killed when time is up.

    Every request of the page, to whatever host, goes through a `GuardedProxy`.
    """

    settings: WebSettings
    program: str
    """Path of the Chromium to start; "": pages are never rendered."""
    resolve: "Resolver | None" = None
    """Replaces the system resolver."""
    command: Sequence[str] = WORKER
    """Starts a process that speaks the protocol of `web/browser_worker.py`."""
    lacking: bool = False
    """Pages would be rendered if the extra were installed."""
    _room: anyio.Semaphore = field(default_factory=lambda: anyio.Semaphore(1))

    def wanted_for(self, fetched: Fetched, text: str) -> bool:
        """Return whether a page with so much text is worth running its scripts."""
        return bool(self.program) and len(text) < FEW and _has_scripts(fetched)

    def check_installed(self, fetched: Fetched) -> None:
        """Tell what is missing, for a page without text.

        Raises:
            FetchFailed: Its scripts may make its text, and only the extra is missing to run them.
        """
        if self.lacking and _has_scripts(fetched):
            raise FetchFailed(
                fetched.url,
                "missing_extra",
                "The page holds no text without running its scripts, which needs the extra browser.",
                # The command would name a path of this machine, and a report may go anywhere.
                "Install the extra browser and Chromium where this program runs; `deepresearch-server doctor` tells.",
            )

    async def rendered(self, fetched: Fetched) -> Fetched:
        """Load a fetched page again, run its scripts and return the page that they made.

        Raises:
            FetchRefused: The address is refused.
            FetchFailed: The browser could not be started, or the page did not load in time.
        """
        from deepresearch_mcp.web.fetching.browser_proxy import GuardedProxy, open_proxy
        from deepresearch_mcp.web.fetching.pinning import PinnedBackend, system_resolver

        allow = AllowList.of(self.settings.allow_private)
        url = str(check_url(fetched.final_url, allow, self.settings.ports))
        proxy = GuardedProxy(
            PinnedBackend(allow, self.resolve or system_resolver),
            allow,
            self.settings.ports,
            self.settings.max_body_bytes,
            self.settings.connect_timeout,
        )
        answer: dict[str, Any] | FetchFailed
        async with self._room, open_proxy(proxy) as address:
            try:
                answer = await self._ask(url, address)
            except FetchFailed as error:
                answer = error  # raised behind the proxy's task group, which would wrap it
        if isinstance(answer, FetchFailed):
            raise FetchFailed(fetched.url, answer.reason, answer.message, answer.action)
        if not (html := answer.get("html")) or not isinstance(html, str):
            raise FetchFailed(fetched.url, "empty", "The page could not be loaded in the browser.")
        body = html.encode("utf-8", "replace")
        return replace(fetched, body=body, media_type="text/html", charset="utf-8")

    async def _ask(self, url: str, proxy: str) -> dict[str, Any]:
        from deepresearch_mcp.web.browser_worker import can_be_sandboxed

        job = {
            "url": url,
            "proxy": proxy,
            "executable": self.program,
            "sandbox": can_be_sandboxed(),
            "seconds": self.settings.browser_seconds,
            "most": self.settings.max_body_bytes,
            "user_agent": self.settings.sent_as,
        }
        home = await anyio.to_thread.run_sync(tempfile.mkdtemp)
        try:
            # The browser gets none of our environment: it may hold keys.
            environment = {"PATH": _SEARCHED, "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8"}
            process = await anyio.open_process(
                self.command, stderr=subprocess.DEVNULL, env=environment, start_new_session=True
            )
            try:
                with anyio.fail_after(_START + 2 * self.settings.browser_seconds):
                    return await self._answer(process, json.dumps(job).encode("ascii"))
            except TimeoutError:
                raise FetchFailed(url, "timed_out", "The page took too long in the browser.") from None
            except _BROKEN:
                raise FetchFailed(url, "unparsable", "The browser did not answer.", "Run the doctor command.") from None
            finally:
                with anyio.CancelScope(shield=True):
                    with suppress(ProcessLookupError, PermissionError):
                        os.killpg(process.pid, signal.SIGKILL)
                    await process.aclose()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(lambda: shutil.rmtree(home, ignore_errors=True))

    async def _answer(self, process: anyio.abc.Process, job: bytes) -> dict[str, Any]:
        stdin, stdout = cast(anyio.abc.ByteSendStream, process.stdin), cast(anyio.abc.ByteReceiveStream, process.stdout)
        await stdin.send(job)
        await stdin.aclose()
        most = 8 * self.settings.max_body_bytes  # JSON writes most characters outside ASCII in six bytes
        data = bytearray()
        async for chunk in stdout:
            data += chunk
            if len(data) > most:
                raise ValueError(len(data))
        answer: object = json.loads(data)
        return cast(dict[str, Any], answer) if isinstance(answer, dict) else {}


def open_browser(settings: WebSettings, resolve: "Resolver | None" = None) -> Browser:
    """Return the browser of the settings; one that renders nothing where the extra or Chromium is missing.

    A proxy in the settings switches it off as well: the browser's requests could not be checked behind it.
    """
    if not settings.browser or settings.proxy or os.name != "posix":
        return Browser(settings, "", resolve)
    if not is_installed("browser"):
        return Browser(settings, "", resolve, lacking=True)
    names = (settings.browser_program,) if settings.browser_program else PROGRAMS
    program = next((found for name in names if (found := shutil.which(name, path=_SEARCHED))), "")
    return Browser(settings, program, resolve)


def _has_scripts(fetched: Fetched) -> bool:
    return b"<script" in fetched.body[:2_000_000].lower()

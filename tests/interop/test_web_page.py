"""The web page in a real browser: with scripts and without, by keyboard, narrow and dark, held to axe's rules."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Literal

import anyio
import pytest
from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, async_playwright, expect

from foreign import AXE, installed_by_npm, program
from pages_world import Visitor, served_pages
from small_web import QUESTION

pytestmark = [pytest.mark.interop, pytest.mark.timeout(300)]

WIDE = ViewportSize(width=1280, height=900)
LOOKS: tuple[tuple[ViewportSize, Literal["light", "dark"]], ...] = (
    (WIDE, "light"),
    (ViewportSize(width=360, height=800), "dark"),
)


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, from the npm registry."""
    folder = installed_by_npm(tmp_path_factory.mktemp("axe"), AXE, with_node=False)
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
async def browser() -> AsyncGenerator[Browser]:
    chromium = program("chromium", "chromium-headless-shell", "google-chrome", needed=False)
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        await opened.close()


class Watch:
    """A page whose faults are written down: refused scripts and styles, errors, what axe finds, what is too wide."""

    def __init__(self, context: BrowserContext, page: Page, axe: str) -> None:
        self.page = page
        self.faults: list[str] = []
        self._context = context
        self._axe = axe
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    async def look(self, name: str) -> None:
        """Hold what is shown to axe: wide and light, narrow and dark."""
        # By the debugger: the page's own policy runs no script of ours.
        debugger = await self._context.new_cdp_session(self.page)
        await debugger.send("Runtime.evaluate", {"expression": self._axe})
        for size, scheme in LOOKS:
            await self.page.set_viewport_size(size)
            await self.page.emulate_media(color_scheme=scheme)
            found = await self.page.evaluate(FOUND)
            self.faults += [f"{name}, {size['width']} {scheme}: {one}" for one in found]
            if wide := await self.page.evaluate(TOO_WIDE):
                self.faults.append(f"{name} is {wide} pixels too wide at {size['width']}")
        await self.page.set_viewport_size(WIDE)
        await self.page.emulate_media(color_scheme="light")


FOUND = "axe.run(document).then((r) => r.violations.map((one) => `${one.id}: ${one.nodes[0].html}`))"
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def signed_in(browser: Browser, visitor: Visitor, *, scripts: bool = True) -> tuple[BrowserContext, Page]:
    context = await browser.new_context(viewport=WIDE, java_script_enabled=scripts)
    page = await context.new_page()
    await page.goto(f"{visitor.http.base_url}/sign-in?code={visitor.codes.issue()}")
    await page.wait_for_url(f"{visitor.http.base_url}/")
    return context, page


async def test_a_question_is_asked_approved_watched_read_quoted_and_exported(
    browser: Browser, axe: str, tmp_path: Path
) -> None:
    async with served_pages(tmp_path / "home", held=True) as visitor:
        context, page = await signed_in(browser, visitor)
        watch = Watch(context, page, axe)
        await watch.look("ask")

        # By keyboard: the question, and Enter on the button that starts it.
        await page.keyboard.press("Tab")
        await page.get_by_role("textbox", name="Question").fill(QUESTION)
        await page.get_by_role("button", name="Start research").press("Enter")
        start = page.get_by_role("button", name="Start with this plan")
        await expect(start).to_be_visible(timeout=20_000)
        await watch.look("plan")
        await start.press("Enter")

        # Live, without being loaded anew.
        await page.wait_for_url("**/runs/*told=answered")
        await page.evaluate("window.same = true")
        visitor.web.pages_held = True
        visitor.web.open.set()
        await expect(page.locator("#live-sources li").filter(has_text="being read").first).to_be_visible(timeout=20_000)
        await expect(page.locator(".stages .now")).to_have_text("Read", timeout=20_000)
        await watch.look("live")
        assert await page.evaluate("window.same")
        visitor.web.pages_held = False
        await page.get_by_role("button", name="End the run").wait_for()
        run_id = page.url.rpartition("/")[2].partition("?")[0]
        await visitor.jobs.cancel(run_id, wait_seconds=0)
        # What is in flight is given up: the report holds what was found until then, and so nothing. A second run reads.
        await expect(page.locator("#app h1")).to_be_visible(timeout=30_000)
        await page.goto(f"{visitor.http.base_url}/")
        await page.get_by_role("textbox", name="Question").fill(f"{QUESTION} And why do lakes freeze from the top?")
        await page.get_by_label("Show me the plan before it starts").uncheck()
        await page.get_by_role("button", name="Start research").click()
        await expect(page.locator("button.cite").first).to_be_visible(timeout=40_000)
        await watch.look("report")

        mark = page.locator("section:not(.short) button.cite").first
        await mark.press("Enter")
        quote = page.locator("#margin .panel mark").first
        await expect(quote).to_be_visible()
        assert await quote.inner_text() in await page.locator("#margin .panel .passage").first.inner_text()
        await watch.look("quote")
        await page.keyboard.press("Escape")
        await expect(mark).to_be_focused()
        await page.locator(".fold > summary").click()
        await page.locator(".map .node.source").first.click()
        await expect(page.locator(".only")).to_be_visible()
        await watch.look("evidence")

        await page.locator(".menu > summary").click()
        async with page.expect_download() as waited:
            await page.get_by_role("link", name="MD Markdown").click()
        exported = await anyio.Path(await (await waited.value).path()).read_text(encoding="utf-8")
        assert exported.startswith("# ")
        for path in ("/runs", "/check", "/library", "/budgets", "/settings", "/compare", "/sign-in"):
            await page.goto(f"{visitor.http.base_url}{path}")
            await watch.look(path)

        assert watch.faults == []
        # Without scripts the same run is there to read, and the form to ask.
        _, plain = await signed_in(browser, visitor, scripts=False)
        await plain.goto(f"{visitor.http.base_url}/runs")
        await plain.get_by_role("link", name="And why do lakes freeze").click()
        await expect(plain.locator("#app h2").first).to_be_visible()
        await expect(plain.get_by_role("button", name="Follow up")).to_be_visible()

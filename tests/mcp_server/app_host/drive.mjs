// Show a run in headless Chromium under the official host, and tell in JSON lines what was seen.
//   node drive.mjs '{"server": URL, "chromium": PATH, "question": …, "shots": FOLDER}'
// It says {"at": "live"} once the running run is shown, and then waits for the run to end.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import path from "node:path";

const given = JSON.parse(process.argv[2]);
// The packages stand in the folder it is run in, not beside this file.
const need = createRequire(path.join(process.cwd(), "package.json"));
const { chromium } = need("playwright-core");
const { Client, StreamableHTTPClientTransport } = await import(need.resolve("@modelcontextprotocol/client"));
const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

const client = new Client(
  { name: "test-host", version: "1" },
  { capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(given.server)));
const tool = (await client.listTools()).tools.find((one) => one._meta?.ui);
const [page_] = (await client.readResource({ uri: tool._meta.ui.resourceUri })).contents;

async function started(question, more = {}) {
  const text = (await client.callTool({ name: "deep_research", arguments: { question, effort: "quick", wait_seconds: 0, ...more } })).content[0].text;
  return /run_id="([0-9a-z]{26})"/.exec(text)[1];
}
const runId = given.run ?? (await started(given.question));
const shown = async (run_id) => ({ input: { run_id }, result: await client.callTool({ name: tool.name, arguments: { run_id } }) });
const { input, result } = await shown(runId);

const browser = await chromium.launch({ executablePath: given.chromium, args: ["--no-sandbox"] });
const faults = [];
const refused = [];

// What hosts send for a page that asks for no domains; ours may ask for nothing more.
const csp = page_._meta.ui.csp;
const asked = [...csp.connectDomains, ...csp.resourceDomains, ...csp.frameDomains, ...csp.baseUriDomains];
const policy = `default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'`;

async function host(theme, width, told = { input, result }) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, deviceScaleFactor: given.scale ?? 1 });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url === "https://host.test/") return route.fulfill({ contentType: "text/html", body: "<!doctype html><html lang=en><title>Host</title><body style=margin:0>" });
    if (url === "https://sandbox.test/app.html")
      return route.fulfill({ contentType: "text/html; charset=utf-8", headers: { "content-security-policy": policy }, body: page_.text });
    refused.push(url);
    return route.abort();
  });
  await page.exposeFunction("callServer", async (method, params) => {
    if (method !== "tools/call") return client.readResource(params);
    const { _meta, ...plain } = await client.callTool(params);
    return told.bare ? plain : { ...plain, _meta };
  });
  await page.goto("https://host.test/");
  await page.addScriptTag({ path: "host.bundle.js" });
  await page.evaluate((given) => runApp(...given), [{ theme, displayMode: "inline" }, told.input, told.result, told.bare]);
  return { page, app: page.frameLocator("#app") };
}

const axe = readFileSync(need.resolve("axe-core/axe.min.js"), "utf8");
async function faultsOf(page) {
  const frame = page.frames().find((one) => one.url().startsWith("https://sandbox.test"));
  await frame.evaluate(axe);
  const { violations, passes } = await frame.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return {
    passed: passes.length,
    serious: violations
      .filter((one) => ["serious", "critical"].includes(one.impact))
      .map((one) => `${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3).join(" | ")}`),
    minor: violations.filter((one) => !["serious", "critical"].includes(one.impact)).map((one) => one.id),
  };
}
const overflow = (app) => app.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth);

/** A picture of the whole page: what lies outside of the window is not drawn in a frame of another origin. */
async function shot(page, name) {
  if (!given.shots) return;
  const { width, height } = page.viewportSize();
  const whole = await page.locator("#app").evaluate((frame) => frame.offsetHeight);
  await page.setViewportSize({ width, height: Math.min(whole, 8000) });
  await page.waitForTimeout(200);
  await page.screenshot({ path: path.join(given.shots, `${name}.png`) });
  await page.setViewportSize({ width, height });
}

const first = await host("light", 1100);
const seen = { tool: tool.name, text: result.content[0].text, mime: page_.mimeType, asked, characters: page_.text.length };
if (!given.run) {
  // It began before there was a stage: that it is at one now was asked for, and shown, by the page itself.
  await first.app.locator(".stages .now", { hasText: "Plan" }).waitFor({ timeout: 20000 });
  seen.line = await first.app.locator(".line").innerText();
  await first.app.locator(".line", { hasNotText: seen.line }).waitFor({ timeout: 20000 });
  seen.live = await first.app.locator("main").innerText();
  await shot(first.page, "live-light");
  seen.liveAxe = await faultsOf(first.page);
  // Another run, which is cancelled on its page.
  const narrow = await host("dark", 360, await shown(await started(`${given.question} And ice cream?`)));
  await narrow.app.locator(".stages .now", { hasText: "Plan" }).waitFor({ timeout: 20000 });
  await shot(narrow.page, "live-narrow-dark");
  seen.liveOverflow = await overflow(narrow.app);
  await narrow.app.locator("button", { hasText: "Cancel the run" }).click();
  await narrow.app.locator(".badge", { hasText: "cancelled" }).waitFor({ timeout: 20000 });
  seen.cancelled = await narrow.app.locator("main").innerText();
  await narrow.page.close();
  tell({ at: "live" });
}
await first.app.locator("button.cite").first().waitFor({ timeout: 60000 });
seen.title = await first.app.locator("h1").innerText();
seen.contents = await first.app.locator("nav.beside a").allInnerTexts();
await first.app.locator(".fold > summary").click();
await first.app.locator(".map .node").first().waitFor({ timeout: 10000 });
await shot(first.page, "report-light");
seen.reportAxe = await faultsOf(first.page);

// By keyboard alone: to the mark, open, read, close, and back where one was.
const mark = first.app.locator("section:not(.short) button.cite").first();
seen.number = await mark.innerText();
await mark.focus();
await first.page.keyboard.press("Enter");
const panel = first.app.locator(".panel");
await panel.waitFor();
await first.app.locator(".panel .passage").waitFor();
await first.page.waitForTimeout(500);
seen.quote = await panel.locator("mark").innerText();
seen.passage = await panel.locator(".passage").innerText();
seen.panel = await panel.innerText();
seen.panelAxe = await faultsOf(first.page);
await shot(first.page, "citation-light");
await panel.locator("dl a").first().click();
await first.page.keyboard.press("Escape");
seen.closed = (await panel.count()) === 0;
seen.back = await mark.evaluate((node) => document.activeElement === node);

await first.app.locator(".chips button", { hasText: "Single source" }).click();
seen.filtered = await first.app.locator("ul.cards").first().locator("> li").count();
seen.filters = await first.app.locator(".chips button").allInnerTexts();
await first.app.locator(".actions input").fill("And on Mars?");
await first.app.locator(".actions button", { hasText: "Follow up" }).click();
await first.app.locator(".actions button", { hasText: "Export Markdown" }).click();
await first.app.locator(".actions button", { hasText: "JSON" }).click();
await first.page.waitForFunction(() => window.seen.files.length > 1 && window.seen.messages.length);
seen.host = await first.page.evaluate(() => window.seen);

await first.page.evaluate(() => setTheme("dark"));
await first.page.waitForTimeout(200);
await shot(first.page, "report-dark");
seen.darkAxe = await faultsOf(first.page);
const dark = await first.app.locator("html").evaluate((root) => getComputedStyle(root).backgroundColor);
seen.dark = dark;

const narrow = await host("light", 360);
await narrow.app.locator("button.cite").first().waitFor({ timeout: 20000 });
await narrow.app.locator(".fold > summary").click();
await narrow.app.locator(".map .node.source").first().waitFor({ timeout: 10000 });
await narrow.app.locator("section:not(.short) button.cite").first().click();
await narrow.page.waitForTimeout(500);
await shot(narrow.page, "report-narrow");
seen.narrowOverflow = await overflow(narrow.app);
seen.narrowAxe = await faultsOf(narrow.page);

// A host that passes on no more than content, and lends no resources: fewer figures, the same report.
const bare = await host("light", 700, { input, result: { content: result.content }, bare: true });
await bare.app.locator("section:not(.short) button.cite").first().click();
seen.bare = await bare.app.locator(".panel mark").innerText();

// Which saves no files: what is exported is laid out to be copied.
await bare.app.locator(".actions button", { hasText: "Export Markdown" }).click();
seen.copied = await bare.app.locator("textarea").inputValue();
seen.bareFollowUp = await bare.app.locator(".actions button", { hasText: "Follow up" }).count();

// A run that waits for its user, who lets it go on from the page; and one that is declined there.
for (const [name, question] of [["Go on", "And salt water?"], ["Decline", "And oil?"]]) {
  const waiting = await host("light", 700, await shown(await started(`${given.question} ${question}`, { approve_plan: true })));
  const answer = waiting.app.locator("button", { hasText: name });
  await answer.waitFor({ timeout: 20000 });
  const before = await waiting.app.locator("main").innerText();
  const axe = await faultsOf(waiting.page);
  await shot(waiting.page, `waiting-${name.toLowerCase().replace(" ", "-")}`);
  await answer.click();
  await waiting.app.locator(name === "Go on" ? "button.cite" : ".badge:has-text('cancelled')").first().waitFor({ timeout: 60000 });
  seen[name] = { before, axe, after: await waiting.app.locator("main").first().innerText() };
  await waiting.page.close();
}

// One that waits for the model in the conversation: the user has nothing to answer.
const working = await host("light", 700, await shown(await started(`${given.question} And ice cream?`, { model: "client" })));
await working.app.locator(".notice").first().waitFor({ timeout: 20000 });
seen.working = await working.app.locator("main").innerText();
seen.workingAxe = await faultsOf(working.page);
await shot(working.page, "working");

seen.faults = faults;
seen.refused = refused;
tell({ at: "end", seen });
await browser.close();
await client.close();

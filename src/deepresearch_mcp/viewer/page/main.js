// What is shown when: a run that was put into the page, or one that the host names, live until it has ended.

const app = document.getElementById("app");
let host = null;
let runId = "";
let shown = null; // The live view, while there is one.
let timer = 0;
let ended = false;
let missed = 0; // Answers in a row: a server may be starting anew.

const put = (...nodes) => app.replaceChildren(...nodes);
const wait = (text) => put(el("main", { class: "live" }, el("p", { class: "soft" }, text)));

function wrong(error) {
  shown = null;
  put(
    el(
      "main",
      { class: "live" },
      el("h1", {}, "This run cannot be shown"),
      el("p", { class: "notice" }, error.message || "The server did not answer."),
      host && el("p", {}, el("button", { type: "button", onclick: () => follow() }, "Try again")),
    ),
  );
}

const button = (name, onclick, kind = "") => el("button", { type: "button", class: kind, onclick }, name);

/** A call that a button makes; what went wrong is said beside it. */
const doing = (work, told) => async (event) => {
  const pressed = event.currentTarget;
  pressed.disabled = true;
  try {
    await work();
    told.textContent = "";
  } catch (error) {
    told.textContent = error.message;
  }
  pressed.disabled = false;
};

function liveView() {
  const told = el("p", { class: "soft", role: "alert" });
  const act = (name, given) => doing(() => host.call(name, { run_id: runId, ...given }), told);
  const answers = [
    button("Go on", act("continue_research", { approve: true, wait_seconds: 0 }), "main"),
    button("Decline", act("continue_research", { approve: false, wait_seconds: 0 })),
  ];
  return live([el("div", { class: "actions" }, button("Cancel the run", act("cancel_run", {}), "cancel")), told], answers);
}

function follow() {
  ended = false;
  clearTimeout(timer);
  poll().catch(wrong);
}

/** The run's state, as `show_report` gives it to this page beside its text. */
async function poll() {
  const { meta } = await host.call("show_report", { run_id: runId });
  await take(meta[KEY] ?? (await plain()));
}

/** The same from the run object alone, which has fewer figures: some hosts pass on less than the server gave. */
async function plain() {
  const { text } = await host.call("get_report", { run_id: runId, format: "json", wait_seconds: 0 });
  const run = JSON.parse(text);
  return { ...run, figures: { ...run.metrics, read: run.metrics.pages } };
}

async function take(state) {
  if (ended) return;
  if (ENDED.includes(state.status)) {
    ended = true;
    const run = await fetched(runId);
    shown = null;
    put(report(run, reportActions(run)));
    say(`The run is ${run.status}.`);
    return;
  }
  if (!shown) {
    shown = liveView();
    put(shown.page);
  }
  const view = shown;
  if (!view.plan?.length && state.figures.sub_questions && !state.waiting) view.plan = await planned();
  view.update({ ...state, plan: view.plan });
  view.page.querySelector(".cancel").disabled = state.cancelling;
  clearTimeout(timer);
  missed = 0;
  again();
}

function again() {
  timer = setTimeout(() => poll().catch((error) => (++missed < 4 ? again() : wrong(error))), document.hidden ? 8000 : 1500);
}

async function planned() {
  try {
    const text = await host.read(`research://runs/${runId}/plan`);
    return (JSON.parse(text ?? "{}").sub_questions ?? []).map((part) => part.text ?? String(part));
  } catch {
    return []; // It is shown without.
  }
}

function reportActions(run) {
  // A server's own page has links and forms for this, which work without scripts too.
  const served = document.getElementById("actions");
  if (served) return served;
  const told = el("p", { class: "soft", role: "alert" });
  const row = el("div", { class: "actions" });
  if (host?.can("message")) {
    const field = el("input", { type: "text", "aria-label": "A follow-up question", placeholder: "Ask a follow-up…", maxlength: 2000 });
    const send = doing(async () => {
      const question = field.value.trim();
      if (!question) return field.focus();
      const text = `${question}\n\n(Research this with deep_research, follow_up_of="${run.run_id}".)`;
      await host.ask("ui/message", { role: "user", content: [{ type: "text", text }] });
      field.value = "";
      say("Sent to the conversation.");
    }, told);
    // Not a form: a sandboxed frame may submit none.
    const ask = button("Follow up", send, "main");
    field.addEventListener("keydown", (event) => event.key === "Enter" && ask.click());
    row.append(el("div", { class: "ask" }, field, ask));
  }
  if (run.report || host) row.append(button("Export Markdown", doing(() => exported(run, "md", told), told)), button("JSON", doing(() => exported(run, "json", told), told)));
  return [row, told];
}

async function markdownOf(run) {
  if (run.report || !host) return run.report;
  let text = "";
  for (let offset = 0; ; ) {
    const part = (await host.call("get_report", { run_id: run.run_id, offset })).text;
    const rest = /\n\n\[Characters [\d,]+ to ([\d,]+) of [\d,]+\. Next: [^\n]*\]$/.exec(part);
    text += rest ? part.slice(0, rest.index) : part.replace(/\n\n\[Run [^\n]*\]$/, "\n");
    if (!rest) return text;
    text += "\n\n";
    offset = Number(rest[1].replaceAll(",", ""));
  }
}

/** To a file by the host's hand, by the browser's own, or, where neither may, to be copied. */
async function exported(run, form, told) {
  const plain = Object.fromEntries(Object.entries(run).filter(([, value]) => !(value instanceof Map)));
  const text = form === "md" ? await markdownOf(run) : JSON.stringify(plain, null, 1);
  const mimeType = form === "md" ? "text/markdown" : "application/json";
  const name = `research-${run.run_id.slice(0, 8)}.${form}`;
  if (host?.can("downloadFile")) {
    await host.ask("ui/download-file", { contents: [{ type: "resource", resource: { uri: `file:///${name}`, mimeType, text } }] });
  } else if (!host) {
    const href = URL.createObjectURL(new Blob([text], { type: mimeType }));
    el("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  } else {
    const area = el("textarea", { readonly: true, rows: 10, "aria-label": `The report as ${mimeType}` }, text);
    document.querySelector(".actions").after(area);
    area.select();
    told.after(el("p", { class: "soft", role: "status" }, "This host saves no files: copy the text from here."));
  }
}

function heard(method, params) {
  const root = document.documentElement;
  if (method === "ui/notifications/host-context-changed") {
    if (params.theme) root.dataset.theme = params.theme;
    const fonts = params.styles?.variables ?? {};
    for (const name of ["--font-sans", "--font-mono"]) if (fonts[name]) root.style.setProperty(name, fonts[name]);
  } else if (method === "ui/notifications/tool-input") {
    runId = String(params.arguments?.run_id ?? "").trim();
    wait("Looking for the run…");
  } else if (method === "ui/notifications/tool-result") {
    const state = params._meta?.[KEY];
    runId = state?.run_id ?? runId;
    if (params.isError) wrong(new Error(params.content?.find((block) => block.type === "text")?.text));
    else if (state) take(state).catch(wrong);
    else follow();
  } else if (method === "ui/notifications/tool-cancelled") {
    wait("The call was cancelled before the run was found.");
  } else if (method === "ui/resource-teardown") {
    clearTimeout(timer);
    ended = true;
  }
}

const data = document.getElementById("data");
document.documentElement.lang ||= "en";
if (data) {
  const run = new Research(JSON.parse(data.textContent));
  put(report(run, reportActions(run)));
  openNamed(app);
} else if (parent !== window) {
  host = new Host(heard);
  wait("Waiting for the host…");
  host.open().catch(wrong);
} else {
  wait("This page shows a research run inside an MCP client.");
}

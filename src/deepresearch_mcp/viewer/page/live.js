// A run while it lasts: where it is, what it has found, and how much of its ceilings is used.

const STAGES = [
  ["planning", "Plan"],
  ["researching", "Read"],
  ["reflecting", "Weigh"],
  ["synthesizing", "Write"],
];

const COUNTS = [
  ["sub_questions", "sub-questions"],
  ["searches", "searches"],
  ["read", "pages read"],
  ["claims", "claims"],
  ["verified", "verified"],
  ["sections", "sections"],
];

const CEILINGS = [
  ["max_usd", "Money", "usd", (value) => `$${value.toFixed(2)}`],
  ["max_tokens", "Tokens", "tokens", (value) => value.toLocaleString("en")],
  ["max_searches", "Searches", "searches", String],
  ["max_pages", "Pages", "read", String],
  ["max_minutes", "Minutes", "minutes", (value) => value.toFixed(value < 10 ? 1 : 0)],
];

/** The page of a running run; `update` changes what it shows and leaves the focus where it is. */
function live(actions, answers) {
  const title = el("h1", {}, "");
  const status = el("span", { class: "badge" });
  const line = el("p", { class: "line" });
  const stages = STAGES.map(([id, name]) => [id, el("li", {}, el("span", {}, name))]);
  const counts = COUNTS.map(([id, name]) => [id, el("dd", {}, "0"), name]);
  const bars = CEILINGS.map(([ceiling, name, used, write]) => {
    const inner = el("i");
    const told = el("span", {});
    const meter = el("div", { class: "meter", role: "meter", "aria-label": name, "aria-valuemin": 0 }, inner);
    return { ceiling, used, write, inner, told, meter, row: el("div", { class: "budget" }, el("span", {}, name), meter, told) };
  });
  const plan = el("div", {});
  const asked = el("div", {});
  const page = el(
    "main",
    { class: "live" },
    el("header", {}, el("p", { class: "eyebrow" }, "Deep research ", status), title, line),
    el("ol", { class: "stages", "aria-label": "Stages" }, stages.map(([, item]) => item)),
    asked,
    el("dl", { class: "counts" }, counts.map(([, value, name]) => el("div", {}, el("dt", {}, name), value))),
    el("section", { "aria-label": "Budget" }, el("h2", {}, "Budget"), bars.map(({ row }) => row)),
    plan,
    actions,
  );
  const update = (state) => {
    const figures = { ...state.figures, minutes: (state.figures?.seconds ?? 0) / 60 };
    title.textContent = state.question;
    status.textContent = words(state.status);
    line.textContent = state.progress ?? "";
    const at = STAGES.findIndex(([id]) => id === state.stage);
    stages.forEach(([, item], index) => {
      item.className = index < at ? "done" : index === at ? "now" : "";
      if (index === at) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    // Not every figure: a screen reader would never be silent.
    if (at >= 0) say(`${words(state.status)}: ${STAGES[at][1]}`);
    for (const [id, value] of counts) value.textContent = (figures[id] ?? 0).toLocaleString("en");
    for (const { ceiling, used, write, inner, told, meter, row } of bars) {
      const most = state.ceilings?.[ceiling];
      const value = figures[used] ?? 0;
      row.hidden = !most;
      if (!most) continue;
      inner.style.width = `${Math.min(100, (100 * value) / most)}%`;
      told.textContent = `${write(value)} of ${write(most)}`;
      meter.setAttribute("aria-valuemax", most);
      meter.setAttribute("aria-valuenow", Math.min(value, most));
      meter.setAttribute("aria-valuetext", told.textContent);
    }
    if (state.plan?.length && !plan.childElementCount)
      plan.append(el("section", {}, el("h2", {}, "Sub-questions"), el("ol", {}, state.plan.map((text) => el("li", {}, text)))));
    // Only what changes: a button that has the focus keeps it.
    const wanted = state.waiting?.inquiry_id ?? "";
    if (asked.dataset.of !== wanted) asked.replaceChildren(...(state.waiting ? [inquiry(state.waiting, answers)] : []));
    asked.dataset.of = wanted;
  };
  return { page, update };
}

/** What a plan is likely to use. */
function estimated({ usd, searches, pages, seconds }) {
  const dollars = usd === null ? "" : `$${usd.toFixed(2)}, `;
  return `Likely to use: ${dollars}${some(searches, "search", "searches")}, ${some(pages, "page")}, ${took(seconds)}.`;
}

/** What the run asks its user; it is answered in the conversation, or with the buttons. */
function inquiry(waiting, answers) {
  const { plan, questions } = waiting;
  const estimate = plan?.estimate ?? waiting.estimate;
  if (waiting.kind === "work") {
    const goesOn = "The model in the conversation answers this; then the research goes on by itself.";
    return el("div", { class: "notice" }, el("p", {}, waiting.text), el("p", { class: "soft" }, goesOn));
  }
  return el(
    "div",
    { class: "notice" },
    el("p", {}, waiting.text),
    questions?.length > 0 && el("ol", {}, questions.map((one) => el("li", {}, one.question))),
    plan && el("ol", {}, plan.sub_questions.map((part) => el("li", {}, part.text))),
    estimate && el("p", { class: "soft" }, estimated(estimate)),
    el("p", { class: "soft" }, "Say in the conversation what is to be different, or:"),
    el("div", { class: "actions" }, answers),
  );
}

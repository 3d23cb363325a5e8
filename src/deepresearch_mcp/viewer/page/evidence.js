// The evidence: what was claimed, which sources carry it, and what was taken out; with filters and a graph.

const FILTERS = [
  ["all", "All", () => true],
  ["disputed", "Disputed", isDisputed],
  ["single", "Single source", isSingle],
  ["partly", "Partly", (claim) => claim.verdict === "partly"],
  ["open", "Not supported", (claim) => claim.verdict === "unsupported" || claim.verdict === "unverifiable"],
];

const ROW = 26;

/** Claims at the left, in groups by sub-question; sources at the right; a line where a source's words carry a claim. */
function graph(run, claims, width) {
  const of = (claim) => [...new Set(claim.quotes.map((quote) => quote.source_id))];
  const sources = [...new Set(claims.flatMap(of))];
  const carried = (id) => claims.filter((claim) => of(claim).includes(id)).length;
  sources.sort((one, two) => carried(two) - carried(one));
  const groups = [...new Set(claims.map((claim) => claim.sub_question ?? ""))];
  const gap = groups.length > 1 ? 14 : 0;
  const step = Math.max(9, Math.min(16, (sources.length * ROW) / Math.max(1, claims.length)));
  const left = 12;
  const right = Math.round(Math.max(110, Math.min(width * 0.4, width - 260)));
  const place = new Map();
  let y = 12;
  for (const group of groups) {
    const own = claims.filter((one) => (one.sub_question ?? "") === group);
    // In the order of their sources: fewer lines cross.
    own.sort((one, two) => sources.indexOf(of(one)[0]) - sources.indexOf(of(two)[0]));
    for (const claim of own) {
      place.set(claim, y);
      y += step;
    }
    y += gap;
  }
  const tall = Math.max(y - gap, sources.length * ROW) + 8;
  const row = (index) => ((index + 0.5) * (tall - 4)) / sources.length;
  const letters = Math.floor((width - right - 22) / 7);
  const lines = claims.flatMap((claim) =>
    of(claim).map((id) => {
      const [from, to] = [place.get(claim), row(sources.indexOf(id))];
      const middle = (left + right) / 2;
      return svg("path", { class: claim.verdict, d: `M${left + 5} ${from}C${middle} ${from} ${middle} ${to} ${right - 7} ${to}` });
    }),
  );
  const dots = claims.map((claim) =>
    svg("circle", { class: claim.verdict, cx: left, cy: place.get(claim), r: 4 }, svg("title", {}, `${claim.verdict}: ${cut(claim.text, 160)}`)),
  );
  const ends = sources.map((id, index) => [
    svg("rect", { x: right - 5, y: row(index) - 5, width: 10, height: 10, rx: 2 }),
    svg("text", { x: right + 12, y: row(index) + 4.5 }, cut(run.titleOf(id), Math.max(8, letters)), svg("title", {}, run.titleOf(id))),
  ]);
  const about = `${some(claims.length, "claim")} carried by ${some(sources.length, "source")}. The list below says the same in words.`;
  return svg("svg", { role: "img", "aria-label": about, viewBox: `0 0 ${width} ${tall}`, width, height: tall, class: "graph" }, lines, dots, ends);
}

/** How the verdicts share the claims, as one bar. */
function shares(claims) {
  const count = (name) => claims.filter((claim) => claim.verdict === name).length;
  const there = Object.keys(MARKS).filter(count);
  const parts = there.map((name) => el("span", { class: name }));
  parts.forEach((part, index) => (part.style.flexGrow = count(there[index])));
  return el(
    "div",
    { class: "shares" },
    el("div", { class: "bar", "aria-hidden": "true" }, parts),
    el("p", {}, there.map((name) => [badge(name), ` ${count(name)} `])),
  );
}

function card(run, claim, cite) {
  const numbers = run.numbersOfClaim(claim);
  const at = claim.quotes[0];
  return el(
    "li",
    { class: "card" },
    el("p", { class: "claim" }, claim.text, " ", numbers.map((number) => cite(number))),
    el(
      "p",
      { class: "soft" },
      badge(claim.verdict),
      isSingle(claim) && el("span", { class: "badge" }, "single source"),
      isDisputed(claim) && claim.verdict !== "disputed" && el("span", { class: "badge disputed" }, "disputed"),
      at && [" ", cut(run.titleOf(at.source_id), 70)],
      claim.reason && `: ${claim.reason}`,
    ),
    // What no sentence cites has no mark to open it by.
    at && !numbers.length && el("details", {}, el("summary", {}, "Its words"), el("blockquote", { class: "passage" }, inContext(at))),
  );
}

const taken = (one) => el("li", { class: "card" }, el("p", { class: "claim" }, one.text), el("p", { class: "soft" }, el("span", { class: "badge unsupported" }, "removed"), ` ${one.reason}`));

const FIRST = 12;

function evidence(run) {
  const cite = citing(run);
  const drawn = el("figure", {});
  const list = el("ul", { class: "cards" });
  const more = el("button", { type: "button" });
  const chosen = FILTERS.map(([id, name, holds]) => [id, name, run.claims.filter(holds)]);
  const show = (id, all = false) => {
    if (opened && list.contains(opened.panel)) close({ back: false });
    const claims = id === "removed" ? [] : chosen.find(([other]) => other === id)[2];
    const items = id === "removed" ? run.removed.map(taken) : claims.map((claim) => card(run, claim, cite));
    list.replaceChildren(...(all ? items : items.slice(0, FIRST)));
    more.hidden = all || items.length <= FIRST;
    more.textContent = `Show all ${items.length}`;
    more.onclick = () => {
      show(id, true);
      list.children[FIRST].setAttribute("tabindex", "-1");
      list.children[FIRST].focus();
    };
    const quoted = claims.filter((claim) => claim.quotes.length);
    const draw = () => {
      const width = Math.floor(drawn.clientWidth);
      const told = el("figcaption", { class: "soft" }, "Each dot is a claim, in groups by sub-question; its lines lead to the sources that carry it.");
      drawn.replaceChildren(...(quoted.length && width ? [graph(run, quoted.slice(0, 120), width), told] : []));
      drawn.hidden = !quoted.length;
    };
    drawn.hidden = false;
    draw();
    drawn.redraw = draw;
    for (const button of chips.children) button.setAttribute("aria-pressed", String(button.dataset.id === id));
    say(`${some(items.length, "entry", "entries")} shown.`);
  };
  const chip = ([id, name, claims]) =>
    el("button", { type: "button", "data-id": id, "aria-pressed": "false", disabled: claims.length === 0, onclick: () => show(id) }, `${name} `, el("b", {}, claims.length));
  const chips = el("div", { class: "chips", role: "group", "aria-label": "Filter the evidence" }, [...chosen, ["removed", "Removed", run.removed]].map(chip));
  new ResizeObserver(() => drawn.redraw?.()).observe(list);
  const section = el("div", {}, shares(run.claims), chips, drawn, list, more);
  requestAnimationFrame(() => show("all"));
  return section;
}

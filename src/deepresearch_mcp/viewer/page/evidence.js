// The evidence: what was claimed, which sources carry it, and what was taken out; folded, with a map and filters.

const FILTERS = [
  ["all", "All", () => true],
  ["disputed", "Disputed", isDisputed],
  ["single", "Single source", isSingle],
  ["partly", "Partly", (claim) => claim.verdict === "partly"],
  ["open", "Not supported", (claim) => claim.verdict === "unsupported" || claim.verdict === "unverifiable"],
];

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

/** Verdicts, independence and disputes in a sentence, for who does not open the list. */
function summed(run) {
  const sources = new Set(run.claims.flatMap(sourcesOf));
  const parts = [some(run.claims.length, "claim"), some(sources.size, "source"), ...STRENGTHS.map(([, name, holds]) => [run.claims.filter(holds).length, name]).filter(([count]) => count).map(([count, name]) => `${count} ${name}`)];
  return parts.join(" · ");
}

function evidence(run) {
  const cite = citing(run);
  const list = el("ul", { class: "cards" });
  const more = el("button", { type: "button" });
  const only = el("p", { class: "only", hidden: true });
  const chosen = FILTERS.map(([id, name, holds]) => [id, name, run.claims.filter(holds)]);
  let filter = "all";
  let source = null;
  const fold = el("details", { class: "fold" }, el("summary", {}, "Every claim with its quotes: ", summed(run)));
  const show = (all = false) => {
    if (opened && list.contains(opened.panel)) close({ back: false });
    const claims = filter === "removed" ? [] : chosen.find(([other]) => other === filter)[2].filter((claim) => !source || sourcesOf(claim).includes(source));
    const items = filter === "removed" ? run.removed.map(taken) : claims.map((claim) => card(run, claim, cite));
    list.replaceChildren(...(all ? items : items.slice(0, FIRST)));
    more.hidden = all || items.length <= FIRST;
    more.textContent = `Show all ${items.length}`;
    more.onclick = () => {
      show(true);
      list.children[FIRST].setAttribute("tabindex", "-1");
      list.children[FIRST].focus();
    };
    only.hidden = !source;
    if (source) only.replaceChildren(`Only what this source carries: ${run.titleOf(source)} `, el("button", { type: "button", class: "plain", onclick: () => map.clear() }, "Show all"));
    for (const button of chips.children) button.setAttribute("aria-pressed", String(button.dataset.id === filter));
    say(`${some(items.length, "entry", "entries")} shown.`);
  };
  const from = (id) => {
    source = id;
    show();
  };
  /** The card of a claim, with its citation opened or its words unfolded. */
  const to = (claim) => {
    if (!run.claims.includes(claim)) return;
    filter = "all";
    source = null;
    show(true);
    const found = list.children[run.claims.indexOf(claim)];
    const mark = found.querySelector("button.cite");
    if (mark) return mark.click();
    const words = found.querySelector("details");
    if (words) words.open = true;
    (words?.firstChild ?? found).focus();
    found.scrollIntoView({ block: "nearest" });
  };
  const chip = ([id, name, claims]) => {
    const press = () => {
      filter = id;
      show();
    };
    return el("button", { type: "button", "data-id": id, "aria-pressed": "false", disabled: claims.length === 0, onclick: press }, `${name} `, el("b", {}, claims.length));
  };
  const chips = el("div", { class: "chips", role: "group", "aria-label": "Filter the evidence" }, [...chosen, ["removed", "Removed", run.removed]].map(chip));
  const quoted = run.claims.filter((claim) => claim.quotes.length);
  const map = mapped(run, quoted, { onSource: from, onClaim: to });
  fold.append(...(quoted.length ? [map.figure] : []), chips, only, list, more);
  show();
  return fold;
}

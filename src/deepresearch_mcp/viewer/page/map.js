// The map of claims and sources: a line leads from each claim to the sources whose words carry it; both can be chosen.

const MAPPED = 60; // Claims; the list below has all of them.

const sourcesOf = (claim) => [...new Set(claim.quotes.map((quote) => quote.source_id))];

/** Claims in groups by sub-question: `[name, claims]`, the groups in the order of the plan. */
function grouped(run, claims) {
  const asked = run.provenance?.plan?.sub_questions ?? [];
  const named = (id) => asked.find((one) => one.id === id)?.text ?? "The question as a whole";
  const ids = [...new Set([...asked.map((one) => one.id), ...claims.map((claim) => claim.sub_question ?? "")])];
  return ids.map((id) => [named(id), claims.filter((claim) => (claim.sub_question ?? "") === id)]).filter(([, own]) => own.length);
}

/** `onSource` is told the source that is chosen, or null; `onClaim` a claim. */
function mapped(run, claims, { onSource, onClaim }) {
  const drawn = claims.slice(0, MAPPED);
  const carried = new Map();
  for (const claim of drawn) for (const id of sourcesOf(claim)) carried.set(id, (carried.get(id) ?? 0) + 1);
  const sources = [...carried.keys()].sort((one, two) => carried.get(two) - carried.get(one));
  const lines = svg("svg", { class: "graph", "aria-hidden": "true" });
  let chosen = null;
  const choose = (what) => {
    chosen = chosen === what ? null : what;
    mark();
    return chosen;
  };
  const ofClaim = new Map();
  const ofSource = new Map();
  for (const claim of drawn) {
    const button = el("button", { type: "button", class: `node ${claim.verdict}`, onclick: () => (choose(claim.claim_id), onClaim(claim)) }, el("span", { class: "unseen" }, `${claim.verdict}: `), claim.text);
    ofClaim.set(claim.claim_id, { claim, button });
  }
  for (const id of sources) {
    const about = `${some(carried.get(id), "claim")}${run.sourceOf.get(id)?.site ? `, ${run.sourceOf.get(id).site}` : ""}`;
    const button = el("button", { type: "button", class: "node source", "aria-pressed": "false", onclick: () => onSource(choose(id)) }, run.titleOf(id), el("small", {}, about));
    ofSource.set(id, button);
  }
  const left = el("div", { class: "claims" }, grouped(run, drawn).map(([name, own]) => [el("h3", {}, name), own.map((claim) => ofClaim.get(claim.claim_id).button)]));
  const right = el("div", { class: "ends" }, el("h3", {}, "Sources"), sources.map((id) => ofSource.get(id)));
  const box = el("div", { class: "map" }, left, lines, right);

  function mark() {
    const near = (claim) => !chosen || chosen === claim.claim_id || sourcesOf(claim).includes(chosen);
    const touched = new Set(drawn.filter(near).flatMap((claim) => (chosen && ofSource.has(chosen) ? [chosen] : sourcesOf(claim))));
    for (const { claim, button } of ofClaim.values()) button.classList.toggle("far", !near(claim));
    for (const [id, button] of ofSource) {
      button.classList.toggle("far", Boolean(chosen) && !touched.has(id));
      button.setAttribute("aria-pressed", String(chosen === id));
    }
    for (const line of lines.children) {
      const on = !chosen || line.claim === chosen || line.source === chosen;
      line.classList.toggle("far", !on);
    }
  }

  /** The lines between what stands where it stands now. */
  function draw() {
    const frame = lines.getBoundingClientRect();
    if (!frame.width) return;
    lines.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    const height = (node) => {
      const at = node.getBoundingClientRect();
      return Math.round(at.top + at.height / 2 - frame.top);
    };
    const path = (claim, id) => {
      const [from, to, middle] = [height(ofClaim.get(claim.claim_id).button), height(ofSource.get(id)), Math.round(frame.width / 2)];
      const line = svg("path", { class: claim.verdict, d: `M0 ${from}C${middle} ${from} ${middle} ${to} ${Math.round(frame.width)} ${to}` });
      return Object.assign(line, { claim: claim.claim_id, source: id });
    };
    lines.replaceChildren(...drawn.flatMap((claim) => sourcesOf(claim).map((id) => path(claim, id))));
    mark();
  }
  new ResizeObserver(draw).observe(box);
  const more = claims.length > MAPPED && `The map has the first ${MAPPED} of ${claims.length}. `;
  const hint = el("figcaption", { class: "soft" }, more, "Choose a source to see what it carries, or a claim to read its words.");
  return { figure: el("figure", { class: "mapping" }, hint, box), clear: () => (choose(chosen), onSource(null)) };
}

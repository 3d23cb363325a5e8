// How far the report answers what was asked: by deliverable, or by sub-question where no deliverable is known.

// COVERAGE is that of viewer/coverage_words.py.
const told = (status) => COVERAGE[status] ?? ["·", words(status)];

const sign = (status) => el("span", { class: `sign ${status}`, "aria-hidden": "true" }, told(status)[0]);

/** Claims by what stands behind them; the first three add up to all. */
const STRENGTHS = [
  ["agreed", "from two or more independent sources", (claim) => claim.verdict === "supported" && !isDisputed(claim) && !isSingle(claim)],
  ["single", "from one source", (claim) => isSingle(claim) && !isDisputed(claim)],
  ["doubtful", "disputed or only partly supported", (claim) => isDisputed(claim) || claim.verdict !== "supported"],
];

function strengths(claims) {
  const counted = STRENGTHS.map(([id, name, holds]) => [id, name, claims.filter(holds).length]).filter(([, , count]) => count);
  // Not `style`: a served page allows no such attribute.
  const bar = svg("svg", { class: "strength", viewBox: `0 0 ${claims.length || 1} 1`, preserveAspectRatio: "none", "aria-hidden": "true" });
  let at = 0;
  for (const [id, , count] of counted) {
    bar.append(svg("rect", { class: id, x: at, y: 0, width: count, height: 1 }));
    at += count;
  }
  const line = counted.map(([, name, count]) => `${count} ${name}`).join(", ");
  return [claims.length > 0 && bar, el("p", { class: "soft" }, claims.length ? `${some(claims.length, "claim")}: ${line}` : "No claim speaks of it.")];
}

/** What was asked, each part with its claims: `{ id, text, status, claims }`. */
function parted(run) {
  const points = (run.assessment?.coverage ?? []).filter((one) => one.point.startsWith("d"));
  const asked = run.provenance?.plan?.sub_questions ?? [];
  const same = (one, other) => one.toLowerCase() === other.toLowerCase();
  const speaking = (point) => {
    const found = run.claims.filter((claim) => (claim.covers ?? []).includes(point.point));
    // Without a model no claim names what it speaks of: then a part is what its sub-question is.
    const part = asked.find((one) => same(one.text, point.text));
    return found.length || !part ? found : run.claims.filter((claim) => claim.sub_question === part.id);
  };
  if (points.length) return points.map((one) => ({ id: one.point, text: one.text, status: one.status, claims: speaking(one), counted: one.claims }));
  return asked.map((one) => {
    const claims = run.claims.filter((claim) => claim.sub_question === one.id);
    const status = claims.length === 0 ? "nothing" : claims.some((claim) => !isSingle(claim) && claim.verdict === "supported") ? "backed" : "few";
    return { id: one.id, text: one.text, status, claims };
  });
}

/** The grid of a comparison, where the question asks for one. */
function grid(run) {
  const cells = (run.assessment?.coverage ?? []).filter((one) => /^s\d+a\d+$/.test(one.point));
  const { subjects = [], aspects = [] } = run.provenance?.plan?.scope ?? {};
  if (!cells.length || !subjects.length || !aspects.length) return null;
  const of = (row, column) => cells.find((one) => one.point === `s${row + 1}a${column + 1}`);
  const field = (cell) => el("td", {}, cell ? [sign(cell.status), " ", told(cell.status)[1]] : "–");
  const table = el(
    "table",
    { class: "grid" },
    el("thead", {}, el("tr", {}, el("td", {}), subjects.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, aspects.map((aspect, column) => el("tr", {}, el("th", { scope: "row" }, aspect), subjects.map((_, row) => field(of(row, column)))))),
  );
  return el("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "How far the comparison is covered" }, table);
}

/** Null where nothing was written, or neither deliverables nor sub-questions are known, as of a check of citations. */
function coverage(run) {
  const asked = run.sections?.length ? parted(run) : [];
  if (!asked.length) return null;
  // Deliverables are counted as the closing line of the report counts them; how well each is founded stands beside it.
  const delivered = asked[0].id.startsWith("d");
  const full = asked.filter((one) => (delivered ? one.status !== "open" : one.status === "backed")).length;
  const how = delivered ? `${some(asked.length, "part")} of the question answered` : `${some(asked.length, "sub-question")} backed by several sources`;
  const item = (one) =>
    el(
      "li",
      {},
      el("p", { class: "asked-for" }, sign(one.status), one.text, el("span", { class: "soft" }, ` – ${told(one.status)[1]}`)),
      one.claims.length || !one.counted ? strengths(one.claims) : el("p", { class: "soft" }, some(one.counted, "claim")),
    );
  return [
    el("p", { class: "soft" }, `${full} of ${how}.`),
    el("ul", { class: "covered-points" }, asked.map(item)),
    grid(run),
  ];
}

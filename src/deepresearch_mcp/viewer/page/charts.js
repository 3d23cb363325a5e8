// Small charts of tables: bars for each column whose cells are numbers of one unit. The table stays; nothing is computed.

const NUMBER = /^[~≈<>≤≥]?\s*([$€£¥]?)\s*(\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*([%\p{L}°µ/·]*)$/u;
const MOST_ROWS = 12;
const MOST_CHARTS = 3;

/** A cell as a reader sees it, without marks of citations and signs of Markdown. */
const cellText = (cell) =>
  cell
    .replace(/\s*\[(?:(?:∴|cf\.) ?)?[\da-z, ]*\]/g, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/[*`]/g, "")
    .trim();

/** `{ value, unit }` of a cell, or null where it is no single number. */
function numberIn(cell) {
  const match = NUMBER.exec(cell);
  return match ? { value: Number(match[2].replace(/[^\d.]/g, "")), unit: `${match[1]}${match[3]}` } : null;
}

/** What can be drawn of a column: its cells as numbers, null where a row has none; or null. */
function drawable(cells) {
  const found = cells.map(numberIn);
  const known = found.filter(Boolean);
  if (known.length < 2 || known.length < cells.length * 0.6 || known.some((one) => one.unit !== known[0].unit)) return null;
  const values = known.map((one) => one.value);
  // Years are no amounts, numbers 1, 2, 3 … are names of rows, and equal bars say nothing.
  if (values.every((value) => Number.isInteger(value) && value >= 1900 && value <= 2100)) return null;
  if (values.every((value, index) => value === index + 1) || Math.max(...values) === Math.min(...values)) return null;
  return found;
}

/** Charts of a table, or null; `head` and `rows` are texts of cells in Markdown. */
function charts(head, rows) {
  if (rows.length < 2 || rows.length > MOST_ROWS) return null;
  const table = rows.map((row) => row.map(cellText));
  const names = head.map(cellText);
  const columns = names.map((name, index) => [name, index ? drawable(table.map((row) => row[index] ?? "")) : null]).filter(([, found]) => found);
  if (!columns.length) return null;
  const one = ([name, found]) => {
    const most = Math.max(...found.filter(Boolean).map((cell) => cell.value));
    const index = names.indexOf(name);
    const bar = (cell) => {
      const drawn = svg("svg", { class: "bar-of", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
      if (cell) drawn.append(svg("rect", { x: 0, y: 0, width: most ? Math.max(0.5, (100 * cell.value) / most) : 0, height: 10 }));
      return drawn;
    };
    return el(
      "div",
      { class: "chart" },
      el("p", { class: "name" }, name),
      el("dl", {}, found.map((cell, row) => el("div", {}, el("dt", {}, table[row][0] || "–"), el("dd", {}, bar(cell), el("span", {}, table[row][index] || "–"))))),
    );
  };
  return el("figure", { class: "charts" }, columns.slice(0, MOST_CHARTS).map(one), names[0] && el("figcaption", { class: "soft" }, `By ${names[0].toLowerCase()}; from the table above.`));
}

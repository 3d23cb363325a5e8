// When the cited sources were published: a dot for each on a line of years, or of months.

const WIDE = 640;
const DOT = 13; // Between two dots that would lie upon each other.

const month = (date) => date.getUTCFullYear() * 12 + date.getUTCMonth();

/** Marks below the line: at most nine, years where they span more than two. */
function ticks(first, last) {
  const years = Math.floor(last / 12) - Math.floor(first / 12);
  const step = years > 2 ? 12 * Math.ceil((years + 1) / 8) : Math.max(1, Math.ceil((last - first + 1) / 6));
  const made = [];
  for (let at = Math.ceil(first / step) * step; at <= last; at += step)
    made.push([at, step >= 12 ? String(Math.floor(at / 12)) : `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`]);
  return made;
}

/** Null with fewer than three dated sources: a line of two dots tells nothing. */
function timeline(run, onSource) {
  const cited = (run.sources ?? []).filter((source) => source.cited);
  const dated = cited.filter((source) => !Number.isNaN(Date.parse(source.published ?? "")));
  if (dated.length < 3) return null;
  const at = new Map(dated.map((source) => [source, month(new Date(source.published))]));
  const [low, high] = [Math.min(...at.values()), Math.max(...at.values())];
  const [first, last] = [low - 1, Math.max(high + 1, low + 5)];
  const x = (when) => 14 + ((when - first) / (last - first)) * (WIDE - 28);
  const taken = [];
  const dots = [...dated]
    .sort((one, two) => at.get(one) - at.get(two))
    .map((source) => {
      const place = x(at.get(source));
      let level = 0;
      while (taken[level] !== undefined && place - taken[level] < DOT) level += 1;
      taken[level] = place;
      return { source, place, level };
    });
  const floor = 14 + DOT * Math.max(...dots.map((one) => one.level)) + 10;
  const dot = ({ source, place, level }) => {
    const name = `${day(source.published)}: ${source.title || source.url}`;
    const go = (event) => {
      event.preventDefault();
      onSource(source.source_id);
    };
    const key = (event) => (event.key === "Enter" || event.key === " ") && go(event);
    return svg("g", { class: "dot", role: "button", tabindex: "0", "aria-label": name, onclick: go, onkeydown: key }, svg("title", {}, name), svg("circle", { cx: place, cy: floor - 10 - DOT * level, r: 5 }));
  };
  const axis = ticks(first, last).map(([when, name]) => [
    svg("line", { x1: x(when), x2: x(when), y1: floor, y2: floor + 5 }),
    svg("text", { x: x(when), y: floor + 19, "text-anchor": "middle" }, name),
  ]);
  const undated = cited.length - dated.length;
  const about = `${some(dated.length, "cited source")} by date of publication${undated ? `; ${undated} without a date` : ""}`;
  return el(
    "figure",
    { class: "timeline" },
    svg("svg", { role: "group", "aria-label": about, viewBox: `0 0 ${WIDE} ${floor + 24}` }, svg("line", { class: "axis", x1: 4, x2: WIDE - 4, y1: floor, y2: floor }), axis, dots.map(dot)),
    el("figcaption", { class: "soft" }, `${about}.`),
  );
}

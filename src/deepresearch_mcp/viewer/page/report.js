// The report of a run that has ended: its head, contents, sections, evidence, sources and what it could not do.

function money(metrics) {
  if (!metrics) return "";
  return metrics.usd_known === false ? `$${metrics.usd.toFixed(2)} and more` : `$${metrics.usd.toFixed(2)}`;
}

function took(seconds) {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

function head(run) {
  const { metrics, provenance, quotes } = run;
  const cited = (run.sources ?? []).filter((source) => source.cited).length;
  const line = [
    day(provenance?.ended),
    quotes?.total ? `${quotes.located} of ${quotes.total} quotes found in their sources` : "",
    cited ? some(cited, "cited source") : "",
    metrics && `${took(metrics.seconds)} · ${money(metrics)}`,
    provenance && (provenance.thinker === "extractive" ? "no language model" : provenance.thinker.replace(/ \([^()]*\)/g, "")),
  ];
  return el(
    "header",
    {},
    el("p", { class: "eyebrow" }, "Deep research", run.status !== "completed" && [" ", el("span", { class: "badge partly" }, run.status)]),
    el("h1", {}, run.title()),
    run.title() !== run.question && el("p", { class: "asked" }, run.question),
    el("p", { class: "soft" }, line.filter(Boolean).join(" · ")),
    run.ending && !run.error && el("p", { class: "notice" }, run.ending),
    run.error && el("p", { class: "notice" }, `${run.error.message} ${run.error.action ?? ""}`),
  );
}

function sourceCard(run, source) {
  const cite = citing(run);
  const quality = source.quality;
  return el(
    "li",
    { class: "card", id: `source-${source.source_id}`, tabindex: "-1" },
    el("p", { class: "claim" }, link(source.url, source.title || source.url), " ", (run.numbersOf.get(source.source_id) ?? []).map(cite)),
    el(
      "p",
      { class: "soft" },
      [source.site, source.published ? day(source.published) : "undated", quality && words(quality.kind), quality && `quality ${worth(quality)}`]
        .filter(Boolean)
        .join(" · "),
    ),
    source.summary && el("details", {}, el("summary", {}, "Its most telling sentences"), el("p", { class: "soft" }, cut(source.summary, 1500))),
  );
}

function sources(run) {
  const used = run.sources.filter((source) => source.cited);
  const rest = run.sources.filter((source) => !source.cited);
  const first = (source) => parseInt(run.numbersOf.get(source.source_id)?.[0] ?? "9999", 10);
  used.sort((one, two) => first(one) - first(two));
  const go = (id) => {
    const found = document.getElementById(`source-${id}`);
    found?.scrollIntoView({ block: "center" });
    found?.focus({ preventScroll: true });
  };
  return [
    timeline(run, go),
    el("ul", { class: "cards" }, used.map((source) => sourceCard(run, source))),
    rest.length > 0 &&
      el("details", {}, el("summary", {}, `Read, but not cited: ${rest.length}`), el("ul", { class: "cards" }, rest.map((source) => sourceCard(run, source)))),
  ];
}

/** The run's verdict on itself: what its checks did, and why it went no further. */
function verdictOf(run) {
  const { gate = [], ended = "" } = run.assessment ?? {};
  const counts = run.metrics?.counts ?? {};
  const missed = gate.filter((one) => one.threshold && one.value < one.threshold);
  const done = [
    counts.independent && `${some(counts.independent, "claim")} from two or more independent sources`,
    counts.removed && `${some(counts.removed, "sentence")} removed as unsupported`,
    counts.repaired && `${counts.repaired} repaired`,
    run.metrics?.rounds && some(run.metrics.rounds, "round"),
  ];
  return [
    done.some(Boolean) && el("p", { class: "soft" }, `${done.filter(Boolean).join(" · ")}.`, ended && ` ${ended}`),
    missed.length > 0 && el("p", { class: "soft" }, `Less than aimed at: ${missed.map((one) => `${one.value} of ${one.threshold} ${one.check}`).join(", ")}.`),
  ];
}

function limits(run) {
  const failed = (run.provenance?.failures ?? []).map((one) => `${one.engine}: ${one.reason}`);
  // What the checks missed is told by the verdict.
  const warnings = (run.warnings ?? []).filter((text) => !(run.assessment?.gate?.length && text.startsWith("The research may be incomplete")));
  return [
    verdictOf(run),
    warnings.length > 0 && [el("h3", {}, "Warnings"), el("ul", {}, warnings.map((text) => el("li", {}, text)))],
    run.unread?.length > 0 && [
      el("h3", {}, `Not read: ${some(run.unread.length, "page")}`),
      el("ul", { class: "addresses" }, run.unread.slice(0, 60).map((one) => el("li", {}, link(one.url, one.url), el("span", { class: "soft" }, ` ${one.detail || words(one.reason)}`)))),
    ],
    failed.length > 0 && [el("h3", {}, "Engines that could not be asked"), el("ul", {}, [...new Set(failed)].slice(0, 20).map((text) => el("li", {}, text)))],
  ];
}

/** Every part that there is: `[name, elements, class]`, mostly without a class. */
function parts(run) {
  const judges = (run.sections ?? []).some((section) => section.markdown.includes(NOTE));
  const written = (run.sections ?? []).filter((section) => section.part !== "references");
  const sentences = ({ sentences = [], tables = [] }) => [...sentences, ...tables.flatMap((table) => table.rows.flat())];
  const made = written.map((section) => [section.heading, blocks(section.markdown, citing(run, judges, sentences(section))), section.part === "short" ? "short" : null]);
  if (!made.length) made.push(["No report", [el("p", {}, "Nothing was written up in this run.")]]);
  const answered = coverage(run);
  const opens = written[0]?.part === "short";
  if (answered) made.splice(opens ? 1 : 0, 0, [ANSWERED, answered, "answered"]);
  if (run.claims.length) made.push(["Evidence", evidence(run)]);
  if (run.sources?.length) made.push(["Sources", sources(run)]);
  if (run.warnings?.length || run.unread?.length || run.assessment?.gate?.length) made.push(["About this research", limits(run)]);
  return made;
}

const ANSWERED = "What is answered";

/** What a heading is called in an address: its words, and a number behind a second one of the same words. */
function named(heading, taken) {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "part";
  let name = words;
  for (let number = 2; taken.has(name); number += 1) name = `${words}-${number}`;
  taken.add(name);
  return name;
}


/** Move what is answered into the margin where there is one, else back into the text. */
function placed(section, margin, text) {
  const wide = matchMedia("(min-width: 78rem)");
  const place = () => {
    if (wide.matches && !host) margin.append(section);
    else text.after(section);
  };
  wide.addEventListener("change", place);
  place();
}

function report(run, actions) {
  const taken = new Set();
  const sections = parts(run).map(([name, content, kind]) => {
    const id = named(name, taken);
    const heading = el("h2", { id, tabindex: "-1" }, name);
    const anchor = el("a", { class: "anchor", href: `#${id}`, "aria-label": `Link to “${name}”`, onclick: (event) => go(heading)(event) }, "#");
    return { name, heading, section: el("section", { class: kind ?? null, "aria-labelledby": id }, el("div", { class: "headed" }, heading, anchor), content) };
  });
  const go = (heading) => (event) => {
    event.preventDefault();
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
    // A frame without an address of its own refuses.
    try {
      history.replaceState(null, "", `#${heading.id}`);
    } catch {}
  };
  const entries = () => el("ol", {}, sections.map(({ name, heading }) => el("li", {}, el("a", { href: `#${heading.id}`, onclick: go(heading) }, name))));
  const hint = el("p", { class: "soft hint" }, "Choose a number in the text: the quote in its source opens here.");
  const margin = el("aside", { id: "margin", "aria-label": "Citation and coverage" }, hint);
  const main = el(
    "main",
    {},
    head(run),
    actions,
    el("details", { class: "contents" }, el("summary", {}, "Contents"), el("nav", { "aria-label": "Contents, folded" }, entries())),
    sections.map(({ section }) => section),
  );
  const answered = sections.findIndex(({ name }) => name === ANSWERED);
  if (answered >= 0) placed(sections[answered].section, margin, answered ? sections[answered - 1].section : main.querySelector(".contents"));
  return el("div", { class: "sheet" }, el("nav", { class: "beside", "aria-label": "Contents" }, entries()), main, margin);
}

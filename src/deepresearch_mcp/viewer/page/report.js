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
    { class: "card" },
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
  return [
    el("ul", { class: "cards" }, used.map((source) => sourceCard(run, source))),
    rest.length > 0 &&
      el("details", {}, el("summary", {}, `Read, but not cited: ${rest.length}`), el("ul", { class: "cards" }, rest.map((source) => sourceCard(run, source)))),
  ];
}

const STATUS = { covered: "answered", thin: "few sources", one_sided: "from one side only", open: "not answered" };

/** The run's verdict on itself: what it answers, what its checks did, and why it went no further. */
function verdictOf(run) {
  const { coverage = [], gate = [], ended = "" } = run.assessment ?? {};
  const asked = coverage.filter((one) => one.point.startsWith("d"));
  const counts = run.metrics?.counts ?? {};
  const missed = gate.filter((one) => one.threshold && one.value < one.threshold);
  const done = [
    counts.independent && `${some(counts.independent, "claim")} from two or more independent sources`,
    counts.removed && `${some(counts.removed, "sentence")} removed as unsupported`,
    counts.repaired && `${counts.repaired} repaired`,
    run.metrics?.rounds && some(run.metrics.rounds, "round"),
  ];
  return [
    asked.length > 0 && [
      el("h3", {}, "What it answers"),
      el("ul", {}, asked.map((one) => el("li", {}, one.text, el("span", { class: "soft" }, ` – ${STATUS[one.status] ?? one.status}`)))),
    ],
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

/** Every part that there is: `[name, elements]`. */
function parts(run) {
  const judges = (run.sections ?? []).some((section) => section.markdown.includes(NOTE));
  const written = (run.sections ?? []).filter((section) => section.heading !== "References");
  const sentences = ({ sentences = [], tables = [] }) => [...sentences, ...tables.flatMap((table) => table.rows.flat())];
  const made = written.map((section) => [section.heading, blocks(section.markdown, citing(run, judges, sentences(section)))]);
  if (!made.length) made.push(["No report", [el("p", {}, "Nothing was written up in this run.")]]);
  if (run.claims.length) made.push(["Evidence", evidence(run)]);
  if (run.sources?.length) made.push(["Sources", sources(run)]);
  if (run.warnings?.length || run.unread?.length || run.assessment?.coverage?.length) made.push(["About this research", limits(run)]);
  return made;
}

function report(run, actions) {
  const sections = parts(run).map(([name, content], index) => {
    const heading = el("h2", { id: `part-${index}`, tabindex: "-1" }, name);
    return { name, heading, section: el("section", { class: name === "In short" ? "short" : null, "aria-labelledby": `part-${index}` }, heading, content) };
  });
  const go = (heading) => (event) => {
    event.preventDefault();
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
  };
  const entries = () => el("ol", {}, sections.map(({ name, heading }) => el("li", {}, el("a", { href: `#${heading.id}`, onclick: go(heading) }, name))));
  return el(
    "div",
    { class: "sheet" },
    el("nav", { class: "beside", "aria-label": "Contents" }, entries()),
    el(
      "main",
      {},
      head(run),
      actions,
      el("details", { class: "contents" }, el("summary", {}, "Contents"), el("nav", { "aria-label": "Contents, folded" }, entries())),
      sections.map(({ section }) => section),
    ),
  );
}

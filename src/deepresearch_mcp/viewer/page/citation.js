// A citation opened: the quote inside its source's text, what was found about it, and who else says so or otherwise.

/** The quote marked in a part of its source; offsets count characters as Python does, not UTF-16 units. */
function marked(part, quote, around) {
  const letters = Array.from(part.text);
  const [start, end] = [quote.start - part.start, quote.end - part.start];
  const blank = (at) => /\s/.test(letters[at] ?? " ");
  let from = Math.max(0, start - around);
  let to = Math.min(letters.length, end + around);
  // Not in the middle of a word.
  while (from > 0 && from < start && !blank(from - 1)) from += 1;
  while (to < letters.length && to > end && !blank(to)) to -= 1;
  const cut = (one, two) => letters.slice(one, two).join("");
  return [
    part.start + from > 0 && "… ",
    cut(from, start),
    el("mark", {}, cut(start, end)),
    cut(end, to),
    (to < letters.length || part.more) && " …",
  ];
}

/** A quote in its surroundings, as the claim keeps them. */
function inContext(quote) {
  const at = quote.context ? quote.context.indexOf(quote.text) : -1;
  if (at < 0) return [el("mark", {}, quote.text)];
  return [quote.context.slice(0, at), el("mark", {}, quote.text), quote.context.slice(at + quote.text.length)];
}

const SHOWN = 3; // A mark may stand for all quotes of a source.
const AROUND = 500;
const WHOLE = 400000;

function passage(run, quote) {
  const box = el("blockquote", { class: "passage", tabindex: "0", "aria-label": "The quote in its source" }, inContext(quote));
  const more = el("button", { type: "button", class: "plain", hidden: true }, "Show more of the source");
  const show = (part, around) => {
    box.replaceChildren(...marked(part, quote, around).filter(Boolean));
    const found = box.querySelector("mark");
    box.scrollTop = Math.max(0, found.offsetTop - box.clientHeight / 3);
  };
  run.aroundOf(quote).then((part) => {
    const letters = Array.from(part?.text ?? "");
    if (!part || letters.slice(quote.start - part.start, quote.end - part.start).join("") !== quote.text) return;
    show(part, AROUND);
    more.hidden = letters.length <= quote.end - quote.start + 2 * AROUND;
    more.addEventListener("click", () => {
      show(part, WHOLE);
      more.hidden = true;
      box.focus();
    });
  });
  return [box, more];
}

function facts(run, quote) {
  const source = run.sourceOf.get(quote.source_id) ?? {};
  const quality = source.quality;
  const flags = [...new Set([...(source.flags ?? []), ...(quality?.flags ?? [])])].filter((flag) => flag !== "undated");
  const rows = [
    ["Source", link(quote.link ?? source.url ?? "", run.titleOf(quote.source_id))],
    ["Site", [source.site, source.author].filter(Boolean).join(" · ")],
    ["Date", source.published ? `published ${day(source.published)}` : "undated"],
    ["Read", day(source.read_at)],
    ["Quality", quality && `${worth(quality)}, ${words(quality.kind)}`],
    ["Flags", flags.map(words).join(", ")],
  ];
  return el(
    "dl",
    { class: "facts" },
    rows.filter(([, value]) => value?.length !== 0 && value).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
}

const BY = { machine: "checked by program", model: "checked by a model that saw only these words", self: "checked by its own writer" };

function verdict(claim) {
  const told = [claim.reason, BY[claim.checked_by]].filter(Boolean).join("; ");
  const many = claim.independent ?? 1;
  const good = claim.corroborating ?? many;
  return el(
    "p",
    { class: "verdict" },
    badge(claim.verdict),
    ` ${many > 1 ? some(many, "independent source") : "one source"}`,
    good < many && `, ${good} of them good enough to corroborate`,
    told && `; ${told}`,
    ".",
  );
}

/** Who else says it, and who says otherwise. */
function others(run, claims, sourceId) {
  const same = claims.flatMap((claim) => claim.quotes).filter((quote) => quote.source_id !== sourceId);
  const against = claims.flatMap((claim) => claim.disputes ?? []).map((id) => run.claimOf.get(id)).filter(Boolean);
  const line = (quote, text) =>
    el("li", {}, el("q", {}, cut(text, 280)), " — ", link(run.sourceOf.get(quote.source_id)?.url ?? "", run.titleOf(quote.source_id)));
  return [
    same.length > 0 && [el("h4", {}, "Other sources for the same claim"), el("ul", {}, same.map((quote) => line(quote, quote.text)))],
    against.length > 0 && [
      el("h4", {}, "Said otherwise"),
      el("ul", {}, against.map((claim) => line(claim.quotes[0], claim.quotes[0].text))),
    ],
    same.length === 0 && against.length === 0 && el("p", { class: "soft" }, "No other source carries this claim."),
  ];
}

let opened = null;

function close({ back = true } = {}) {
  if (!opened) return;
  const { panel, mark, place } = opened;
  opened = null;
  panel.remove();
  place?.classList.remove("reading");
  mark.setAttribute("aria-expanded", "false");
  if (back) mark.focus();
}

/** The words that a citation leads to, with what was found about them. */
function quoted(run, citation) {
  const claims = run.claimsOf(citation);
  const quotes = claims.flatMap((claim) => claim.quotes);
  const quote =
    quotes.find((one) => one.snapshot === citation.snapshot && one.start === citation.start && one.end === citation.end) ??
    { ...citation, text: citation.quote };
  // A claim in the source's own words is read once, where they are marked.
  const own = (claim) => bare(claim.text) === bare(quote.text);
  return [claims.map((claim) => [!own(claim) && el("p", { class: "claim" }, claim.text), verdict(claim)]), passage(run, quote)];
}

/** One address that opens a page at several quotes: browsers mark each of them. */
function jointLink(citations) {
  const [first, ...more] = citations.map((citation) => citation.link);
  const words = more.map((address) => address.split("#").pop().split(":~:")[1]).filter(Boolean);
  return first.includes(":~:") ? [first, ...words].join("&") : first;
}

/** The place beside the text, where the window has one. A frame as tall as its page would show it out of sight. */
function besideText() {
  const place = document.getElementById("margin");
  return !host && place?.offsetParent ? place : null;
}

/** Open a mark's citations beside the text, or below the paragraph that it stands in. */
function open(run, citations, mark) {
  const again = opened?.mark === mark;
  close({ back: again });
  if (again) return;
  const named = mark.textContent;
  const [{ source_id: source }] = citations;
  const claims = citations.flatMap((citation) => run.claimsOf(citation));
  const heading = el("h3", { tabindex: "-1" }, `Citation ${named}`);
  const shut = el("button", { type: "button", class: "plain shut", "aria-label": `Close citation ${named}`, onclick: () => close() }, "✕");
  const panel = el(
    "section",
    { class: "panel", "aria-label": `Citation ${named}` },
    el("div", { class: "row" }, heading, shut),
    citations.slice(0, SHOWN).map((citation) => quoted(run, citation)),
    citations.length > SHOWN &&
      el(
        "details",
        {},
        el("summary", {}, `${some(citations.length - SHOWN, "more quote")} of this source`),
        citations.slice(SHOWN).map((citation) => quoted(run, citation)),
      ),
    facts(run, { source_id: source, link: jointLink(citations) }),
    others(run, claims, source),
  );
  const place = besideText();
  if (place) place.prepend(panel);
  // Below the whole of a table: a panel between two rows would be as narrow as a cell.
  else (mark.closest(".wide") ?? mark.closest("p, li, h3, blockquote, .card")).after(panel);
  place?.classList.add("reading");
  mark.setAttribute("aria-expanded", "true");
  opened = { panel, mark, place };
  heading.focus({ preventScroll: true });
  if (place) place.scrollTop = 0;
  else panel.scrollIntoView({ block: "nearest" });
  if (host?.can("updateModelContext")) {
    // Only the number: the words are a page's, and no business of the model unless the user asks.
    const text = `The user is looking at citation [${named}] of run ${run.run_id}.`;
    host.ask("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
  }
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
});

/** Open the citation that the address names, as `report.html#cite-3` or `#cite-3a`; or go to the heading that it names. */
function openNamed(root) {
  const key = /^#cite-(\d+[a-z]{0,2})$/.exec(location.hash)?.[1];
  const heading = (node) => new URL(`#${node.id}`, location).hash === location.hash;
  if (!key && location.hash) [...root.querySelectorAll("h2[id]")].find(heading)?.scrollIntoView();
  if (!key) return;
  const marks = [...root.querySelectorAll("button.cite")];
  // A number alone names a source, also one whose quotes all have letters.
  const named = marks.find((mark) => mark.leads.includes(key) || mark.textContent === key) ?? marks.find((mark) => mark.leads.some((lead) => lead.replace(/\D+$/, "") === key));
  named?.click();
}

const bare = (text) => text.replace(/[^\p{L}\p{N}]+/gu, "");

/** The claims that the sentences of a paragraph rest on. */
function claimsIn(text, sentences) {
  const said = bare(text);
  const there = sentences.filter((one) => one.text && said.includes(bare(one.text)));
  return new Set(there.flatMap((one) => [...(one.claim_ids ?? []), ...(one.premises ?? [])]));
}

/** A mark in the text, `3` or `3a,c`; nothing for one that no citation has. */
function citing(run, judges = false, sentences = []) {
  const mark = (named, own) => {
    const known = run.citationsOf(named);
    if (!known.length) return null;
    // A number alone stands for the quotes that its own paragraph rests on.
    const near = known.filter((one) => one.claim_ids.some((id) => own?.has(id)));
    const citations = near.length && /^\d+$/.test(named) ? near : known;
    const claims = citations.flatMap((citation) => run.claimsOf(citation));
    const worst = claims.some(isDisputed) ? "disputed" : (claims.find((claim) => claim.verdict !== "supported")?.verdict ?? "supported");
    const label = `Citation ${named}, ${worst}, ${cut(run.titleOf(citations[0].source_id), 60)}`;
    const made = el("button", { type: "button", class: `cite ${worst}`, "aria-expanded": "false", "aria-label": label }, named);
    made.leads = citations.map(keyOf);
    made.addEventListener("click", () => open(run, citations, made));
    return made;
  };
  const near = (text) => {
    const own = claimsIn(text, sentences);
    return Object.assign((named) => mark(named, own), { judges });
  };
  return Object.assign((named) => mark(named), { judges, near });
}

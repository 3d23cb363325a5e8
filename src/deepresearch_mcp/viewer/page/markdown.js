// The Markdown that our own reports are written in, as elements. Anything else stays the text it is.

const INLINE = new RegExp(
  [
    "\\\\([!-/:-@[-`{-~])", // 1: an escaped sign
    "(`+)([^`]|[^`].*?[^`])\\2(?!`)", // 2, 3: code
    "\\[([^\\]\\\\]*)\\]\\(<([^>\\n]*)>\\)", // 4, 5: a link to <an address>
    "\\[([^\\]\\\\]*)\\]\\(([^)\\s]*)\\)", // 6, 7: a link to an address
    // 8: citations, each by its source and the letters of its quotes; a sentence of our own has a sign before them
    "\\[(∴|(?:(?:∴|cf\\.) )?(?:\\d{1,4}(?:[a-z]{1,2}(?:,[a-z]{1,2})*)?)(?:, \\d{1,4}(?:[a-z]{1,2}(?:,[a-z]{1,2})*)?)*)\\]",
    "<(https?://[^>\\s]+)>", // 9: an address alone
    "\\*\\*(?=\\S)(.+?)\\*\\*", // 10: strong
    "\\*(?=\\S)((?:\\\\.|`[^`\\n]+`|[^*\\\\])+?)\\*", // 11: stressed; an escaped sign or code in it may be a star
    "( {2,}|\\\\)\\n *", // 12: a line's end that counts
  ].join("|"),
  "gs",
);

/** How a report of an earlier version says that it judges. */
const OURS = /^Our assessment(?:, from .+)?:$/;
/** How a report of a later version said that all its italics are judgements. */
const NOTE = "*In italics: our assessment, from the sources named.*";
const TOLD = "Our assessment, from the sources named behind it";

/** Words in italics: in a report that says so, its own judgement. */
function stress(text, cite) {
  if (OURS.test(text)) return el("em", { class: "ours" }, inline(text, cite));
  if (text.startsWith("∴ ")) return el("em", { class: "soft" }, text);
  return el("em", cite.judges ? { class: "judgement", title: TOLD } : {}, inline(text, cite));
}

/** The sign of a judgement, with what it rests on as its name. */
function therefore(sign, named) {
  const told = named ? `our assessment, from ${named}` : "our assessment";
  return el("span", { class: "therefore", role: "img", "aria-label": told, title: told }, sign);
}

/** The elements of a bracket of marks, `1, 3a,c` or `cf. 1, 3a,c`; nothing if one of them is unknown. */
function marks(text, cite) {
  const sign = /^(?:∴|cf\.)/.exec(text)?.[0];
  const named = sign ? text.slice(sign.length + 1) : text;
  const found = named ? named.split(", ").map((one) => cite(one)) : [];
  return found.every(Boolean) && [sign && therefore(sign, named), ...found].filter(Boolean);
}

/** One paragraph, item or cell; `cite` makes the element of a citation's mark, or nothing for an unknown one. */
function inline(text, given) {
  const cite = given.near?.(text) ?? given;
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, sign, , code, named, there, named2, there2, number, address, strong, stressed, end] = match;
    const label = named ?? named2;
    if (sign) parts.push(sign);
    else if (code) parts.push(el("code", {}, code));
    else if (label !== undefined)
      parts.push((/^\d+$/.test(label) && cite(label)) || link(there ?? there2, label || "link"));
    else if (number) parts.push(...(marks(number, cite) || [whole]));
    else if (address) parts.push(link(address, address));
    else if (strong) parts.push(el("strong", {}, inline(strong, cite)));
    else if (stressed) parts.push(stress(stressed, cite));
    else if (end) parts.push(el("br"));
  }
  parts.push(text.slice(at));
  return together(parts);
}

const ofMark = (part) => part instanceof Element && (part.classList.contains("cite") || part.classList.contains("therefore"));

/** Keep a mark on one line with the word before it and the full stop behind it, and the sign of a judgement with both. */
function together(parts) {
  const kept = [];
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (!ofMark(part)) {
      kept.push(part);
      continue;
    }
    const sign = part.classList.contains("therefore") && ofMark(parts[index + 1]) ? part : null;
    if (sign) index += 1;
    const before = typeof kept.at(-1) === "string" ? /\S{1,24}\s?$/.exec(kept.at(-1)) : null;
    const after = typeof parts[index + 1] === "string" ? /^[.,;:!?)’”]+/.exec(parts[index + 1]) : null;
    if (before) kept.push(kept.pop().slice(0, before.index));
    if (after) parts[index + 1] = parts[index + 1].slice(after[0].length);
    kept.push(el("span", { class: "whole" }, before?.[0], sign, parts[index], after?.[0]));
  }
  return kept;
}

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}(#{1,6}) +(.*?)(?: +#+)?$/;
const ITEM = /^ {0,3}(?:([-*+])|(\d{1,9})[.)]) +/;
const QUOTED = /^ {0,3}> ?/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,}) *$/;
const COLUMNS = /^\|?[ :|-]*-[ :|-]*$/;

const cells = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    // A bar in code has a backslash only because it stands in a table.
    .map((cell) => cell.trim().replace(/`[^`]+`/g, (code) => code.replaceAll("\\|", "|")));

/** Blocks of Markdown as elements. */
function blocks(markdown, cite) {
  const lines = markdown.split("\n");
  const made = [];
  let at = 0;
  const while_ = (holds) => {
    const from = at;
    while (at < lines.length && holds(lines[at])) at += 1;
    return lines.slice(from, at);
  };
  // The highest level of a section stands right below its h2: readers of headings skip none.
  const top = Math.min(...lines.map((line) => HEADING.exec(line)?.[1].length ?? 7));
  const starts = (line) => FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || QUOTED.test(line) || RULE.test(line);
  while (at < lines.length) {
    const line = lines[at];
    let match;
    if (!line.trim()) at += 1;
    else if ((match = FENCE.exec(line))) {
      at += 1;
      const body = while_((other) => !other.trim().startsWith(match[1]));
      at += 1;
      made.push(el("pre", { tabindex: "0" }, el("code", {}, body.join("\n"))));
    } else if (RULE.test(line)) {
      at += 1;
      made.push(el("hr"));
    } else if ((match = HEADING.exec(line))) {
      at += 1;
      made.push(el(match[1].length > top ? "h4" : "h3", {}, inline(match[2], cite)));
    } else if (QUOTED.test(line)) {
      const body = while_((other) => QUOTED.test(other)).map((other) => other.replace(QUOTED, ""));
      made.push(el("blockquote", {}, blocks(body.join("\n"), cite)));
    } else if (line.includes("|") && COLUMNS.test(lines[at + 1] ?? "")) {
      const [head, , ...rows] = while_((other) => other.includes("|"));
      // An empty corner is no head of anything.
      const row = (tag, text) => el("tr", {}, cells(text).map((cell) => el(cell ? tag : "td", {}, inline(cell, cite))));
      const table = el("table", {}, el("thead", {}, row("th", head)), el("tbody", {}, rows.map((one) => row("td", one))));
      made.push(el("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Table" }, table));
      const drawn = charts(cells(head), rows.map(cells));
      if (drawn) made.push(drawn);
    } else if ((match = ITEM.exec(line))) {
      const ordered = match[2] !== undefined;
      const items = [];
      while (at < lines.length && (match = ITEM.exec(lines[at])) && (match[2] !== undefined) === ordered) {
        const first = lines[at].slice(match[0].length);
        at += 1;
        const rest = while_((other) => /^ {2,}\S/.test(other) && !ITEM.test(other));
        items.push(el("li", {}, inline([first, ...rest.map((other) => other.trimStart())].join("\n"), cite)));
        if (!(lines[at] ?? "").trim() && ITEM.test(lines[at + 1] ?? "")) at += 1;
      }
      made.push(el(ordered ? "ol" : "ul", {}, items));
    } else {
      at += 1;
      const rest = while_((other) => other.trim() && !starts(other));
      made.push(el("p", {}, inline([line, ...rest].join("\n"), cite)));
    }
  }
  return made;
}

// Elements and texts. Whatever a page wrote becomes text here, never markup: nothing in these files parses HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const some = (number, one, more = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : more}`;
const cut = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`);
const day = (moment) => (moment ? String(moment).slice(0, 10) : "");
const words = (name) => name.replaceAll("_", " ");

/** Tell a screen reader, once. */
function say(text) {
  const place = document.getElementById("said");
  if (place.textContent !== text) place.textContent = text;
}

/** An address that may be opened, else nothing: pages can name any scheme. */
function safe(address) {
  try {
    const url = new URL(address);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : "";
  } catch {
    return "";
  }
}

/** A link that the host opens where there is one: a sandboxed frame may open nothing itself. */
function link(address, ...children) {
  const href = safe(address);
  if (!href) return el("span", {}, ...children);
  const open = (event) => {
    if (host?.can("openLinks")) {
      event.preventDefault();
      host.ask("ui/open-link", { url: href }).catch(() => say("The host did not open the link."));
    }
  };
  return el("a", { href, target: "_blank", rel: "noopener noreferrer", onclick: open }, ...children);
}

const MARKS = { supported: "✓", partly: "≈", disputed: "⇄", unsupported: "✕", unverifiable: "?" };

const badge = (verdict) =>
  el("span", { class: `badge ${verdict}` }, el("span", { "aria-hidden": "true" }, `${MARKS[verdict] ?? "·"} `), verdict);

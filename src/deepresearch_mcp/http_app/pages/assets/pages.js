// What scripts add to the pages: times of the reader's own zone, and a live page that changes in its place.
// Everything works without: forms are sent, and a live page loads itself anew.
"use strict";

function localTimes(root) {
  const form = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const node of root.querySelectorAll("time[datetime]")) node.textContent = form.format(new Date(node.dateTime));
}
localTimes(document);

const following = document.querySelector("[data-follow]");

/** Put what has changed in the place of what is shown; a form that is being filled in stays. */
function swap(fresh) {
  for (const shown of document.querySelectorAll("[data-live]")) {
    const made = fresh.getElementById(shown.id);
    if (made) shown.hidden = made.hidden;
    if (!made || made.innerHTML === shown.dataset.was) continue;
    if (shown.dataset.key !== undefined && shown.dataset.key === made.dataset.key) continue;
    const held = shown.contains(document.activeElement) ? document.activeElement : null;
    const at = held ? [...shown.querySelectorAll("a, button, summary")].indexOf(held) : -1;
    shown.dataset.was = made.innerHTML;
    shown.replaceChildren(...[...made.childNodes].map((node) => document.importNode(node, true)));
    if (made.dataset.key !== undefined) shown.dataset.key = made.dataset.key;
    localTimes(shown);
    if (at >= 0) shown.querySelectorAll("a, button, summary")[at]?.focus();
  }
}

function follow(main) {
  const said = document.getElementById("said");
  let due = 0;
  let stage = "";
  let missed = 0;
  async function look() {
    due = 0;
    const answer = await fetch(location.pathname, { headers: { accept: "text/html" }, cache: "no-store" });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const there = fresh.querySelector("[data-follow]");
    // It has ended, or someone signed out: the server shows what follows.
    if (!there) return location.replace(location.pathname);
    swap(fresh);
    const now = fresh.querySelector(".stages .now")?.textContent ?? there.dataset.state;
    if (now !== stage) said.textContent = `Now: ${now.replaceAll("_", " ")}`;
    stage = now;
  }
  const again = () => {
    missed += 1;
    if (missed === 3) said.textContent = document.getElementById("line").textContent = "The server does not answer. This page keeps trying.";
  };
  const soon = (wait) => (due ||= setTimeout(() => look().then(() => (missed = 0), again), wait));
  for (const node of document.querySelectorAll("[data-live]")) node.dataset.was = node.innerHTML;
  const events = new EventSource(main.dataset.follow);
  for (const kind of ["state_change", "step_started", "step_completed", "source_found", "note_created", "reflection", "error"]) events.addEventListener(kind, () => soon(700));
  // Money and time pass without an event; and where events cannot come through, this is enough.
  setInterval(() => soon(0), 5000);
  addEventListener("pagehide", () => events.close());
}
if (following) follow(following);

for (const menu of document.querySelectorAll("details.menu")) {
  addEventListener("click", (event) => menu.contains(event.target) || (menu.open = false));
  menu.addEventListener("keydown", (event) => event.key === "Escape" && ((menu.open = false), menu.querySelector("summary").focus()));
}

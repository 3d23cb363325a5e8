// A model that follows the text it is given, for programs with either TypeScript SDK: it makes the exact call that the
// text names. What failed (a time-out, say) it tries again, as any model does.

import { readFileSync } from "node:fs";

/** What the test wants: how the server is reached, the question, the client's own time-out in seconds. */
export const GIVEN = JSON.parse(readFileSync(process.argv[2], "utf8"));

/** The call that a result tells its reader to make; nothing where nothing is left to do. */
function named(text) {
  const found = text.match(/Next: (\w+)\((.*)\)$/);
  if (!found) return null;
  const pairs = [...found[2].matchAll(/(\w+)=("[^"]*"|\d+)/g)];
  return { name: found[1], arguments: Object.fromEntries(pairs.map(([, name, value]) => [name, JSON.parse(value)])) };
}

/** Research to the end with a client that is connected, read what the result links to, and print what happened. */
export async function follow(client, { callTool, asked }) {
  const began = performance.now();
  const calls = [], texts = [], faults = [], progress = [];
  const options = { timeout: GIVEN.limit * 1000 };
  if (GIVEN.patient) Object.assign(options, { resetTimeoutOnProgress: true, onprogress: (one) => progress.push(one) });
  let call = { name: "deep_research", arguments: { question: GIVEN.question, effort: "quick", ...GIVEN.arguments } };
  let result;
  while (call) {
    calls.push([call.name, call.arguments]);
    try {
      result = await callTool(call, options);
      texts.push(result.content[0].text);
      call = result.isError ? call : named(texts.at(-1));
    } catch (error) {
      faults.push(`${error.message} after ${Math.round(performance.now() - began)} ms`);
    }
  }
  const links = result.content.filter((block) => block.type === "resource_link").map((block) => block.uri);
  const read = links.length ? (await client.readResource({ uri: links[0] })).contents[0].text : "";
  const { structuredContent: runs } = await callTool({ name: "list_runs", arguments: {} });
  const { tools } = await client.listTools();
  const seconds = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ calls, texts, faults, progress, asked, links, read, runs, seconds, tools: tools.length }));
}

/** Says yes to a form, and keeps what it asked. */
export function approving(asked) {
  return async (request) => {
    asked.push(request.params.message);
    return { action: "accept", content: { approve: true } };
  };
}

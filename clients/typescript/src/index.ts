// A client of the REST surface. The types of every route come from the server's OpenAPI document (`npm run schema`).
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./schema.js";

export type { components, paths } from "./schema.js";

/** One server-sent event of a run: its number, its type in the engine design, its time, who did it, and what happened. */
export interface RunEvent {
  number: number;
  type: string;
  timestamp: string;
  actor: string;
  /** The sub-question it belongs to, or `run`. */
  parent: string;
  data: { kind: string } & Record<string, unknown>;
}

const RESTS = ["ended", "inquired"];
const TRIES = 8;
/** Answers of a server that is stopped or busy, and of a proxy that finds none. */
const AGAIN = [429, 502, 503, 504];

/** Calls of a server: `client.GET("/research/runs/{run_id}", …)`, all of them typed. */
export function connect(baseUrl: string, token: string): Client<paths> {
  return createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
}

/**
 * Yields the events of a run until it ends or asks something; after a broken connection it goes on where it stopped, at
 * any server. `after` is the number of the last event seen. Throws an Error with the problem's detail if a server refuses.
 */
export async function* follow(baseUrl: string, token: string, runId: string, after = 0): AsyncGenerator<RunEvent> {
  const address = `${baseUrl}/research/runs/${encodeURIComponent(runId)}/stream`;
  let last = after ? String(after) : "";
  for (let tries = 0; tries < TRIES; ) {
    try {
      const headers: Record<string, string> = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
      if (last) headers["last-event-id"] = last;
      const answer = await fetch(address, { headers });
      if (AGAIN.includes(answer.status)) throw new Error(`The server answers HTTP ${answer.status}.`);
      if (!answer.ok || !answer.body) throw new Refused(((await answer.json()) as { detail: string }).detail);
      let text = "";
      for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
        const blocks = (text + piece).split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const fields = new Map(block.split("\n").map((line) => /^([^:]*): ?(.*)$/.exec(line)?.slice(1) as [string, string]));
          const data = fields.get("data");
          if (!data) continue;
          last = fields.get("id") ?? last;
          const event: RunEvent = { number: Number(last), ...JSON.parse(data) };
          if (!fields.has("id")) throw new Refused((event.data as { detail?: string }).detail ?? "The stream failed.");
          tries = 0;
          yield event;
          if (RESTS.includes(event.data.kind)) return;
        }
      }
      // A server that is stopped ends its streams in good order; the run goes on.
      throw new Error("The stream ended before the run did.");
    } catch (error) {
      if (error instanceof Refused || ++tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries));
    }
  }
}

class Refused extends Error {}

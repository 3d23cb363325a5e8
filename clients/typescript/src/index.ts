// A client of the REST surface. The types of every route come from the server's OpenAPI document (`npm run schema`).
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./schema.js";

export type { components, paths } from "./schema.js";

/** One server-sent event of a run: its type in the engine design, its time, and what happened. */
export interface RunEvent {
  type: string;
  timestamp: string;
  data: { kind: string } & Record<string, unknown>;
}

const RESTS = ["ended", "inquired"];
const TRIES = 8;

/** Calls of a server: `client.GET("/research/runs/{run_id}", …)`, all of them typed. */
export function connect(baseUrl: string, token: string): Client<paths> {
  return createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
}

/**
 * Yields the events of a run until it ends or asks something; after a broken connection it goes on where it stopped.
 * Throws an Error with the problem's detail if the server refuses.
 */
export async function* follow(baseUrl: string, token: string, runId: string): AsyncGenerator<RunEvent> {
  const address = `${baseUrl}/research/runs/${encodeURIComponent(runId)}/stream`;
  let last = "";
  for (let tries = 0; tries < TRIES; ) {
    try {
      const headers: Record<string, string> = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
      if (last) headers["last-event-id"] = last;
      const answer = await fetch(address, { headers });
      if (!answer.ok || !answer.body) throw new Refused(((await answer.json()) as { detail: string }).detail);
      let text = "";
      for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
        const blocks = (text + piece).split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const fields = new Map(block.split("\n").map((line) => /^([^:]*): ?(.*)$/.exec(line)?.slice(1) as [string, string]));
          const data = fields.get("data");
          if (!data) continue;
          const event = JSON.parse(data) as RunEvent;
          last = fields.get("id") ?? last;
          tries = 0;
          yield event;
          if (RESTS.includes(event.data.kind)) return;
        }
      }
      return;
    } catch (error) {
      if (error instanceof Refused || ++tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries));
    }
  }
}

class Refused extends Error {}

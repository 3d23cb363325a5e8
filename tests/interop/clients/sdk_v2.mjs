// A program with the TypeScript SDK of version 2, in the era of the protocol that it is told.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { GIVEN, approving, follow } from "./following.mjs";

const asked = [];
const client = new Client(
  { name: "some-host", version: "1.0.0" },
  { capabilities: GIVEN.forms ? { elicitation: {} } : {}, versionNegotiation: { mode: GIVEN.mode } },
);
if (GIVEN.forms) client.setRequestHandler("elicitation/create", approving(asked));
const [command, ...args] = GIVEN.command ?? [];
const transport = GIVEN.url
  ? new StreamableHTTPClientTransport(new URL(GIVEN.url))
  : new StdioClientTransport({ command, args, env: GIVEN.env });
await client.connect(transport);
await follow(client, { asked, callTool: (call, options) => client.callTool(call, options) });
await client.close();

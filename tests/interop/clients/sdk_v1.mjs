// A program with the TypeScript SDK of version 1.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { GIVEN, approving, follow } from "./following.mjs";

const asked = [];
const client = new Client({ name: "some-host", version: "1.0.0" }, { capabilities: GIVEN.forms ? { elicitation: {} } : {} });
if (GIVEN.forms) client.setRequestHandler(ElicitRequestSchema, approving(asked));
const [command, ...args] = GIVEN.command ?? [];
const transport = GIVEN.url
  ? new StreamableHTTPClientTransport(new URL(GIVEN.url))
  : new StdioClientTransport({ command, args, env: GIVEN.env });
await client.connect(transport);
await follow(client, { asked, callTool: (call, options) => client.callTool(call, CallToolResultSchema, options) });
await client.close();

// Asks one question and prints its run as JSON: node ask.mjs ADDRESS TOKEN QUESTION
import { connect, follow } from "./dist/index.js";

const [, , address, token, question] = process.argv;
const client = connect(address, token);
const started = await client.POST("/research/runs", { body: { question, effort: "quick", clarify: "never" } });
if (started.error) throw new Error(started.error.detail);
const run_id = started.data.run_id;
const kinds = [];
for await (const event of follow(address, token, run_id)) kinds.push(event.data.kind);
const path = { run_id };
const { data } = await client.GET("/research/runs/{run_id}", { params: { path, query: { wait_seconds: 20 } } });
console.log(JSON.stringify({ status: data.status, report: data.report, kinds }));

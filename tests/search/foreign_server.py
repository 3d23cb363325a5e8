"""A foreign MCP server, in the standard library alone: over standard input, or with `--http` on a port that it prints.

It speaks the older protocol, as most servers do, and answers a search in as many forms as servers have.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

ROWS = [
    {"url": "https://a.example/ice", "title": "Ice", "snippet": "Ice floats.", "published_date": "2026-03-01"},
    {"url": "https://b.example/water", "title": "Water", "snippet": "Water is dense."},
]
MARKDOWN = (
    "Found 2 results:\n\n1. [Ice](https://a.example/ice)\n   Ice floats.\n2. [Water](https://b.example/water) - dense."
)
LABELLED = "\n\n".join(f"Title: {row['title']}\nURL: {row['url']}\nDescription: {row['snippet']}" for row in ROWS)


def text(words):
    return {"content": [{"type": "text", "text": words}]}


FORMS = {
    "structured": lambda _: text("see there") | {"structuredContent": {"results": ROWS}},
    "links": lambda _: {
        "content": [
            {"type": "resource_link", "uri": row["url"], "name": row["title"], "description": row["snippet"]}
            for row in ROWS
        ]
    },
    "json": lambda _: text(json.dumps({"web": {"results": ROWS}})),
    "markdown": lambda _: text(MARKDOWN),
    "labelled": lambda _: text(LABELLED),
    "nothing": lambda _: text("No results found."),
    "failing": lambda _: text("the key sk-secret was refused") | {"isError": True},
    "echo": lambda given: text(json.dumps([{"url": "https://echo.example/", "title": json.dumps(given)}])),
    "dying": None,
    "numbers": lambda _: text(""),
    "odd": lambda _: {"content": "no list"},
}
SEARCH = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "max_results": {"anyOf": [{"type": "integer"}, {"type": "null"}], "maximum": 7},
        "include_domains": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["query"],
}
NUMBERS = {"type": "object", "properties": {"count": {"type": "integer"}}}


def answer(asked):
    method, params = asked.get("method"), asked.get("params") or {}
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "foreign", "version": "1"},
        }
    if method == "tools/list":
        half = len(FORMS) // 2
        names = list(FORMS)[half:] if params.get("cursor") else list(FORMS)[:half]
        more = {} if params.get("cursor") else {"nextCursor": "more"}
        return {
            "tools": [{"name": name, "inputSchema": NUMBERS if name == "numbers" else SEARCH} for name in names]
        } | more
    if method == "tools/call":
        if params["name"] == "dying":
            sys.exit(1)
        return FORMS[params["name"]](params["arguments"])
    return None


def reply(line):
    asked = json.loads(line)
    if "id" not in asked:
        return None
    result = answer(asked)
    said = {"result": result} if result is not None else {"error": {"code": -32601, "message": "no such method"}}
    return json.dumps({"jsonrpc": "2.0", "id": asked["id"]} | said)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        said = reply(self.rfile.read(int(self.headers["Content-Length"])))
        body = (said or "").encode()
        self.send_response(200 if said else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send_error(405)

    def log_message(self, *_):
        pass


def main():
    if "--http" in sys.argv:
        server = HTTPServer(("127.0.0.1", 0), Handler)
        sys.stdout.write(f"{server.server_port}\n")
        sys.stdout.flush()
        server.serve_forever()
    sys.stderr.write("a foreign server's own words\n")
    for line in sys.stdin:
        if said := reply(line):
            sys.stdout.write(f"{said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()

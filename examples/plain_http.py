"""Ask a server over plain HTTP, with nothing but Python itself: `python examples/plain_http.py "Why …?"`.

`deepresearch-server serve --http` tells its address and token. Every other language does the same four requests.
"""

import json
import os
import sys
from pathlib import Path
from urllib.request import Request, urlopen

SERVER = os.environ.get("DEEPRESEARCH_SERVER", "http://127.0.0.1:8765")
TOKEN = os.environ.get("DEEPRESEARCH_TOKEN", "")


def asked(method: str, path: str, body: dict[str, object] | None = None) -> bytes:
    """Send a request and return what the server answers."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {TOKEN}"} if TOKEN else {})
    data = json.dumps(body).encode() if body is not None else None
    request = Request(f"{SERVER}{path}", data, headers, method=method)  # noqa: S310 - the address is your own
    with urlopen(request, timeout=90) as answer:  # noqa: S310 - the same
        return bytes(answer.read())


def main(question: str) -> None:
    """Start a research, wait for its end, and keep the report as text and as a Word document."""
    run = json.loads(asked("POST", "/research/runs", {"question": question, "effort": "quick"}))
    there = f"/research/runs/{run['run_id']}"
    while run["status"] in {"queued", "running"}:
        run = json.loads(asked("GET", f"{there}?wait_seconds=30"))
        print(f"{run['status']}, {run['stage']}", file=sys.stderr)
    Path("report.docx").write_bytes(asked("GET", f"{there}/report?format=docx"))
    print(asked("GET", f"{there}/report").decode())


if __name__ == "__main__":
    main(sys.argv[1])

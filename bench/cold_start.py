"""Spawn → tools listed over stdio, against a bare server of the MCP SDK: interleaved pairs, and their ratio."""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time

BARE = """
from mcp.server import MCPServer
server = MCPServer("bare")
@server.tool()
def add(a: int, b: int) -> int:
    "Add two numbers."
    return a + b
server.run()
"""


def once(command: list[str], home: str) -> float:
    """Milliseconds until tools/list has answered."""
    began = time.perf_counter()
    env = {"DEEPRESEARCH_HOME": home, "PATH": "/usr/bin:/bin"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=env, **pipes) as process:

        def ask(message: dict[str, object]) -> None:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()

        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        ask({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
        process.stdout.readline()
        ask({"jsonrpc": "2.0", "method": "notifications/initialized"})
        ask({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        answer = json.loads(process.stdout.readline())
        took = time.perf_counter() - began
        assert answer["result"]["tools"]
        process.stdin.close()
        process.terminate()
    return took * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=15)
    args = parser.parse_args()
    ours = [sys.executable, "-m", "deepresearch_mcp", "serve"]
    bare = [sys.executable, "-c", BARE]
    with tempfile.TemporaryDirectory() as home:
        once(ours, home), once(bare, home)
        pairs = [(once(ours, home), once(bare, home)) for _ in range(args.pairs)]
    own, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(one / two for one, two in pairs)
    print(f"ours {own:.0f} ms, bare SDK server {other:.0f} ms, ratio {ratio:.3f} (median of {args.pairs}; bar 1.15)")
    return 0 if ratio <= 1.15 else 1


if __name__ == "__main__":
    sys.exit(main())

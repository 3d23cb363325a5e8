import subprocess
import sys

KEPT = """
import os, sys
from deepresearch_mcp.mcp_server.descriptors import take_input, take_wire

wire, source = take_wire(), take_input()
print("printed", flush=True)
os.write(wire, b"protocol " + os.read(source, 100))
os.write(2, b"[" + os.read(0, 100) + b"]")
assert min(wire, source) > 2
"""


def test_what_prints_prints_to_standard_error_and_nothing_else_reads_the_input() -> None:
    done = subprocess.run([sys.executable, "-c", KEPT], input=b"line", capture_output=True, check=True)

    assert (done.stdout, done.stderr) == (b"protocol line", b"printed\n[]")

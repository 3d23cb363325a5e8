"""Make docs/report.png anew: the page of the demo's run with one citation open, as Chromium draws it."""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import anyio

from deepresearch_mcp.records.run import Run
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.viewer.html_report import page_of, texts_of

PICTURE = Path(__file__).with_name("report.png")
CITATION = 1
WIDTH, HEIGHT = 1280, 900
SPARE = 200
"""Rows more are drawn: a headless window is taller than what is drawn in it."""


def cropped(png: bytes, height: int) -> bytes:
    """The first rows of a PNG; each row is filtered by those above it alone, so they can be taken as they are."""
    chunks: list[tuple[bytes, bytes]] = []
    at = 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        chunks.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + length]))
        at += 12 + length
    head = next(body for kind, body in chunks if kind == b"IHDR")
    width, whole, depth, colour = struct.unpack(">IIBB", head[:10])
    row = 1 + width * depth // 8 * {2: 3, 6: 4}[colour]
    rows = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    height = min(height, whole)
    kept = [
        (b"IHDR", struct.pack(">II", width, height) + head[8:]),
        (b"IDAT", zlib.compress(rows[: row * height], 9)),
        (b"IEND", b""),
    ]
    made = png[:8]
    for kind, body in kept:
        made += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return made


async def page(home: Path, run: Run) -> str:
    async with open_runtime(Settings(home=home)) as runtime:
        return page_of(run, await texts_of(run, runtime.store.documents))


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if chromium is None:
        sys.exit("chromium is needed: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"DEEPRESEARCH_HOME": folder}
        demo = [sys.executable, "-m", "deepresearch_mcp", "demo", "--json", "--quiet"]
        told = subprocess.run(demo, env=env, stdout=subprocess.PIPE, check=True).stdout
        file = Path(folder) / "page.html"
        file.write_text(anyio.run(page, Path(folder), Run.model_validate_json(told)), encoding="utf-8")
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=3000"]
        size = [
            f"--window-size={WIDTH},{HEIGHT + SPARE}",
            f"--screenshot={PICTURE}",
            f"--user-data-dir={folder}/profile",
        ]
        subprocess.run([chromium, *flags, *size, f"{file.as_uri()}#cite-{CITATION}"], check=True, capture_output=True)
    PICTURE.write_bytes(cropped(PICTURE.read_bytes(), HEIGHT))
    print(f"{PICTURE.name}: {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

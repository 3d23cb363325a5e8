"""A small set of pages to plant instructions in, laid out like the public one."""

import gzip
import json
from pathlib import Path

PROSE = "Ice floats on water because its molecules form an open lattice, which takes more room than the liquid."


def made(number: int = 0, paragraphs: int = 12) -> str:
    body = "".join(f"<p>{n}. {PROSE} So it was seen for the {n}th time that year.</p>" for n in range(paragraphs))
    head = f"<head><title>Why ice floats {number}</title></head>"
    return f"<html>{head}<body><article><h1>Ice</h1>{body}</article></body></html>"


def sets(home: Path, pages: dict[str, str], kind: str = "article") -> Path:
    where = home / "html_wcxb" / "part"
    (where / "html").mkdir(parents=True)
    with gzip.open(where / "ground-truth.jsonl.gz", "wt") as rows:
        for name, html in pages.items():
            rows.write(json.dumps({"id": name, "page_type": kind}) + "\n")
            (where / "html" / f"{name}.html.gz").write_bytes(gzip.compress(html.encode()))
        rows.write(json.dumps({"id": "elsewhere", "page_type": kind}) + "\n")
    return home

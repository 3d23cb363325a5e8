"""Runs to export: one whose report has all that a report can have, and one that was written by an enemy."""

from datetime import UTC, date, datetime
from typing import Any

from deepresearch_mcp.records.report import Citation, SourceRow
from deepresearch_mcp.records.run import Provenance, Run

MVCC = "https://www.postgresql.org/docs/18/mvcc-intro.html"
WAL = "https://www.sqlite.org/wal.html"
REPORT = f"""# How do PostgreSQL and SQLite handle concurrent writers?

**In short.** PostgreSQL lets writers proceed in parallel [1]; SQLite admits one writer at a time, even in WAL mode
[2a,c]. For a desktop tool with one writer take SQLite [cf. 1, 2].

*A sentence without a mark, or with cf., is our own assessment: it rests on what is cited around it and on the sources
named.*

## Side by side

| What | PostgreSQL | SQLite | Sources |
| --- | --- | --- | --- |
| Readers beside a writer | never blocked; each statement sees its own snapshot of data | not blocked | [1, 2] |
| Isolation levels | 4 | – | [1] |

## How it works

1. Set `PRAGMA journal_mode=WAL` once for the file [2b].
2. Set a time-out for each connection [2].
   - One that waits longer gets an error [2].

```sql
BEGIN IMMEDIATE;
COMMIT;
```

> “Reading does not block writing.” [1]

### Details

A page says \\[1\\] of itself, and *in italics* that <b>tags</b> are text.

## References

All read on 2026-11-28.

- [1] “Concurrency Control” [↗](<{MVCC}#:~:text=each%20SQL%20statement>), postgresql.org, 2026-02-12, official
  - “each SQL statement … snapshot of data”
- [2] “Write-Ahead Logging” [↗](<{WAL}#:~:text=there&text=To>), sqlite.org, undated, official
  - a “there can only … writer at a time” · b “To activate”

---

Read: 22 pages\\
Cost: $0.11
"""

LONG = "long" * 200
HOSTILE = f"""# =cmd|' /C calc'!A0 <script>alert(1)</script>

<img src=x onerror=alert(1)> [click](javascript:alert(1)) [data](data:text/html,hi) ![pic](https://evil.example/p.png)
{{ HYPERLINK "https://evil.example" }} {{ DDEAUTO c:\\\\cmd.exe "/k calc" }} #link("https://evil.example")
#read("/etc/passwd")
$x$ ]] }} *{chr(0)}{chr(8)}{chr(0xFFFE)}{chr(0xD800)}{chr(0x202E)}gnp.exe [7] [1]

{"W" * 3_000}

## مرحبا بالعالم

هذا نص عربي مع `code()` و English داخل الجملة [1].

| =1+1 | @SUM(A1) | {LONG} | d | e | f | g |
| --- | --- | --- | --- | --- | --- | --- |
| +cmd | -2+3 | <?xml version="1.0"?><!ENTITY x SYSTEM "file:///etc/passwd"> | {LONG} | 中文字符测试 | 日本 | ру́сский |
| a | b |

{"- " * 60}deep

- [1] an entry
- [1] the same once more
- [99999999999999999999] none

[1]: file:///etc/passwd
"""
HOSTILE_TITLE = 'A } , title = {x} \\input{/etc/passwd} $1$ #2 100% _a ^ ~ "q" & é 中\r\nER  - \n@article{x,'


def cited(number: int, part: str, quote: str, url: str) -> Citation:
    return Citation(
        number=number,
        part=part,
        claim_ids=("c1",),
        source_id=f"s{number}",
        snapshot="ab" * 32,
        start=0,
        end=len(quote),
        quote=quote,
        url=url,
        link=url,
    )


def source(number: int, title: str, url: str, **given: Any) -> SourceRow:
    whole: dict[str, Any] = {"site": url.split("/")[2], "length": 1000, "cited": True} | given
    read = datetime(2026, 11, 28, 12, tzinfo=UTC)
    return SourceRow(source_id=f"s{number}", url=url, title=title, read_at=read, snapshot="ab" * 32, **whole)


def run_of(report: str = REPORT, language: str = "en", **given: Any) -> Run:
    whole: dict[str, Any] = {
        "run_id": "7k2m9qd4x0w5hn8r3tcjvz1b6a",
        "status": "completed",
        "stage": "ended",
        "question": "How do PostgreSQL and SQLite handle concurrent writers?",
        "report": report,
        "citations": (
            cited(1, "", "each SQL statement sees a snapshot of data", MVCC),
            cited(2, "a", "there can only be one writer at a time", WAL),
            cited(2, "b", "To activate WAL mode", WAL),
            cited(2, "c", "WAL does not work over a network filesystem", WAL),
        ),
        "sources": (
            source(2, "Write-Ahead Logging", WAL),
            source(1, "Concurrency Control", MVCC, published=date(2026, 2, 12), author="Ann Bö, PostgreSQL Group"),
            source(3, "Read and not cited", "https://example.org/", cited=False),
        ),
        "provenance": Provenance(
            version="0.16.0", thinker="x", ended="2026-11-28T12:01:11.000+00:00", request={"language": language}
        ),
    }
    return Run(**(whole | given))

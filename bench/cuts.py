"""How often a sentence of a filing is cut in two where its line or its page ends.

Reads the quarterly reports of a folder (default: the set pdf_sec10q in the shared data) as `research` does, cuts them
into sentences and counts neighbours that are halves of one. It knows nothing of how sentences are found: a pair counts
where the former half ends without a closing mark and where in addition

- the latter begins with a small letter, or
- the former ends with a comma or a word that cannot end a sentence ("of", "was"), or
- the former's last line is as wide as running text is set there.

Pairs of which either half is a row of figures, a row of a Markdown table or a heading, and items with the mark of a
list, are left out. Between the halves may stand the end of a line or of a page, with its number and running title.

Prints one line for each file, with --show every pair, with --json one object. Exit code 1 when a bar is missed; without
the folder it says so and ends well.
"""

import argparse
import json
import re
import sys
from collections import Counter
from datetime import date
from itertools import pairwise
from pathlib import Path

from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.web.documents.pdf import parse_pdf

MOST = 20
"""Cuts of one filing that are accepted."""
WIDE = 110
"""Columns. Tables, titles and addresses of a filing are narrower, its running text is 130 to 170 wide."""
OFTEN = 5
"""A line that stands so often in a filing is the running title of its pages."""
_CLOSED = re.compile(r"[.!?:;…][\"'”’)\]]*$")
_OPEN = re.compile(
    r",$|\b(?:a|an|the|of|and|or|to|in|on|for|from|with|by|at|that|which|was|were|is|are|has|have|had|be|been|our|its"
    r"|their|this|these|such|as|not|may|will|could|than|under|between|about)$"
)
_APART = ("|", "#")
"""First signs of lines that hold no part of a sentence: rows of a table, and headings."""
_MARK = re.compile(r"\n\s*(?:[•▪◦‣*]|\(?\w{1,4}[.)])\s*$")
_FIGURES = re.compile(r"(?:[$(]*\d[\d.,]*[)%]*|—|\$)\s+(?:[$(]*\d[\d.,]*[)%]*|—)$")


def cuts(text: str) -> list[tuple[str, str]]:
    """Return the halves of sentences that were cut, each pair as (end of the former, begin of the latter)."""
    often = Counter(_bare(line) for line in text.split("\n"))
    spans = [one for one in sentences(text) if often[_bare(text[one.start : one.end])] < OFTEN]
    found: list[tuple[str, str]] = []
    for (start, end), (after, stop) in pairwise(spans):
        former, latter = text[start:end], text[after:stop]
        between = text[end:after]
        if "\n" not in between or _CLOSED.search(former) or _MARK.search(between):
            continue
        if _FIGURES.search(former) or _FIGURES.search(latter.split("\n")[0]) or not re.search("[A-Za-z]", latter):
            continue
        line = text[text.rfind("\n", 0, end) + 1 : end]
        if line.startswith(_APART) or text.startswith(_APART, text.rfind("\n", 0, after) + 1):
            continue
        if latter[0].islower() or _OPEN.search(former) or len(line) >= WIDE:
            found.append((former[-70:], latter[:50]))
    return found


def _bare(line: str) -> str:
    """The line without its numbers; "" for one without letters, as the number of a page is."""
    return re.sub(r"[\W\d_]+", " ", line).strip()


def main() -> int:
    """Count, print, and tell whether the bar was met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, metavar="DIR", default=Path(__file__).parents[2] / "shared/data/pdf_sec10q/docs"
    )
    parser.add_argument("--show", action="store_true", help="Print every pair.")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    files = sorted(chosen.data.glob("*.pdf")) if chosen.data.is_dir() else []
    if not files:
        print(f"cuts: no PDF in {chosen.data.name}: not measured", file=sys.stderr)
        return 0
    counted: dict[str, int] = {}
    for file in files:
        text = parse_pdf(file.read_bytes(), 2_000_000, date.today()).get("text", "")
        found = cuts(text)
        counted[file.stem] = len(found)
        if chosen.show:
            print(*(f"{file.stem}: …{former!r} / {latter!r}" for former, latter in found), sep="\n")
        elif not chosen.json:
            print(f"{file.stem}: {len(found)} cuts of {len(sentences(text))} sentences")
    missed = [name for name, count in counted.items() if count > MOST]
    if chosen.json:
        print(json.dumps({"cuts": counted, "most": MOST, "missed": missed}))
    elif missed:
        print(f"over {MOST}: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

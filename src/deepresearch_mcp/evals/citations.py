"""`citations`: do the citation marks of real reports lead to the addresses that their authors meant?"""

import re
from bisect import bisect_right
from collections import Counter
from pathlib import Path

from deepresearch_mcp.cited_text.parse import CitedText, parse_cited_text
from deepresearch_mcp.evals.built import constructed, found_again, linked, own_reports
from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, json_lines

_PLAIN = re.compile(r"\[\^?(\d{1,3})\]|【(\d{1,3})】|(?<!!)\[[^\[\]\n]*\]\(https?://")
_ENTRY = re.compile(r"[ \t]*(?:[-*][ \t]+)?(?:\*\*)?\[?\^?(\d{1,3})[\].)][^\n]*(?:\n[ \t]*<?)?https?://")
_LISTED = re.compile(
    r"[ \t]*(?:[-*]|\d{1,3}[.)])?[ \t]*\[[^\]\n]*\]\([^)\s]*\)[ \t]*$|[ \t]*(?:[-*][ \t]+)?(?:\*\*)?[\[【]?\d"
)
_WORST = 5


async def measure(data: Path, lab: Lab) -> Result:
    """Parse every report, and compare the marks found by a simple pattern with the parser's result.

    The pattern finds `[3]`, `[^3]`, `【3】` and web links, except in lines that begin with a number or are only a link,
    since those are lists. Shares of its marks: `resolved` marks lead to an address; `dangling` marks have no line
    anywhere in the report that begins with their number and contains an address, which is the author's fault; `missed`
    marks have such a line, but the parser did not find it. `unused`: share of references that no mark cites.
    `uncited`: share of statements without a citation. `built`: share of texts built from a known structure (our own
    reports, and every common form of mark × list × language) that parse to exactly that structure.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    del lab
    where = folder(data, FOLDERS["citations"])
    total: Counter[str] = Counter()
    each: dict[str, Counter[str]] = {}
    worst: list[tuple[int, str]] = []
    for row in json_lines(where, "reports.jsonl*"):
        counted = _count(row["article"])
        total += counted
        each.setdefault(row["system"], Counter()).update(counted)
        if counted["missed"]:
            worst.append((counted["missed"], f"{row['system']} {row['id']}"))
    built = [*own_reports(), *constructed(), *linked()]
    lost = [one.form for one in built if not found_again(one)]
    marks = max(1, total["marks"])
    figures = {
        "marks": total["marks"],
        "resolved": total["resolved"] / marks,
        "dangling": total["dangling"] / marks,
        "missed": total["missed"] / marks,
        "unused": total["unused"] / max(1, total["references"]),
        "uncited": total["uncited"] / max(1, total["statements"]),
        "built": 1 - len(lost) / len(built),
    }
    notes = [
        f"{system}: {own['resolved']:,} of {own['marks']:,} marks resolved, {own['dangling']:,} dangling,"
        f" {own['missed']:,} missed; {own['uncited']:,} of {own['statements']:,} statements uncited."
        for system, own in sorted(each.items())
    ]
    notes += [f"Missed {number} in {name}." for number, name in sorted(worst, reverse=True)[:_WORST]]
    notes += [f"Not found again as built: {form}." for form in lost[:_WORST]]
    return Result("citations", total["reports"], figures, notes)


def _count(text: str) -> Counter[str]:
    found = parse_cited_text(text)
    counted = Counter(
        reports=1,
        references=len(found.references),
        unused=len(found.unused),
        statements=len(found.claims) + len(found.uncited),
        uncited=len(found.uncited),
    )
    entries = {match[1].lstrip("0") for line in _line_starts(text) if (match := _ENTRY.match(text, line))}
    led = _Led(found)
    for match in _PLAIN.finditer(text):
        start = text.rfind("\n", 0, match.start()) + 1
        if _LISTED.match(text, start):
            continue
        number = (match[1] or match[2] or "").lstrip("0")
        counted["marks"] += 1
        if led.leads(match.start()):
            counted["resolved"] += 1
        else:
            counted["missed" if not number or number in entries else "dangling"] += 1
    return counted


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer(r"\n", text))]


class _Led:
    """The positions of marks that lead to an address."""

    def __init__(self, found: CitedText) -> None:
        self._spans = sorted({(mark.start, mark.end) for mark in found.marks if mark.url})
        self._starts = [start for start, _ in self._spans]

    def leads(self, at: int) -> bool:
        place = bisect_right(self._starts, at) - 1
        return place >= 0 and at < self._spans[place][1]

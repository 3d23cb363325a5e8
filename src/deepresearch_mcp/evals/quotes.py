"""`quotes`: are quotes found where they stand, and is no falsified copy found anywhere?"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from deepresearch_mcp.evals.alterations import falsified, restyled, restyled_page
from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, json_lines
from deepresearch_mcp.text.names import names_in
from deepresearch_mcp.text.normalise import normalise
from deepresearch_mcp.text.quotes import locate

_SHOWN = 3
"""Cases listed in the notes, for each kind of mistake."""
_NAME_LETTERS = 4


async def measure(data: Path, lab: Lab) -> Result:
    """Locate every quote in the source that its answer names.

    `located`: share of quotes found. `restyled`: share found among copies of located quotes that differ only in
    typography, spacing, case, hyphenation, markup or an ellipsis. `false_accepts`: number found among copies with a
    changed number, date, unit, name or negation, and among quotes searched in another source of the same answer that
    does not contain their words.

    Raises:
        InvalidRequest: The set is missing or damaged.
    """
    del lab
    tried: Counter[str] = Counter()
    held: Counter[str] = Counter()
    accepted: list[str] = []
    lost: list[str] = []
    for row in json_lines(folder(data, FOLDERS["quotes"]), "*.jsonl.gz"):
        pages: dict[int, str] = {source["n"]: source["text"] for source in row["sources"]}
        strangers = _capitalised(pages)
        for number, quote in row["quotes"]:
            tried["quotes"] += 1
            page = pages.get(number, "")
            if locate(quote, page) is None:
                continue
            held["quotes"] += 1
            copies = [(kind, copy, page) for kind, copy in restyled(quote)]
            copies += [(kind, quote, copy) for kind, copy in restyled_page(quote, page)]
            for kind, copy, where in copies:
                tried["restyled"] += 1
                if locate(copy, where) is None:
                    lost.append(f"{kind}: {copy!r}")
                else:
                    held["restyled"] += 1
            wrong = [(kind, copy, page) for kind, copy in falsified(quote, strangers)]
            wrong += [("source", quote, other) for at, other in pages.items() if at != number]
            for kind, copy, where in wrong:
                if _stands(copy, where):
                    continue
                tried["false"] += 1
                if locate(copy, where) is not None:
                    accepted.append(f"{kind}: {copy!r}")
    figures = {
        "located": held["quotes"] / max(1, tried["quotes"]),
        "false_accepts": len(accepted),
        "restyled": held["restyled"] / max(1, tried["restyled"]),
    }
    notes = [
        f"{tried['restyled']} restyled and {tried['false']} falsified copies were looked for.",
        *(f"Not found although only restyled, {case}" for case in lost[:_SHOWN]),
        *(f"Found although falsified, {case}" for case in accepted[:_SHOWN]),
    ]
    return Result("quotes", tried["quotes"], figures, notes)


def _stands(quote: str, page: str) -> bool:
    """Whether the page contains the changed words too, for example another name; then the copy is not false."""
    return _letters(quote) in _letters(page)


def _letters(text: str) -> str:
    return "".join(char for char in normalise(text).text if char.isalnum())


def _capitalised(pages: Mapping[int, str]) -> list[str]:
    found = {word for text in pages.values() for name in names_in(text) for word in name.split() if word[:1].isupper()}
    return sorted(word for word in found if len(word) >= _NAME_LETTERS and word.isalpha())

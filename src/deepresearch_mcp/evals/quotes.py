"""`quotes`: are quotes found where they stand, and is no falsified copy found anywhere?"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from deepresearch_mcp.evals.alterations import falsified, restyled, restyled_page
from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, folder, json_lines
from deepresearch_mcp.text.names import names
from deepresearch_mcp.text.normalise import normalise
from deepresearch_mcp.text.quotes import locate

_SHOWN = 3
"""Cases named in the notes."""
_NAME_LETTERS = 4


async def measure(data: Path, lab: Lab) -> Result:
    """Locate every quote in the source that its answer names.

    `located`: the share found, of all. `restyled`: the share found of copies of the located ones in which only
    typography, spacing, case, hyphenation, markup or an ellipsis differ. `false_accepts`: how many were found of the
    copies with another number, date, unit, name or negation, and of quotes looked for in a source of the same answer
    that does not hold their words.
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
    """Whether the very words stand there all the same: a name that the page holds too is no falsified quote."""
    return _letters(quote) in _letters(page)


def _letters(text: str) -> str:
    return "".join(char for char in normalise(text).text if char.isalnum())


def _capitalised(pages: Mapping[int, str]) -> list[str]:
    found = {word for text in pages.values() for name in names(text) for word in name.split() if word[:1].isupper()}
    return sorted(word for word in found if len(word) >= _NAME_LETTERS and word.isalpha())

"""`pdf`: is the text of PDFs that of their sources, and does no broken file stop the reader?"""

import gzip
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import anyio
import anyio.to_thread

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS, common_f1, folder
from deepresearch_mcp.exceptions import FetchFailed, InvalidRequest
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.parsing import Parsers

ROBUST = ("pdf_robust", "pdf_samples")
"""Sets of broken and unusual files beside the pairs; they need no text of their own."""
AT_ONCE = 2
LONGEST = 90.0
"""Seconds for one file; the largest pair takes ten with pypdf on a slow machine."""
_WORD = re.compile(r"\w+")
_GRAM = 4


async def measure(data: Path, lab: Lab) -> Result:
    """Read every PDF in the parser processes that research uses.

    `token_f1`, `gram_f1`: F1 of words and of four words in a row against the source's text, mean over the pairs.
    `crashes`, `hangs`: files that ended their process, or took longer than `LONGEST` seconds. `peak_mb`: the most
    memory that one process held, where the system tells it.

    Raises:
        InvalidRequest: The set of pairs is missing or empty.
    """
    pairs = list(_pairs(folder(data, FOLDERS["pdf"])))
    if not pairs:
        raise InvalidRequest("The set of PDF pairs holds no pair.", "Download the whole set again.")
    others = [file for name in ROBUST if (data / name).is_dir() for file in sorted((data / name).glob("*.pdf"))]
    settings = WebSettings(workers=AT_ONCE, parse_timeout=LONGEST)
    async with Parsers(settings, lab.clock) as parsers:
        read = await _read([pdf for pdf, _ in pairs] + others, parsers)
    scored = {pdf.stem: (_f1(read[pdf][0], truth, 1), _f1(read[pdf][0], truth, _GRAM)) for pdf, truth in pairs}
    ends = Counter(end for _, end in read.values())
    figures = {
        "token_f1": sum(token for token, _ in scored.values()) / len(pairs),
        "gram_f1": sum(gram for _, gram in scored.values()) / len(pairs),
        "crashes": float(ends["crash"]),
        "hangs": float(ends["hang"]),
        "peak_mb": _peak(),
    }
    worst = sorted(scored.items(), key=lambda one: one[1])[:3]
    library = "pypdfium2" if find_spec("pypdfium2") else "pypdf"
    notes = [
        f"Read with {library}: {len(pairs)} pairs, {len(others)} other files, {ends['text']} of them all with text.",
        f"Lowest: {', '.join(f'{name} {token:.3f}' for name, (token, _) in worst)}.",
    ]
    return Result("pdf", len(read), figures, notes)


def _pairs(where: Path) -> Iterator[tuple[Path, str]]:
    for pdf in sorted(where.glob("*.pdf")):
        plain, packed = pdf.with_suffix(".txt"), pdf.with_suffix(".txt.gz")
        if plain.is_file():
            yield pdf, plain.read_text(encoding="utf-8", errors="replace")
        elif packed.is_file():
            yield pdf, gzip.decompress(packed.read_bytes()).decode("utf-8", "replace")


async def _read(files: Iterable[Path], parsers: Parsers) -> dict[Path, tuple[str, str]]:
    """Return the text of each file and how its reading ended: `text`, `reason`, `crash` or `hang`."""
    found: dict[Path, tuple[str, str]] = {}
    queue = iter(files)

    async def work() -> None:
        for file in queue:
            found[file] = await _one(file, parsers)

    async with anyio.create_task_group() as group:
        for _ in range(AT_ONCE):
            group.start_soon(work)
    return found


async def _one(file: Path, parsers: Parsers) -> tuple[str, str]:
    url = f"https://pdf.example/{file.name}"
    body = await anyio.to_thread.run_sync(file.read_bytes)
    try:
        page = await parsers.parse(Fetched(url, url, 200, "application/pdf", "", body))
    except FetchFailed as error:
        if error.reason == "timed_out":
            return "", "hang"
        return "", "crash" if "broke its parser" in error.message else "reason"
    return page.text, "text"


def _f1(text: str, truth: str, length: int) -> float:
    return common_f1(_grams(text, length), _grams(truth, length))


def _grams(text: str, length: int) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return Counter(zip(*(words[at:] for at in range(length)), strict=False))


def _peak() -> float:
    """Return the most memory that a process started here has held, in megabytes; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024

"""Reads the public data sets: one folder per set, with either half of the set in it."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.eval_specs import EVALS

T = TypeVar("T")

FOLDERS = {spec.name: spec.folder for spec in EVALS}
"""Evaluation → name of its set's folder."""


def folder(data: Path, name: str) -> Path:
    """The folder of a set below `data`.

    Raises:
        InvalidRequest: The folder does not exist.
    """
    found = data / name
    if not found.is_dir():
        raise InvalidRequest(
            f"There is no set {name!r} in {data.name or data}.",
            "Name with --data the folder that holds the sets, each in a folder of its own.",
        )
    return found


def one_file(where: Path, pattern: str) -> Path:
    """The first file that matches a pattern such as `claim_*.jsonl.gz`; file names of a set's halves differ inside.

    Raises:
        InvalidRequest: No file matches.
    """
    found = sorted(where.glob(pattern))
    if not found:
        raise InvalidRequest(f"The set {where.name} holds no file {pattern}.", "Download the whole set again.")
    return found[0]


def json_lines(where: Path, pattern: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON-lines file, gzipped or not.

    Raises:
        InvalidRequest: The file is missing or damaged.
    """
    file = one_file(where, pattern)
    try:
        with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    yield json.loads(line)
    except (OSError, ValueError) as error:
        raise _damaged(file, error) from error


def json_file(where: Path, pattern: str) -> Any:  # noqa: ANN401 - any JSON; the caller knows its shape
    """Read one JSON file, gzipped or not.

    Raises:
        InvalidRequest: The file is missing or damaged.
    """
    file = one_file(where, pattern)
    try:
        raw = file.read_bytes()
        return json.loads(gzip.decompress(raw) if file.suffix == ".gz" else raw)
    except (OSError, ValueError) as error:
        raise _damaged(file, error) from error


def grades(where: Path) -> dict[str, dict[str, int]]:
    """Read `qrels.tsv`: query → document → grade.

    Raises:
        InvalidRequest: The file is missing or damaged.
    """
    file = one_file(where, "qrels.tsv")
    found: dict[str, dict[str, int]] = {}
    try:
        for line in file.read_text(encoding="utf-8").splitlines():
            query, document, grade = line.split("\t")
            found.setdefault(query, {})[document] = int(grade)
    except (OSError, ValueError) as error:
        raise _damaged(file, error) from error
    return found


def auroc(scored: list[tuple[float, bool]]) -> float:
    """Area under the ROC curve: share of (true, false) pairs in which the true case scores higher.

    A tie counts half. The result is 0.5 if either kind is missing.
    """
    ranked = sorted(scored)
    positives = sum(truth for _, truth in ranked)
    negatives = len(ranked) - positives
    if not positives or not negatives:
        return 0.5
    total, at = 0.0, 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        # Tied cases occupy the ranks at+1 … end; each gets their mean.
        total += (at + 1 + end) / 2 * sum(truth for _, truth in ranked[at:end])
        at = end
    return (total - positives * (positives + 1) / 2) / (positives * negatives)


def common_f1(ours: Counter[T], theirs: Counter[T]) -> float:
    """F1 of what two countings have in common, as often as both have it; 1 if both are empty."""
    size = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / size if size else 1.0


def _damaged(file: Path, error: Exception) -> InvalidRequest:
    return InvalidRequest(
        f"The file {file.name} of the set {file.parent.name} cannot be read ({type(error).__name__}).",
        "Download the whole set again.",
    )
